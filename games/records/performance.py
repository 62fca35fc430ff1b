"""Statistics of an analysis: performance rating, kinds of errors, luck, and the chances through the match.

The performance rating follows eXtreme Gammon: 500 × equity lost / decisions that count, × 1.5 in matches to
one point (the convention for one point after
https://backgammondb.com/manual/match-statistics/performance-rating/). Which decisions count is defined in
``games.records.analysis``; losses of other decisions are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from gvformat.met import eq2mwc, mwc_anchors, score_mwc

from games.records.analysis import Analysis, Decision, DecisionKind
from games.records.model import CubeAction, CubeKind
from games.records.replaying import Replay, ReplayedGame, TurnState
from games.rules.scoring import Score
from games.rules.sides import SIDES, Side

PR_SCALE: Final = 500
ONE_POINT_FACTOR: Final = 1.5


class ErrorClass(StrEnum):
    """How serious an error is by the equity lost, with the thresholds of eXtreme Gammon."""

    FINE = "fine"
    ERROR = "error"  # from 0.020
    BLUNDER = "blunder"  # from 0.080


ERROR_LIMITS: Final = ((0.080, ErrorClass.BLUNDER), (0.020, ErrorClass.ERROR))


class CubeError(StrEnum):
    """How a cube decision can be wrong."""

    MISSED_DOUBLE = "missed_double"
    WRONG_DOUBLE = "wrong_double"
    WRONG_TAKE = "wrong_take"
    WRONG_PASS = "wrong_pass"  # noqa: S105 - a word of the game


def error_class(lost: float | None) -> ErrorClass:
    """Return how serious a loss of equity is; an unknown loss is fine.

    >>> error_class(0.08), error_class(0.0199)
    (<ErrorClass.BLUNDER: 'blunder'>, <ErrorClass.FINE: 'fine'>)
    """
    return next((kind for limit, kind in ERROR_LIMITS if lost is not None and lost >= limit), ErrorClass.FINE)


@dataclass(slots=True)
class Performance:
    """The totals of one side.

    ``…_counted``: decisions that count; ``…_lost``: equity lost in them; ``luck``: of all rolls whose luck is
    known, which ``rolls`` counts. ``factor``: 1.5 for a match to one point.
    """

    checker_counted: int = 0
    cube_counted: int = 0
    checker_lost: float = 0.0
    cube_lost: float = 0.0
    luck: float = 0.0
    rolls: int = 0
    errors: dict[ErrorClass, int] = field(default_factory=lambda: dict.fromkeys(ErrorClass, 0))
    cube_errors: dict[CubeError, int] = field(default_factory=lambda: dict.fromkeys(CubeError, 0))
    factor: float = 1.0

    @property
    def counted(self) -> int:
        return self.checker_counted + self.cube_counted

    @property
    def lost(self) -> float:
        return self.checker_lost + self.cube_lost

    @property
    def rating(self) -> float | None:
        """Return the performance rating; None if no decision counts."""
        return self._rate(self.lost, self.counted)

    @property
    def checker_rating(self) -> float | None:
        return self._rate(self.checker_lost, self.checker_counted)

    @property
    def cube_rating(self) -> float | None:
        return self._rate(self.cube_lost, self.cube_counted)

    def _rate(self, lost: float, counted: int) -> float | None:
        return PR_SCALE * self.factor * lost / counted if counted else None


def performances(decisions: Iterable[Decision], replay: Replay) -> dict[Side, Performance]:
    """Return the totals of both sides over these decisions of a record, keyed by side."""
    factor = ONE_POINT_FACTOR if replay.form.length == 1 else 1.0
    sums = {side: Performance(factor=factor) for side in SIDES}
    for decision, state in _with_states(decisions, replay):
        performance = sums[decision.side]
        if decision.luck is not None:
            performance.luck += decision.luck
            performance.rolls += 1
        if not decision.counts or decision.lost is None:
            continue
        performance.errors[error_class(decision.lost)] += 1
        if decision.kind is DecisionKind.CHECKER:
            performance.checker_counted += 1
            performance.checker_lost += decision.lost
            continue
        performance.cube_counted += 1
        performance.cube_lost += decision.lost
        if error_class(decision.lost) is not ErrorClass.FINE:
            performance.cube_errors[cube_error(decision, state)] += 1
    return sums


def cube_error(decision: Decision, state: TurnState) -> CubeError:
    """Return the kind of error of a wrong cube decision; ``state``: the turn that it led to."""
    action = state.action
    if decision.kind is DecisionKind.DOUBLE:
        return CubeError.WRONG_DOUBLE if isinstance(action, CubeAction) else CubeError.MISSED_DOUBLE
    is_pass = isinstance(action, CubeAction) and action.kind is CubeKind.PASS
    return CubeError.WRONG_PASS if is_pass else CubeError.WRONG_TAKE


class CoursePoint(NamedTuple):
    """White's chance to win the match (in money play: the game) before a roll, or after the end of a game."""

    game: int
    turn: int
    white: float


def match_course(analysis: Analysis, replay: Replay) -> tuple[CoursePoint, ...]:
    """Return White's chances through the match, in order; turns with an unknown chance are left out.

    The chance before a roll is the value of the best play less the luck of the roll.
    """
    course: list[CoursePoint] = []
    decision_by_turn = {
        (row.game, row.turn): row
        for row in analysis.decisions
        if row.kind is DecisionKind.CHECKER and row.plays
    }
    for number, game in enumerate(replay.games, 1):
        for state in game.states:
            decision = decision_by_turn.get((number, state.turn))
            chance = None if decision is None else _chance_before(decision, state, game.score)
            if chance is not None:
                white = chance if state.side is Side.WHITE else 1 - chance
                course.append(CoursePoint(number, state.turn, white))
        chance_after = _chance_after(game)
        if chance_after is not None and course:
            course.append(CoursePoint(number, len(game.states) + 1, chance_after))
    return tuple(course)


def _chance_before(decision: Decision, state: TurnState, score: Score) -> float | None:
    best = decision.plays[0]
    away = _away(score, state.side)
    if away is None:
        return best.chances.win if best.chances is not None else None
    equity = best.equity - (decision.luck or 0.0)
    chance = eq2mwc(equity, *away, state.cube.value, score.is_crawford)
    return min(max(float(chance), 0.0), 1.0)


def _chance_after(game: ReplayedGame) -> float | None:
    if game.ending.winner is None:
        return None
    if game.score_after.length is None:
        return 1.0 if game.ending.winner is Side.WHITE else 0.0
    return winning_chance(game.score_after, Side.WHITE)


def winning_chance(score: Score, side: Side) -> float:
    """Return the chance to win the match at a score before a game; 0.5 for money play.

    By the table of Kazaross and Rockwell (XG2).
    """
    away = _away(score, side)
    if away is None:
        return 0.5
    if not all(away):
        return 0.0 if away[0] else 1.0
    return float(score_mwc(*away, score.is_crawford))


def _away(score: Score, side: Side) -> tuple[int, int] | None:
    """Return the points that both sides need, ``side`` first; None for money play."""
    own, other = score.needs(side), score.needs(side.other)
    return None if own is None or other is None else (own, other)


class LuckResult(NamedTuple):
    """White's result of a match, from −0.5 to 0.5, and White's luck less Black's, as chances to win.

    ``adjusted``: the result with even luck.
    """

    actual: float
    luck: float

    @property
    def adjusted(self) -> float:
        return self.actual - self.luck


def luck_adjusted_result(analysis: Analysis, replay: Replay) -> LuckResult | None:
    """Return the result less both sides' luck; None for money play, unfinished matches and unknown luck.

    GNU Backgammon computes it in the same way, after Douglas Zare, “Hedging Toward Skill”.
    """
    if replay.form.length is None or not replay.games or not replay.score.is_over:
        return None
    luck, has_luck = 0.0, False
    for decision, state in _with_states(analysis.decisions, replay):
        if decision.luck is None:
            continue
        has_luck = True
        score = replay.games[decision.game - 1].score
        won, lost = mwc_anchors(*(_away(score, state.side) or (0, 0)), state.cube.value, score.is_crawford)
        luck_share = decision.luck * (won - lost) / 2
        luck += luck_share if decision.side is Side.WHITE else -luck_share
    first = replay.games[0].score
    actual_result = winning_chance(replay.score, Side.WHITE) - winning_chance(first, Side.WHITE)
    return LuckResult(actual_result, luck) if has_luck else None


def _with_states(decisions: Iterable[Decision], replay: Replay) -> Iterator[tuple[Decision, TurnState]]:
    """Yield each decision with the replayed turn that it led to, if there is such a turn."""
    states = {
        (number, state.turn): state for number, game in enumerate(replay.games, 1) for state in game.states
    }
    for decision in decisions:
        state = states.get((decision.game, decision.turn))
        if state is not None:
            yield decision, state
