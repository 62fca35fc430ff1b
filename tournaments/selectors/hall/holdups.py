"""What holds an event up, from the hall as it stands: everything that waits for somebody, the longest first.

Nothing is decided here; penalty points are what the stage's schedules say (F15), and a clock is put on (F11), by the director or not
at all.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from people.models import Player
from tournaments.engine.matches.rulings import (
    MOST_MINUTES,
    ClockOn,
    ClockUse,
    Penalty,
    Why,
    awards_of,
    lateness_penalty,
    slow_points,
)
from tournaments.engine.statuses import DRAW_HIDDEN, OVER, TO_PLAY, UNDER_WAY, MatchStatus, StageStatus
from tournaments.engine.types import Side
from tournaments.models import Match, Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.board import Hall
from tournaments.selectors.hall.forecast import Times
from tournaments.selectors.matches.answers import Answered
from tournaments.selectors.repairs.late import lines_held
from tournaments.selectors.rounds.deadlines import Overdue, today_at
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.feeds import waits_for
from tournaments.selectors.standings.tables import in_rounds

LAST_ONES = 3  # a round "waits for the last match" when so few are left


@dataclass(frozen=True, slots=True)
class Late:
    """A match that was called and has not started: for how many minutes whoever is not there is late, and what they cost (F15).

    ``against``: the sides for whose lateness no points stand, or fewer.
    """

    match: DrawnMatch
    minutes: int
    penalty: Penalty
    against: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Running:
    """A match under way: since when, and when it was expected to end as it began.

    ``over``: it takes remarkably long, for so many ``minutes``; ``points``: what slow play costs by now (F15), ``against`` the sides for
    whose slow play fewer stand. ``clock``: the one that was put on; ``may_clock``: one can be.
    """

    match: DrawnMatch
    since: datetime
    expected: datetime | None
    over: bool
    minutes: int = 0
    points: int = 0
    against: tuple[Side, ...] = ()
    clock: ClockOn | None = None
    may_clock: bool = False


@dataclass(frozen=True, slots=True)
class TwoWaiting:
    """A player for whom more than one match is ready."""

    name: str
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """The matches that decide when a stage is over, the next one first."""

    stage: Stage
    ends: Times
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class RoundWaits:
    """A round that waits for its last matches, or (none left) the next one that waits to be published."""

    stage: Stage
    number: int
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class NotDrawn:
    """A stage without a published draw; ``after``: the stage that has to be over before it can be drawn."""

    stage: Stage
    after: Stage | None


@dataclass(frozen=True, slots=True)
class HeldOpen:
    """Lines of a draw that wait for who comes late or buys back. ``urgent``: nothing else of it can be played."""

    stage: Stage
    lines: int
    urgent: bool


@dataclass(frozen=True, slots=True)
class HoldUps:
    """Everything that waits; empty lists are good news."""

    cannot: tuple[Answered, ...]
    disputed: tuple[DrawnMatch, ...]
    reported: tuple[DrawnMatch, ...]
    unanswered: tuple[DrawnMatch, ...]
    overdue: tuple[Overdue, ...]
    late: tuple[Late, ...]
    running: tuple[Running, ...]
    without_table: tuple[DrawnMatch, ...]
    two_waiting: tuple[TwoWaiting, ...]
    rounds: tuple[RoundWaits, ...]
    not_drawn: tuple[NotDrawn, ...]
    held: tuple[HeldOpen, ...]
    paths: tuple[Path, ...]

    @property
    def count(self) -> int:
        """How many things somebody should see to now."""
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


def hold_ups(hall: Hall, now: datetime) -> HoldUps:
    """What waits in ``hall`` at ``now``; a query for names, one for what was ruled, and those of a Swiss with lives."""

    def waiting_long(match: DrawnMatch) -> datetime:
        return hall.since(match) or now

    def of(*statuses: MatchStatus) -> list[DrawnMatch]:
        return sorted((m for m in hall.matches if m.status in statuses), key=waiting_long)

    by_pk = hall.by_pk
    called, playing = of(MatchStatus.CALLED), of(MatchStatus.PLAYING)
    ruled = _ruled(called, playing)
    return HoldUps(
        cannot=tuple(one for answers in hall.answers.values() for one in answers if one.cannot),
        disputed=tuple(of(MatchStatus.DISPUTED)),
        unanswered=tuple(
            m for m in of(MatchStatus.REPORTED) if now - waiting_long(m) >= hall.unanswered_after(m)
        ),
        reported=tuple(by_pk[pk] for pk in hall.reported if pk in by_pk),
        overdue=hall.overdue(today_at(hall.event, now)),
        late=tuple(_late(hall, match, now, ruled) for match in called),
        running=tuple(_running(hall, match, now, ruled) for match in playing),
        without_table=tuple(
            by_pk[match.pk]
            for match in hall.ready
            if match.table is None and match.pk in by_pk and not hall.busy_in(by_pk[match.pk])
        ),
        two_waiting=_two_waiting(hall, by_pk),
        rounds=tuple(waits for stage in hall.stages if (waits := _round(hall, stage)) is not None),
        not_drawn=tuple(
            NotDrawn(stage, next((part.stage for part in waits_for(stage, hall.draws)), None))
            for stage in hall.stages
            if stage.status in DRAW_HIDDEN and stage.system != Stage.System.MONEY
        ),
        held=tuple(_held(hall)),
        paths=_paths(hall, by_pk),
    )


def _held(hall: Hall) -> Iterator[HeldOpen]:
    for stage in hall.stages:
        draw = hall.draws.get(stage.pk)
        if draw is not None and stage.status in UNDER_WAY and (lines := lines_held(draw)):
            urgent = not any(match.status in TO_PLAY for match in draw.matches)
            yield HeldOpen(stage, len(lines), urgent)


@dataclass(frozen=True, slots=True)
class _Ruled:
    """What a director has ruled about a match: points by what they are for and who gets them, and a clock."""

    points: Mapping[tuple[Why, Side], int]
    clock: ClockOn | None


_NOTHING = _Ruled({}, None)


def _ruled(*groups: Iterable[DrawnMatch]) -> Mapping[int, _Ruled]:
    pks = [match.pk for group in groups for match in group]
    rows = Match.objects.filter(pk__in=pks).exclude(awards=[], clock={}) if pks else Match.objects.none()
    return {
        pk: _Ruled({(one.why, one.to): one.points for one in awards_of(awards)}, ClockOn.of(clock))
        for pk, awards, clock in rows.order_by().values_list("pk", "awards", "clock")
    }


def _against(match: DrawnMatch, ruled: _Ruled, why: Why, points: int) -> tuple[Side, ...]:
    """The sides against whom so many points are not given yet, and can be without ending the match."""
    return tuple(
        side
        for side, start in zip(Side, reversed(match.start), strict=True)
        if points > (given := ruled.points.get((why, side.other), 0))
        and start - given + points < match.length
    )


def _late(hall: Hall, match: DrawnMatch, now: datetime, ruled: Mapping[int, _Ruled]) -> Late:
    minutes = int((now - hall.event.late_from(hall.since(match) or now)) / timedelta(minutes=1))
    rule = hall.stage_of[match.pk].settings.conduct.lateness
    penalty = lateness_penalty(match.length, max(0, minutes), rule)
    mine = ruled.get(match.pk, _NOTHING)
    against = tuple(Side) if penalty.lost else _against(match, mine, Why.LATE, penalty.points)
    return Late(match, minutes, penalty, against)


def _running(hall: Hall, match: DrawnMatch, now: datetime, ruled: Mapping[int, _Ruled]) -> Running:
    since = hall.since(match) or now
    expected = since + hall.forecast.takes(match.length) if hall.forecast is not None else None
    long, mine = hall.too_long_from(match), ruled.get(match.pk, _NOTHING)
    if long is None or now < long:
        return Running(match, since, expected, over=False, clock=mine.clock)
    conduct = hall.stage_of[match.pk].settings.conduct
    minutes = min(int((now - long) / timedelta(minutes=1)), MOST_MINUTES)
    points = slow_points(match.length, minutes, conduct.slow)
    return Running(
        match,
        since,
        expected,
        over=True,
        minutes=minutes,
        points=points,
        against=_against(match, mine, Why.SLOW, points),
        clock=mine.clock,
        may_clock=mine.clock is None
        and (conduct.clocks is None or conduct.clock_use is not ClockUse.REQUIRED),
    )


def _two_waiting(hall: Hall, by_pk: Mapping[int, DrawnMatch]) -> tuple[TwoWaiting, ...]:
    waiting: dict[int, list[DrawnMatch]] = {}
    for match in hall.ready:
        for player in match.people:
            if match.pk in by_pk:
                waiting.setdefault(player, []).append(by_pk[match.pk])
    twice = {player: matches for player, matches in waiting.items() if len(matches) > 1}
    names = dict(Player.objects.filter(pk__in=twice).values_list("pk", "name")) if twice else {}
    found = [TwoWaiting(names[player], tuple(matches)) for player, matches in twice.items()]
    return tuple(sorted(found, key=lambda two: (-len(two.matches), two.name)))


def _round(hall: Hall, stage: Stage) -> RoundWaits | None:
    draw = hall.draws.get(stage.pk)
    if draw is None or not in_rounds(stage) or stage.status == StageStatus.FINISHED or not draw.rounds:
        return None
    left = tuple(match for match in draw.matches if match.status not in OVER)
    if len(left) > LAST_ONES or rounds_left(stage, draw) == 0:
        return None
    return RoundWaits(stage, len(draw.rounds), left)


def _paths(hall: Hall, by_pk: Mapping[int, DrawnMatch]) -> tuple[Path, ...]:
    if hall.forecast is None:
        return ()
    return tuple(
        Path(stage, found.ends, tuple(by_pk[pk] for pk in found.path if pk in by_pk))
        for stage in hall.stages
        if (found := hall.forecast.stages.get(stage.pk)) is not None
    )
