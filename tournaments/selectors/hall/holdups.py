"""Delays of an event, from its board: everything that waits for a person, longest first.

Nothing is decided here: the director applies penalty points by the stage's schedules (F15) and clocks (F11),
or does not.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from people.models import Player
from tournaments.engine.matches.rulings import (
    MAX_MINUTES,
    AwardReason,
    ClockStart,
    ClockUse,
    Penalty,
    awards_from_json,
    lateness_penalty,
    slow_points,
)
from tournaments.engine.statuses import DRAW_HIDDEN, OVER, PLAYABLE, STAGE_UNDER_WAY, MatchStatus, StageStatus
from tournaments.engine.types import Side
from tournaments.models import Match, Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.board import EventBoard
from tournaments.selectors.hall.forecast import TimeBand
from tournaments.selectors.matches.answers import PlayerAnswer
from tournaments.selectors.repairs.late import reserved_line_matches
from tournaments.selectors.rounds.deadlines import OverdueMatch, event_today
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.feeds import unresolved_feeds
from tournaments.selectors.standings.tables import is_round_based

MAX_LAST_MATCHES = 3  # a round "waits for the last match" when so few are left


@dataclass(frozen=True, slots=True)
class LateMatch:
    """A called match that has not started: minutes late, and the penalty (F15).

    ``against``: sides that have fewer penalty points for lateness so far.
    """

    match: DrawnMatch
    minutes: int
    penalty: Penalty
    against: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """A match under way: since when, and its expected end.

    ``over``: it is overlong, by ``minutes``; ``points``: the current penalty for slow play (F15),
    ``against``: sides that have fewer so far. ``clock``: the clock in use; ``may_clock``: one can be
    introduced.
    """

    match: DrawnMatch
    since: datetime
    expected: datetime | None
    over: bool
    minutes: int = 0
    points: int = 0
    against: tuple[Side, ...] = ()
    clock: ClockStart | None = None
    may_clock: bool = False


@dataclass(frozen=True, slots=True)
class MultipleReady:
    """A player with more than one ready match."""

    name: str
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class DecidingPath:
    """The matches that decide when a stage is over, the next one first."""

    stage: Stage
    ends: TimeBand
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class WaitingRound:
    """A round that waits for its last matches or, with none left, the next one that waits to be published."""

    stage: Stage
    number: int
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class UndrawnStage:
    """A stage without a published draw; ``after``: the stage that has to be over before."""

    stage: Stage
    after: Stage | None


@dataclass(frozen=True, slots=True)
class ReservedLines:
    """Lines reserved for late entries. ``urgent``: nothing else of the draw can be played."""

    stage: Stage
    lines: int
    urgent: bool


@dataclass(frozen=True, slots=True)
class Delays:
    """All delays; an empty list means none of its kind."""

    cannot: tuple[PlayerAnswer, ...]
    disputed: tuple[DrawnMatch, ...]
    reported: tuple[DrawnMatch, ...]
    unanswered: tuple[DrawnMatch, ...]
    overdue: tuple[OverdueMatch, ...]
    late: tuple[LateMatch, ...]
    running: tuple[RunningMatch, ...]
    without_table: tuple[DrawnMatch, ...]
    two_waiting: tuple[MultipleReady, ...]
    rounds: tuple[WaitingRound, ...]
    not_drawn: tuple[UndrawnStage, ...]
    held: tuple[ReservedLines, ...]
    paths: tuple[DecidingPath, ...]

    @property
    def count(self) -> int:
        """Number of delays that need action now."""
        overrun = sum(running.over for running in self.running)
        late = sum(bool(late.penalty.points or late.penalty.lost) for late in self.late)
        pair = sum(not waits.matches for waits in self.rounds)
        draw = sum(waits.after is None for waits in self.not_drawn)
        decide = (
            len(self.cannot)
            + len(self.disputed)
            + len(self.unanswered)
            + len(self.overdue)
            + len(self.reported)
        )
        held = sum(waits.urgent for waits in self.held)
        return decide + late + overrun + pair + draw + held


def find_delays(hall: EventBoard, now: datetime) -> Delays:
    """Find delays on the board at ``now``.

    A query for names, one for rulings, and those of Swiss with lives.
    """

    def waiting_long(match: DrawnMatch) -> datetime:
        return hall.since(match) or now

    def of(*statuses: MatchStatus) -> list[DrawnMatch]:
        return sorted((m for m in hall.matches if m.status in statuses), key=waiting_long)

    by_pk = hall.matches_by_pk
    called, playing = of(MatchStatus.CALLED), of(MatchStatus.PLAYING)
    ruled = _rulings_by_match(called, playing)
    return Delays(
        cannot=tuple(one for answers in hall.answers.values() for one in answers if one.cannot),
        disputed=tuple(of(MatchStatus.DISPUTED)),
        unanswered=tuple(
            m for m in of(MatchStatus.REPORTED) if now - waiting_long(m) >= hall.unanswered_after(m)
        ),
        reported=tuple(by_pk[pk] for pk in hall.reported if pk in by_pk),
        overdue=hall.overdue(event_today(hall.event, now)),
        late=tuple(_late_match(hall, match, now, ruled) for match in called),
        running=tuple(_running_match(hall, match, now, ruled) for match in playing),
        without_table=tuple(
            by_pk[match.pk]
            for match in hall.ready
            if match.table is None and match.pk in by_pk and not hall.busy_players_of(by_pk[match.pk])
        ),
        two_waiting=_multiple_ready(hall, by_pk),
        rounds=tuple(waits for stage in hall.stages if (waits := _waiting_round(hall, stage)) is not None),
        not_drawn=tuple(
            UndrawnStage(stage, next((part.stage for part in unresolved_feeds(stage, hall.draws)), None))
            for stage in hall.stages
            if stage.status in DRAW_HIDDEN and stage.system != Stage.System.MONEY
        ),
        held=tuple(_reserved_lines(hall)),
        paths=_paths(hall, by_pk),
    )


def _reserved_lines(hall: EventBoard) -> Iterator[ReservedLines]:
    for stage in hall.stages:
        draw = hall.draws.get(stage.pk)
        if draw is not None and stage.status in STAGE_UNDER_WAY and (lines := reserved_line_matches(draw)):
            urgent = not any(match.status in PLAYABLE for match in draw.matches)
            yield ReservedLines(stage, len(lines), urgent)


@dataclass(frozen=True, slots=True)
class _MatchRulings:
    """Rulings about a match: points by reason and side, and a clock."""

    points: Mapping[tuple[AwardReason, Side], int]
    clock: ClockStart | None


_NO_RULINGS = _MatchRulings({}, None)


def _rulings_by_match(*groups: Iterable[DrawnMatch]) -> Mapping[int, _MatchRulings]:
    pks = [match.pk for group in groups for match in group]
    rows = Match.objects.filter(pk__in=pks).exclude(awards=[], clock={}) if pks else Match.objects.none()
    return {
        pk: _MatchRulings(
            {(one.why, one.to): one.points for one in awards_from_json(awards)}, ClockStart.of(clock)
        )
        for pk, awards, clock in rows.order_by().values_list("pk", "awards", "clock")
    }


def _sides_to_penalize(
    match: DrawnMatch, ruled: _MatchRulings, why: AwardReason, points: int
) -> tuple[Side, ...]:
    """The sides that have fewer points against them and can get these without losing the match."""
    return tuple(
        side
        for side, start in zip(Side, reversed(match.start), strict=True)
        if points > (given := ruled.points.get((why, side.other), 0))
        and start - given + points < match.length
    )


def _late_match(
    hall: EventBoard, match: DrawnMatch, now: datetime, ruled: Mapping[int, _MatchRulings]
) -> LateMatch:
    minutes = int((now - hall.event.lateness_starts_at(hall.since(match) or now)) / timedelta(minutes=1))
    rule = hall.stage_by_match[match.pk].settings.conduct.lateness
    penalty = lateness_penalty(match.length, max(0, minutes), rule)
    mine = ruled.get(match.pk, _NO_RULINGS)
    against = (
        tuple(Side) if penalty.lost else _sides_to_penalize(match, mine, AwardReason.LATE, penalty.points)
    )
    return LateMatch(match, minutes, penalty, against)


def _running_match(
    hall: EventBoard, match: DrawnMatch, now: datetime, ruled: Mapping[int, _MatchRulings]
) -> RunningMatch:
    since = hall.since(match) or now
    expected = since + hall.forecast.takes(match.length) if hall.forecast is not None else None
    long, mine = hall.overlong_from(match), ruled.get(match.pk, _NO_RULINGS)
    if long is None or now < long:
        return RunningMatch(match, since, expected, over=False, clock=mine.clock)
    conduct = hall.stage_by_match[match.pk].settings.conduct
    minutes = min(int((now - long) / timedelta(minutes=1)), MAX_MINUTES)
    points = slow_points(match.length, minutes, conduct.slow)
    return RunningMatch(
        match,
        since,
        expected,
        over=True,
        minutes=minutes,
        points=points,
        against=_sides_to_penalize(match, mine, AwardReason.SLOW, points),
        clock=mine.clock,
        may_clock=mine.clock is None
        and (conduct.clocks is None or conduct.clock_use is not ClockUse.REQUIRED),
    )


def _multiple_ready(hall: EventBoard, by_pk: Mapping[int, DrawnMatch]) -> tuple[MultipleReady, ...]:
    waiting: dict[int, list[DrawnMatch]] = {}
    for match in hall.ready:
        for player in match.people:
            if match.pk in by_pk:
                waiting.setdefault(player, []).append(by_pk[match.pk])
    twice = {player: matches for player, matches in waiting.items() if len(matches) > 1}
    names = dict(Player.objects.filter(pk__in=twice).values_list("pk", "name")) if twice else {}
    found = [MultipleReady(names[player], tuple(matches)) for player, matches in twice.items()]
    return tuple(sorted(found, key=lambda two: (-len(two.matches), two.name)))


def _waiting_round(hall: EventBoard, stage: Stage) -> WaitingRound | None:
    draw = hall.draws.get(stage.pk)
    if draw is None or not is_round_based(stage) or stage.status == StageStatus.FINISHED or not draw.rounds:
        return None
    left = tuple(match for match in draw.matches if match.status not in OVER)
    if len(left) > MAX_LAST_MATCHES or rounds_left(stage, draw) == 0:
        return None
    return WaitingRound(stage, len(draw.rounds), left)


def _paths(hall: EventBoard, by_pk: Mapping[int, DrawnMatch]) -> tuple[DecidingPath, ...]:
    if hall.forecast is None:
        return ()
    return tuple(
        DecidingPath(stage, found.ends, tuple(by_pk[pk] for pk in found.path if pk in by_pk))
        for stage in hall.stages
        if (found := hall.forecast.stages.get(stage.pk)) is not None
    )
