"""What a director rules about a match without ending it: points without a game (F10 F15), clocks (F11), adjournments.

Whoever rules names the version of the match that was looked at: of two at once the second is told (409).
"""

from dataclasses import replace

from django.utils import timezone

from faults import Conflict, Invalid, Missing, refuse
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.matches.adjourning import Adjourned, check_adjourned, read_position
from tournaments.engine.matches.rulings import (
    BY_HAND,
    MOST_MINUTES,
    Award,
    ClockOn,
    ClockUse,
    Why,
    awards_of,
    check_award,
    check_clock_on,
    clock_rule,
    lateness_penalty,
    reserve,
    slow_points,
    start_of,
    with_award,
)
from tournaments.engine.statuses import (
    MatchAction,
    MatchStatus,
    may_report,
)
from tournaments.engine.trail.matches import (
    AwardTakenBack,
    ClockPutOn,
    ClockTakenOff,
    MatchAdjourned,
    MatchResumed,
    PointsAwarded,
)
from tournaments.engine.types import Score, Side
from tournaments.hall.services.calling import locked_match
from tournaments.models import Event, Match
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.store.event_state import begin_stage, rest_stage
from tournaments.store.lock import changed
from tournaments.store.matches import refuse_step, step, write
from tournaments.store.reports import set_open_aside
from tournaments.store.results import present_of
from tournaments.store.tables import hand_out_tables


@durable
def award_points(*, actor: Actor, event_id: int, match_id: int, award: Award, seen: int) -> Match:
    """A starting score or a penalty: ``award`` goes to the side that gets the points (F10)."""
    if award.why not in BY_HAND:
        raise Invalid("award.by_schedule", field="why")
    event, match = _ruled_on(actor, event_id, match_id, seen)
    return _award(event, match, actor, award)


@durable
def award_for_lateness(
    *, actor: Actor, event_id: int, match_id: int, late: Side, minutes: int, seen: int
) -> Match:
    """So many minutes late: the other side gets what the stage's schedule says, in the place of what it got before (F15).

    Refuses where the schedule says that the match is lost: that is a result, and a director records it.
    """
    event, match = _ruled_on(actor, event_id, match_id, seen)
    if not 0 <= minutes <= MOST_MINUTES:
        raise Invalid("award.minutes_odd", field="minutes", limit=MOST_MINUTES)
    penalty = lateness_penalty(match.length, minutes, match.stage.settings.conduct.lateness)
    if penalty.lost:
        raise Invalid("award.match_lost", field="minutes", minutes=minutes)
    return _award(event, match, actor, Award(late.other, penalty.points, Why.LATE, minutes))


@durable
def award_for_slow_play(
    *, actor: Actor, event_id: int, match_id: int, slow: Side, minutes: int, seen: int
) -> Match:
    """The match is so many minutes over its time for the slow play of one: the other gets what the stage's schedule says (F15).

    It takes the place of what was given for slow play before, so the minutes are those of the whole match.
    """
    event, match = _ruled_on(actor, event_id, match_id, seen)
    if not 0 <= minutes <= MOST_MINUTES:
        raise Invalid("award.minutes_odd", field="minutes", limit=MOST_MINUTES)
    points = slow_points(match.length, minutes, match.stage.settings.conduct.slow)
    return _award(event, match, actor, Award(slow.other, points, Why.SLOW, minutes))


@durable
def put_clock_on(
    *, actor: Actor, event_id: int, match_id: int, seen: int, score: Score | None = None
) -> Match:
    """From its next game on the match is played with a clock. ``score``: where it stands, which says how much reserve is left (F11).

    A clock that is on may be put on again to write the score down.
    """
    event, match = _ruled_on(actor, event_id, match_id, seen)
    conduct = match.stage.settings.conduct
    if conduct.clocks is not None and conduct.clock_use is ClockUse.REQUIRED:
        raise Conflict("clock.from_start", present=present_of(match))
    on = ClockOn.of(match.clock)
    if on is not None and score in {on.score, None}:
        raise Conflict("clock.on_already", present=present_of(match))
    start = Score(match.start_a, match.start_b)
    refuse(check_clock_on(match.length, start, score))
    write(match, clock=ClockOn(on.at if on is not None else timezone.now(), score).data())
    rule = clock_rule(conduct, match.stage.division.team_size)
    action = ClockPutOn(
        score_a=score.a if score is not None else None,
        score_b=score.b if score is not None else None,
        reserve=reserve(match.length, rule, score or start),
    )
    changed(event, actor=actor, action=action, subject=match)
    return match


@durable
def take_clock_off(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """The clock should not have been put on."""
    event, match = _ruled_on(actor, event_id, match_id, seen)
    if not match.clock:
        raise Conflict("clock.not_on", present=present_of(match))
    write(match, clock={})
    changed(event, actor=actor, action=ClockTakenOff(), subject=match)
    return match


@durable
def take_back_award(*, actor: Actor, event_id: int, match_id: int, number: int, seen: int) -> Match:
    """Award ``number`` of the match, counted from 0, was a mistake."""
    event, match = _ruled_on(actor, event_id, match_id, seen)
    awards = list(awards_of(match.awards))
    if not 0 <= number < len(awards):
        raise Missing("award.unknown")
    gone = awards.pop(number)
    _write_awards(match, tuple(awards))
    changed(
        event,
        actor=actor,
        action=AwardTakenBack(award=gone, start_a=match.start_a, start_b=match.start_b),
        subject=match,
    )
    return match


@durable
def adjourn_match(*, actor: Actor, event_id: int, match_id: int, adjourned: Adjourned, seen: int) -> Match:
    """The match is broken off and goes on another time; its table is free. Of an adjourned match: write something else down.

    What was reported before falls away: it is not over. Every fault is told at once (422).
    """
    event, match = _ruled_on(actor, event_id, match_id, seen)
    refuse_step(match, MatchAction.ADJOURN)
    start = Score(match.start_a, match.start_b)
    refuse(check_adjourned(adjourned, length=match.length, start=start, today=today_at(event)))
    if adjourned.position:
        adjourned = replace(adjourned, position=read_position(adjourned.position))
    set_open_aside(match)
    before, again = Adjourned.of(match.adjourned), match.status == MatchStatus.ADJOURNED
    step(match, MatchAction.ADJOURN, adjourned=adjourned.data(), table=None, called_at=None, started_at=None)
    begin_stage(event, match.stage)
    hand_out_tables(event)
    action = MatchAdjourned(adjourned=adjourned, before=before, again=again)
    changed(event, actor=actor, action=action, subject=match)
    return match


@durable
def resume_match(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """An adjourned match goes on: it waits for a table like any other. What was written down stays until it has a result."""
    event, match = _ruled_on(actor, event_id, match_id, seen)
    adjourned = Adjourned.of(match.adjourned) or Adjourned(Score(match.start_a, match.start_b))
    step(match, MatchAction.RESUME, sent_back_at=timezone.now())
    hand_out_tables(event)
    changed(event, actor=actor, action=MatchResumed(adjourned=adjourned), subject=match)
    return match


@durable
def take_back_adjournment(
    *, actor: Actor, event_id: int, match_id: int, before: Adjourned | None, seen: int
) -> Match:
    """The match should not have been adjourned: it is ready, and of it stands what had been written down ``before``."""
    event, match = _ruled_on(actor, event_id, match_id, seen)
    gone = Adjourned.of(match.adjourned) or Adjourned(Score(match.start_a, match.start_b))
    kept = before.data() if before is not None else {}
    step(match, MatchAction.RESUME, adjourned=kept, sent_back_at=timezone.now())
    rest_stage(event, match.stage)
    hand_out_tables(event)
    changed(event, actor=actor, action=MatchResumed(adjourned=gone, taken_back=True), subject=match)
    return match


def _ruled_on(actor: Actor, event_id: int, match_id: int, seen: int) -> tuple[Event, Match]:
    event, match = locked_match(actor, event_id, match_id)
    if not may_report(MatchStatus(match.status)):
        raise Conflict("match.no_ruling_now", present=present_of(match))
    if seen != match.version:
        raise Conflict("match.changed_meanwhile", present=present_of(match))
    return event, match


def _award(event: Event, match: Match, actor: Actor, award: Award) -> Match:
    before = awards_of(match.awards)
    refuse(check_award(match.length, before, award))
    _write_awards(match, with_award(before, award))
    changed(
        event,
        actor=actor,
        action=PointsAwarded(award=award, start_a=match.start_a, start_b=match.start_b),
        subject=match,
    )
    return match


def _write_awards(match: Match, awards: tuple[Award, ...]) -> None:
    start = start_of(awards)
    write(match, awards=[award.data() for award in awards], start_a=start.a, start_b=start.b)
