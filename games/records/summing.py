"""Sums of an analysis, short enough to be stored: both sides' results, and the swings of the chances.

Lists over many matches use these sums (`pool_sides` and the following), not decisions.
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
from games.records.replaying import Replay, State
from games.rules.sides import SIDES, Side

MIN_DECISIONS: Final = (
    100  # decisions that count: over fewer a rating says more of chance than of play (decision 85)
)
WINDOW_DECISIONS: Final = 500  # decisions of the latest matches in a point of the running rating


class Opening(NamedTuple):
    """The first play of a game, or the ``reply`` to it: its roll, higher die first, and the equity lost."""

    reply: bool
    high: int
    low: int
    lost: float


@dataclass(frozen=True, slots=True)
class SideSum:
    """The sums of one side of a match to ``length`` points (0: money), as those of `Performance`.

    ``net_luck``: own luck less the other's, in chances to win the match; ``even``: the result without both
    sides' luck, as a chance to win. Both None where unknown.
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
    openings: tuple[Opening, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSum:
    """Both sides, and the ``swing`` of a match: all changes of the chance to win, added up (1: 0 to 1)."""

    sides: Mapping[Side, SideSum]
    swing: float | None


def summarize_match(analysis: Analysis, replay: Replay) -> MatchSum:
    """Return the sums of the decisions of a record."""
    found = performances(analysis.decisions, replay)
    result = luck_adjusted_result(analysis, replay)
    openings = _openings(analysis, replay)
    sides = {}
    for side in SIDES:
        own, sign = found[side], 1 if side is Side.WHITE else -1
        sides[side] = SideSum(
            length=replay.form.length or 0,
            checker_counted=own.checker_counted,
            cube_counted=own.cube_counted,
            checker_lost=own.checker_lost,
            cube_lost=own.cube_lost,
            errors=own.errors[ErrorClass.ERROR],
            blunders=own.errors[ErrorClass.BLUNDER],
            missed_doubles=own.cube_errors[CubeError.MISSED_DOUBLE],
            wrong_doubles=own.cube_errors[CubeError.WRONG_DOUBLE],
            wrong_takes=own.cube_errors[CubeError.WRONG_TAKE],
            wrong_passes=own.cube_errors[CubeError.WRONG_PASS],
            net_luck=None if result is None else sign * result.luck,
            # Luck may exceed the possible gain.
            even=None if result is None else min(max(0.5 + sign * result.adjusted, 0.0), 1.0),
            openings=openings[side],
        )
    return MatchSum(sides, _swing(analysis, replay))


def _swing(analysis: Analysis, replay: Replay) -> float | None:
    moments = match_course(analysis, replay) if replay.form.length is not None else ()
    if len(moments) < 2:
        return None
    return sum(abs(later.white - before.white) for before, later in pairwise(moments))


def _openings(analysis: Analysis, replay: Replay) -> dict[Side, tuple[Opening, ...]]:
    """Return first plays and replies by side. A reply follows directly, without a double in between."""
    lost = {
        (row.game, row.turn): row.lost
        for row in analysis.decisions
        if row.kind is DecisionKind.CHECKER and row.lost is not None
    }
    found: dict[Side, list[Opening]] = {side: [] for side in SIDES}
    for number, game in enumerate(replay.games, 1):
        for reply, state in enumerate(game.states[:2]):
            dice = _dice(state)
            if dice is None:
                break
            cost = lost.get((number, state.turn))
            if cost is not None:
                found[state.side].append(Opening(bool(reply), max(dice), min(dice), cost))
    return {side: tuple(rows) for side, rows in found.items()}


def _dice(state: State) -> tuple[int, int] | None:
    return state.dice if isinstance(state.action, Roll) else None


def pool_sides(parts: Iterable[SideSum]) -> Performance:
    """Add up several matches of one player. Losses in matches to one point keep their weight.

    >>> pool_sides([SideSum(7, checker_counted=50, checker_lost=1.0), SideSum(1, cube_counted=50, cube_lost=1.0)]).rating
    12.5
    """
    whole = Performance()
    for part in parts:
        factor = ONE_POINT_FACTOR if part.length == 1 else 1.0
        whole.checker_counted += part.checker_counted
        whole.cube_counted += part.cube_counted
        whole.checker_lost += part.checker_lost * factor
        whole.cube_lost += part.cube_lost * factor
        whole.errors[ErrorClass.ERROR] += part.errors
        whole.errors[ErrorClass.BLUNDER] += part.blunders
        whole.cube_errors[CubeError.MISSED_DOUBLE] += part.missed_doubles
        whole.cube_errors[CubeError.WRONG_DOUBLE] += part.wrong_doubles
        whole.cube_errors[CubeError.WRONG_TAKE] += part.wrong_takes
        whole.cube_errors[CubeError.WRONG_PASS] += part.wrong_passes
    whole.errors[ErrorClass.FINE] = (
        whole.counted - whole.errors[ErrorClass.ERROR] - whole.errors[ErrorClass.BLUNDER]
    )
    return whole


def running_ratings(parts: Sequence[SideSum]) -> list[float | None]:
    """Return the rating over the latest matches after each match, oldest first.

    As many matches as make up ``WINDOW_DECISIONS`` decisions, the last one whole; None with fewer than
    ``MIN_DECISIONS``.
    """
    ratings: list[float | None] = []
    for last in range(len(parts)):
        window: list[SideSum] = []
        counted = 0
        for part in reversed(parts[: last + 1]):
            if counted >= WINDOW_DECISIONS:
                break
            window.append(part)
            counted += part.checker_counted + part.cube_counted
        ratings.append(pool_sides(window).rating if counted >= MIN_DECISIONS else None)
    return ratings


class LengthSummary(NamedTuple):
    """All matches to one length."""

    length: int
    matches: int
    whole: Performance


def summaries_by_length(parts: Sequence[SideSum]) -> list[LengthSummary]:
    """Return the summaries by length, the shortest first."""
    lengths = sorted({part.length for part in parts})
    grouped = [(length, [part for part in parts if part.length == length]) for length in lengths]
    return [LengthSummary(length, len(rows), pool_sides(rows)) for length, rows in grouped]


class RollSummary(NamedTuple):
    """All first plays, or all replies, with one roll: number, mean loss, and number of errors."""

    high: int
    low: int
    times: int
    mean_lost: float
    errors: int


def summaries_by_roll(parts: Iterable[SideSum], *, reply: bool) -> list[RollSummary]:
    """Return the summaries by roll, the largest total loss first."""
    rolls: dict[tuple[int, int], list[float]] = {}
    for part in parts:
        for row in part.openings:
            if row.reply is reply:
                rolls.setdefault((row.high, row.low), []).append(row.lost)
    found = [
        RollSummary(
            high,
            low,
            len(lost),
            sum(lost) / len(lost),
            sum(error_class(one) is not ErrorClass.FINE for one in lost),
        )
        for (high, low), lost in rolls.items()
    ]
    return sorted(found, key=lambda row: (-row.mean_lost * row.times, row.high, row.low))
