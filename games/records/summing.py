"""Totals of an analysis, short enough to be stored: both sides' results, and how much the chances changed.

Lists over many matches use these totals (`pool_sides` and the following), not decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from games.records.analysis import Analysis, DecisionKind
from games.records.model import Roll
from games.records.performance import (
    ONE_POINT_FACTOR,
    CubeError,
    ErrorClass,
    Performance,
    error_class,
    luck_adjusted_result,
    match_course,
    performances,
)
from games.records.replaying import Replay, TurnState
from games.rules.sides import SIDES, Side

MIN_DECISIONS: Final = (
    100  # decisions that count: over fewer a rating says more of chance than of play (decision 85)
)
WINDOW_DECISIONS: Final = 500  # decisions of the latest matches in a point of the running rating


class OpeningPlay(NamedTuple):
    """The first play of a game, or the ``reply`` to it: its roll, higher die first, and the equity lost."""

    reply: bool
    high: int
    low: int
    lost: float


@dataclass(frozen=True, slots=True)
class SideSum:
    """The totals of one side of a match to ``length`` points (0: money play), like those of `Performance`.

    ``net_luck``: the side's luck less the other's, in chances to win the match; ``even``: the result with
    even luck, as a chance to win. Both are None where unknown.
    """

    length: int = 0
    checker_counted: int = 0
    cube_counted: int = 0
    checker_lost: float = 0.0
    cube_lost: float = 0.0
    errors: int = 0
    blunders: int = 0
    missed_doubles: int = 0
    wrong_doubles: int = 0
    wrong_takes: int = 0
    wrong_passes: int = 0
    net_luck: float | None = None
    even: float | None = None
    openings: tuple[OpeningPlay, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSum:
    """The totals of both sides of a match, and its ``swing``: all changes of the chance to win, added up.

    A swing of 1 is a change from 0 to 1; None where unknown.
    """

    sides: Mapping[Side, SideSum]
    swing: float | None


def summarize_match(analysis: Analysis, replay: Replay) -> MatchSum:
    """Return the totals of the decisions of a record."""
    performance_by_side = performances(analysis.decisions, replay)
    result = luck_adjusted_result(analysis, replay)
    openings = _openings(analysis, replay)
    sides = {}
    for side in SIDES:
        performance, sign = performance_by_side[side], 1 if side is Side.WHITE else -1
        sides[side] = SideSum(
            length=replay.form.length or 0,
            checker_counted=performance.checker_counted,
            cube_counted=performance.cube_counted,
            checker_lost=performance.checker_lost,
            cube_lost=performance.cube_lost,
            errors=performance.errors[ErrorClass.ERROR],
            blunders=performance.errors[ErrorClass.BLUNDER],
            missed_doubles=performance.cube_errors[CubeError.MISSED_DOUBLE],
            wrong_doubles=performance.cube_errors[CubeError.WRONG_DOUBLE],
            wrong_takes=performance.cube_errors[CubeError.WRONG_TAKE],
            wrong_passes=performance.cube_errors[CubeError.WRONG_PASS],
            net_luck=None if result is None else sign * result.luck,
            # Luck may exceed the possible gain.
            even=None if result is None else min(max(0.5 + sign * result.adjusted, 0.0), 1.0),
            openings=openings[side],
        )
    return MatchSum(sides, _swing(analysis, replay))


def _swing(analysis: Analysis, replay: Replay) -> float | None:
    course = match_course(analysis, replay) if replay.form.length is not None else ()
    if len(course) < 2:
        return None
    return sum(abs(later.white - before.white) for before, later in pairwise(course))


def _openings(analysis: Analysis, replay: Replay) -> dict[Side, tuple[OpeningPlay, ...]]:
    """Return the first plays and replies of all games, keyed by side.

    A reply follows directly, without a double in between.
    """
    lost_by_turn = {
        (row.game, row.turn): row.lost
        for row in analysis.decisions
        if row.kind is DecisionKind.CHECKER and row.lost is not None
    }
    openings_by_side: dict[Side, list[OpeningPlay]] = {side: [] for side in SIDES}
    for number, game in enumerate(replay.games, 1):
        for reply, state in enumerate(game.states[:2]):
            dice = _dice(state)
            if dice is None:
                break
            cost = lost_by_turn.get((number, state.turn))
            if cost is not None:
                openings_by_side[state.side].append(OpeningPlay(bool(reply), max(dice), min(dice), cost))
    return {side: tuple(rows) for side, rows in openings_by_side.items()}


def _dice(state: TurnState) -> tuple[int, int] | None:
    return state.dice if isinstance(state.action, Roll) else None


def pool_sides(side_sums: Iterable[SideSum]) -> Performance:
    """Add up the totals of one player over several matches. Losses in matches to one point keep their weight.

    142,2 +142,2 @@ def pool_sides(side_sums: Iterable[SideSum]) -> Performance:
        >>> pool_sides([SideSum(7, checker_counted=50, checker_lost=1.0), SideSum(1, cube_counted=50, cube_lost=1.0)]).rating
        12.5
    """
    total = Performance()
    for side_sum in side_sums:
        factor = ONE_POINT_FACTOR if side_sum.length == 1 else 1.0
        total.checker_counted += side_sum.checker_counted
        total.cube_counted += side_sum.cube_counted
        total.checker_lost += side_sum.checker_lost * factor
        total.cube_lost += side_sum.cube_lost * factor
        total.errors[ErrorClass.ERROR] += side_sum.errors
        total.errors[ErrorClass.BLUNDER] += side_sum.blunders
        total.cube_errors[CubeError.MISSED_DOUBLE] += side_sum.missed_doubles
        total.cube_errors[CubeError.WRONG_DOUBLE] += side_sum.wrong_doubles
        total.cube_errors[CubeError.WRONG_TAKE] += side_sum.wrong_takes
        total.cube_errors[CubeError.WRONG_PASS] += side_sum.wrong_passes
    total.errors[ErrorClass.FINE] = (
        total.counted - total.errors[ErrorClass.ERROR] - total.errors[ErrorClass.BLUNDER]
    )
    return total


def running_ratings(side_sums: Sequence[SideSum]) -> list[float | None]:
    """Return for each match the performance rating over the latest matches up to it, oldest first.

    As many matches as make up ``WINDOW_DECISIONS`` decisions, the last one whole; None with fewer than
    ``MIN_DECISIONS``.
    """
    ratings: list[float | None] = []
    for last_index in range(len(side_sums)):
        latest_sums: list[SideSum] = []
        decision_count = 0
        for side_sum in reversed(side_sums[: last_index + 1]):
            if decision_count >= WINDOW_DECISIONS:
                break
            latest_sums.append(side_sum)
            decision_count += side_sum.checker_counted + side_sum.cube_counted
        ratings.append(pool_sides(latest_sums).rating if decision_count >= MIN_DECISIONS else None)
    return ratings


class LengthSummary(NamedTuple):
    """The totals of all matches to one length: their number, and all decisions together (``performance``)."""

    length: int
    matches: int
    performance: Performance


def summaries_by_length(side_sums: Sequence[SideSum]) -> list[LengthSummary]:
    """Return the totals for each match length, shortest first."""
    lengths = sorted({side_sum.length for side_sum in side_sums})
    grouped = [
        (length, [side_sum for side_sum in side_sums if side_sum.length == length]) for length in lengths
    ]
    return [LengthSummary(length, len(rows), pool_sides(rows)) for length, rows in grouped]


class RollSummary(NamedTuple):
    """All first plays, or all replies, with one roll.

    Their number, mean equity lost, and number of errors.
    """

    high: int
    low: int
    times: int
    mean_lost: float
    errors: int


def summaries_by_roll(side_sums: Iterable[SideSum], *, reply: bool) -> list[RollSummary]:
    """Return the totals for each opening roll, the largest total loss first.

    ``reply``: True for replies, False for first plays.
    """
    rolls: dict[tuple[int, int], list[float]] = {}
    for side_sum in side_sums:
        for row in side_sum.openings:
            if row.reply is reply:
                rolls.setdefault((row.high, row.low), []).append(row.lost)
    summaries = [
        RollSummary(
            high,
            low,
            len(lost),
            sum(lost) / len(lost),
            sum(error_class(loss) is not ErrorClass.FINE for loss in lost),
        )
        for (high, low), lost in rolls.items()
    ]
    return sorted(summaries, key=lambda row: (-row.mean_lost * row.times, row.high, row.low))
