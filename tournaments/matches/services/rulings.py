"""Rulings on a match that do not end it: awarded points (rules F10, F15), clocks (rule F11), adjournments.

``seen`` is the version of the match that the director saw: of two simultaneous rulings the second raises
``Conflict`` (409).
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
    slow_play_points,
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
from tournaments.selectors.event_dates import event_today
from tournaments.store.event_state import start_stage, unstart_stage
from tournaments.store.lock import record_action
from tournaments.store.matches import check_match_step, step_match, write_match
from tournaments.store.reports import supersede_open_reports
from tournaments.store.results import current_match_state
from tournaments.store.tables import assign_free_tables


@durable
def award_points(*, actor: Actor, event_id: int, match_id: int, award: Award, seen: int) -> Match:
    """Add an award of starting points or penalty points to the match (rule F10).

    Raises ``Invalid`` for reasons that only the stage's schedule can award.
    """
    if award.why not in MANUAL_REASONS:
        raise Invalid("award.by_schedule", field="why")
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    return _add_award(event, match, actor, award)


@durable
def award_for_lateness(
    *, actor: Actor, event_id: int, match_id: int, late: Side, minutes: int, seen: int
) -> Match:
    """Award points for lateness to the opponent of ``late``, by the stage's schedule (rule F15).

    The award replaces earlier ones for lateness. Raises ``Invalid`` if the schedule says that the match is
    lost after so many ``minutes``: that is a result, which a director reports.
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
    """Award the opponent of ``slow`` the points that the stage's schedule gives for slow play (rule F15).

    ``minutes``: how long the whole match is over its time, because the award replaces the earlier one for
    slow play.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    if not 0 <= minutes <= MAX_MINUTES:
        raise Invalid("award.minutes_odd", field="minutes", limit=MAX_MINUTES)
    points = slow_play_points(match.length, minutes, match.stage.settings.conduct.slow)
    return _add_award(event, match, actor, Award(slow.other, points, AwardReason.SLOW, minutes))


@durable
def add_clock(*, actor: Actor, event_id: int, match_id: int, seen: int, score: Score | None = None) -> Match:
    """Record that the match is played with a clock from the next game on.

    ``score``: the current score, from which the remaining reserve is computed (rule F11); None counts from
    the start of the match. If a clock is running already, another ``score`` replaces the stored one.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    conduct = match.stage.settings.conduct
    if conduct.clocks is not None and conduct.clock_use is ClockUse.REQUIRED:
        raise Conflict("clock.from_start", present=current_match_state(match))
    current_clock = ClockStart.of(match.clock)
    if current_clock is not None and score in {current_clock.score, None}:
        raise Conflict("clock.on_already", present=current_match_state(match))
    start = Score(match.start_a, match.start_b)
    raise_faults(check_clock_start(match.length, start, score))
    write_match(
        match,
        clock=ClockStart(current_clock.at if current_clock is not None else timezone.now(), score).data(),
    )
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
    """Remove a clock that was added by mistake."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    if not match.clock:
        raise Conflict("clock.not_on", present=current_match_state(match))
    write_match(match, clock={})
    record_action(event, actor=actor, action=ClockRemoved(), subject=match)
    return match


@durable
def remove_award(*, actor: Actor, event_id: int, match_id: int, number: int, seen: int) -> Match:
    """Remove the award with index ``number`` (from 0) in the match's list of awards."""
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    awards = list(awards_from_json(match.awards))
    if not 0 <= number < len(awards):
        raise Missing("award.unknown")
    removed_award = awards.pop(number)
    _write_awards(match, tuple(awards))
    record_action(
        event,
        actor=actor,
        action=AwardRemoved(award=removed_award, start_a=match.start_a, start_b=match.start_b),
        subject=match,
    )
    return match


@durable
def adjourn_match(*, actor: Actor, event_id: int, match_id: int, adjourned: Adjournment, seen: int) -> Match:
    """Adjourn a match, which frees its table, or replace the details of an adjourned one.

    Unconfirmed reports are discarded, since the match is not over. Raises ``Invalid`` (422) with all errors
    of the details.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    check_match_step(match, MatchAction.ADJOURN)
    start = Score(match.start_a, match.start_b)
    raise_faults(check_adjournment(adjourned, length=match.length, start=start, today=event_today(event)))
    if adjourned.position:
        adjourned = replace(adjourned, position=parse_position(adjourned.position))
    supersede_open_reports(match)
    previous, was_adjourned = Adjournment.of(match.adjourned), match.status == MatchStatus.ADJOURNED
    step_match(
        match, MatchAction.ADJOURN, adjourned=adjourned.data(), table=None, called_at=None, started_at=None
    )
    start_stage(event, match.stage)
    assign_free_tables(event)
    action = MatchAdjourned(adjourned=adjourned, before=previous, again=was_adjourned)
    record_action(event, actor=actor, action=action, subject=match)
    return match


@durable
def resume_match(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """Resume an adjourned match: it waits for a table.

    The adjournment's details stay until the match has a result.
    """
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
    """Undo an adjournment: the match waits for a table again.

    ``before``: the adjournment details to restore; None if the match had none.
    """
    event, match = _lock_match_for_ruling(actor, event_id, match_id, seen)
    adjournment = Adjournment.of(match.adjourned) or Adjournment(Score(match.start_a, match.start_b))
    previous_data = before.data() if before is not None else {}
    step_match(match, MatchAction.RESUME, adjourned=previous_data, sent_back_at=timezone.now())
    unstart_stage(event, match.stage)
    assign_free_tables(event)
    record_action(
        event, actor=actor, action=MatchResumed(adjourned=adjournment, taken_back=True), subject=match
    )
    return match


def _lock_match_for_ruling(
    actor: Actor, event_id: int, match_id: int, expected_version: int
) -> tuple[Event, Match]:
    event, match = lock_running_match(actor, event_id, match_id)
    if not may_report(MatchStatus(match.status)):
        raise Conflict("match.no_ruling_now", present=current_match_state(match))
    if expected_version != match.version:
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
