"""What a director rules about a match without ending it: points without a game (F10 F15), clocks (F11), adjournments.

Whoever rules names the version of the match that was looked at: of two at once the second is told (409).
"""

from dataclasses import replace

from django.utils import timezone

from faults import Conflict, Invalid, Missing, raise_faults
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.matches.adjourning import Adjournment, check_adjournment, parse_position
from tournaments.engine.matches.rulings import (
    MANUAL_REASONS,
    MAX_MINUTES,
    Award,
    AwardReason,
    ClockStart,
    ClockUse,
    awards_from_json,
    check_award,
    check_clock_start,
    clock_rule_for,
    lateness_penalty,
    reserve_seconds,
    slow_points,
    starting_score,
    with_award,
)
from tournaments.engine.statuses import (
    MatchAction,
    MatchStatus,
    may_report,
)
from tournaments.engine.trail.matches import (
    AwardRemoved,
    ClockAdded,
    ClockRemoved,
    MatchAdjourned,
    MatchResumed,
    PointsAwarded,
)
from tournaments.engine.types import Score, Side
from tournaments.hall.services.calling import lock_running_match
from tournaments.models import Event, Match
from tournaments.selectors.rounds.deadlines import event_today
from tournaments.store.event_state import start_stage, unstart_stage
from tournaments.store.lock import record_action
from tournaments.store.matches import check_match_step, step_match, write_match
from tournaments.store.reports import supersede_open_reports
from tournaments.store.results import current_match_state
from tournaments.store.tables import assign_free_tables


@durable
def award_points(*, actor: Actor, event_id: int, match_id: int, award: Award, seen: int) -> Match:
    """A starting score or a penalty: ``award`` goes to the side that gets the points (F10)."""
    if award.why not in MANUAL_REASONS:
        raise Invalid("award.by_schedule", field="why")
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    return _add_award(event, match, actor, award)


@durable
def award_for_lateness(
    *, actor: Actor, event_id: int, match_id: int, late: Side, minutes: int, seen: int
) -> Match:
    """So many minutes late: the other side gets what the stage's schedule says, in the place of what it got before (F15).

    Refuses where the schedule says that the match is lost: that is a result, and a director records it.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    if not 0 <= minutes <= MAX_MINUTES:
        raise Invalid("award.minutes_odd", field="minutes", limit=MAX_MINUTES)
    penalty = lateness_penalty(match.length, minutes, match.stage.settings.conduct.lateness)
    if penalty.lost:
        raise Invalid("award.match_lost", field="minutes", minutes=minutes)
    return _add_award(event, match, actor, Award(late.other, penalty.points, AwardReason.LATE, minutes))


@durable
def award_for_slow_play(
    *, actor: Actor, event_id: int, match_id: int, slow: Side, minutes: int, seen: int
) -> Match:
    """The match is so many minutes over its time for the slow play of one: the other gets what the stage's schedule says (F15).

    It takes the place of what was given for slow play before, so the minutes are those of the whole match.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    if not 0 <= minutes <= MAX_MINUTES:
        raise Invalid("award.minutes_odd", field="minutes", limit=MAX_MINUTES)
    points = slow_points(match.length, minutes, match.stage.settings.conduct.slow)
    return _add_award(event, match, actor, Award(slow.other, points, AwardReason.SLOW, minutes))


@durable
def add_clock(*, actor: Actor, event_id: int, match_id: int, seen: int, score: Score | None = None) -> Match:
    """From its next game on the match is played with a clock. ``score``: where it stands, which says how much reserve is left (F11).

    A clock that is on may be put on again to write the score down.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    conduct = match.stage.settings.conduct
    if conduct.clocks is not None and conduct.clock_use is ClockUse.REQUIRED:
        raise Conflict("clock.from_start", present=current_match_state(match))
    on = ClockStart.of(match.clock)
    if on is not None and score in {on.score, None}:
        raise Conflict("clock.on_already", present=current_match_state(match))
    start = Score(match.start_a, match.start_b)
    raise_faults(check_clock_start(match.length, start, score))
    write_match(match, clock=ClockStart(on.at if on is not None else timezone.now(), score).data())
    rule = clock_rule_for(conduct, match.stage.division.team_size)
    action = ClockAdded(
        score_a=score.a if score is not None else None,
        score_b=score.b if score is not None else None,
        reserve=reserve_seconds(match.length, rule, score or start),
    )
    record_action(event, actor=actor, action=action, subject=match)
    return match


@durable
def remove_clock(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """The clock should not have been put on."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    if not match.clock:
        raise Conflict("clock.not_on", present=current_match_state(match))
    write_match(match, clock={})
    record_action(event, actor=actor, action=ClockRemoved(), subject=match)
    return match


@durable
def remove_award(*, actor: Actor, event_id: int, match_id: int, number: int, seen: int) -> Match:
    """Award ``number`` of the match, counted from 0, was a mistake."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    awards = list(awards_from_json(match.awards))
    if not 0 <= number < len(awards):
        raise Missing("award.unknown")
    gone = awards.pop(number)
    _write_awards(match, tuple(awards))
    record_action(
        event,
        actor=actor,
        action=AwardRemoved(award=gone, start_a=match.start_a, start_b=match.start_b),
        subject=match,
    )
    return match


@durable
def adjourn_match(*, actor: Actor, event_id: int, match_id: int, adjourned: Adjournment, seen: int) -> Match:
    """The match is broken off and goes on another time; its table is free. Of an adjourned match: write something else down.

    What was reported before falls away: it is not over. Every fault is told at once (422).
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    check_match_step(match, MatchAction.ADJOURN)
    start = Score(match.start_a, match.start_b)
    raise_faults(check_adjournment(adjourned, length=match.length, start=start, today=event_today(event)))
    if adjourned.position:
        adjourned = replace(adjourned, position=parse_position(adjourned.position))
    supersede_open_reports(match)
    before, again = Adjournment.of(match.adjourned), match.status == MatchStatus.ADJOURNED
    step_match(
        match, MatchAction.ADJOURN, adjourned=adjourned.data(), table=None, called_at=None, started_at=None
    )
    start_stage(event, match.stage)
    assign_free_tables(event)
    action = MatchAdjourned(adjourned=adjourned, before=before, again=again)
    record_action(event, actor=actor, action=action, subject=match)
    return match


@durable
def resume_match(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """An adjourned match goes on: it waits for a table like any other. What was written down stays until it has a result."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    adjourned = Adjournment.of(match.adjourned) or Adjournment(Score(match.start_a, match.start_b))
    step_match(match, MatchAction.RESUME, sent_back_at=timezone.now())
    assign_free_tables(event)
    record_action(event, actor=actor, action=MatchResumed(adjourned=adjourned), subject=match)
    return match


@durable
def undo_adjournment(
    *, actor: Actor, event_id: int, match_id: int, before: Adjournment | None, seen: int
) -> Match:
    """The match should not have been adjourned: it is ready, and of it stands what had been written down ``before``."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    gone = Adjournment.of(match.adjourned) or Adjournment(Score(match.start_a, match.start_b))
    kept = before.data() if before is not None else {}
    step_match(match, MatchAction.RESUME, adjourned=kept, sent_back_at=timezone.now())
    unstart_stage(event, match.stage)
    assign_free_tables(event)
    record_action(event, actor=actor, action=MatchResumed(adjourned=gone, taken_back=True), subject=match)
    return match


def _lock_match_for_ruling(actor: Actor, event_id: int, match_id: int, seen: int) -> tuple[Event, Match]:
    event, match = lock_running_match(actor, event_id, match_id)
    if not may_report(MatchStatus(match.status)):
        raise Conflict("match.no_ruling_now", present=current_match_state(match))
    if seen != match.version:
        raise Conflict("match.changed_meanwhile", present=current_match_state(match))
    return event, match


def _add_award(event: Event, match: Match, actor: Actor, award: Award) -> Match:
    before = awards_from_json(match.awards)
    raise_faults(check_award(match.length, before, award))
    _write_awards(match, with_award(before, award))
    record_action(
        event,
        actor=actor,
        action=PointsAwarded(award=award, start_a=match.start_a, start_b=match.start_b),
        subject=match,
    )
    return match


def _write_awards(match: Match, awards: tuple[Award, ...]) -> None:
    start = starting_score(awards)
    write_match(match, awards=[award.data() for award in awards], start_a=start.a, start_b=start.b)
