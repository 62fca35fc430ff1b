"""Scoring: adds points, determines the Crawford game and the end of a match.

A `Score` is that before a game. `game_points` returns what a game is worth, `score_after` the next score. Scores
hold all points, also those above the length (rule F1); `Score.capped` is the displayed score without them.
Who won a game and how is in `game.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.sides import SIDES, Side


class WinKind(IntEnum):
    """How a game was won; the number multiplies the cube (rule R32)."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


class Crawford(StrEnum):
    """Whether the next game is the Crawford game, in which neither side may double (rule F2)."""

    BEFORE = "before"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Score:
    """The points of White and Black before a game; the first score is made by `first_score`."""

    white: int
    black: int
    length: int | None
    crawford: Crawford = Crawford.BEFORE

    def of(self, side: Side) -> int:
        return self.white if side is Side.WHITE else self.black

    def needs(self, side: Side) -> int | None:
        """Return how many points this side still needs, at least 0; None in a money session."""
        return None if self.length is None else max(self.length - self.of(side), 0)

    @property
    def points(self) -> tuple[int, int]:
        return self.white, self.black

    @property
    def capped(self) -> tuple[int, int]:
        """Return the points of White and Black without those above the match length (rule F1)."""
        return (
            (self.white, self.black)
            if self.length is None
            else (min(self.white, self.length), min(self.black, self.length))
        )

    @property
    def winner(self) -> Side | None:
        """Return the side that has reached the match length (rule F1), or None.

        Never one for money (rule R34).
        """
        return next((side for side in SIDES if self.needs(side) == 0), None)

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    @property
    def is_crawford(self) -> bool:
        """Return whether neither side may double in the game that begins with this score (rule F2)."""
        return self.crawford is Crawford.NOW

    @property
    def is_post_crawford(self) -> bool:
        return self.crawford is Crawford.AFTER


def first_score(form: MatchFormat, white: int = 0, black: int = 0) -> Score:
    """Return the score before the first game. Raises `RuleError` if it is impossible.

    Starting points count for the Crawford rule like all others (rules F2 and F10).
    """
    if min(white, black) < 0:
        raise RuleError("score.negative", "F10", white=white, black=black)
    score = Score(white, black, form.length)
    if all(score.needs(side) == 0 for side in SIDES):
        raise RuleError("score.two_winners", "F1", white=white, black=black, length=form.length)
    return replace(score, crawford=_crawford_state(form, score))


def score_after(form: MatchFormat, score: Score, side: Side, points: int) -> Score:
    """Return the score after `side` has won a game for so many points (rule F1).

    >>> form = MatchFormat(length=5)
    >>> score = score_after(form, first_score(form), Side.WHITE, 4)
    >>> score.points, score.is_crawford
    ((4, 0), True)
    >>> score_after(form, score, Side.BLACK, 1).crawford  # the game after may be doubled again
    <Crawford.AFTER: 'after'>
    """
    if points < 1:
        raise RuleError("score.points", "F1", points=points)
    if score.is_over:
        raise RuleError("score.match_is_over", "F1", winner=score.winner)
    white, black = score.points
    points_after = (white + points, black) if side is Side.WHITE else (white, black + points)
    crawford_before = Crawford.AFTER if score.crawford is Crawford.NOW else score.crawford
    next_score = Score(*points_after, score.length, crawford_before)
    return replace(next_score, crawford=_crawford_state(form, next_score))


def _crawford_state(form: MatchFormat, score: Score) -> Crawford:
    """Return whether the game after this score is the Crawford game, or before or after it.

    Rule F2 applies to the first game in which a side needs exactly one point.
    """
    if not form.crawford or score.length is None or score.crawford is Crawford.AFTER or score.is_over:
        return score.crawford
    is_one_away = any(score.needs(side) == 1 for side in SIDES)
    return Crawford.NOW if is_one_away else Crawford.BEFORE


def counted_kind(form: MatchFormat, kind: WinKind, *, doubled: bool) -> WinKind:
    """Return what a win counts as in this format.

    Gammons may not count (rule R33), or only after a double (Jacoby, rule R40).
    """
    if form.jacoby and not doubled:
        return WinKind.SINGLE
    if not form.gammons:
        return WinKind.SINGLE
    if kind is WinKind.BACKGAMMON and not form.backgammons:
        return WinKind.GAMMON
    return kind


def game_points(form: MatchFormat, kind: WinKind, cube: int, *, doubled: bool) -> int:
    """Return the points of a game: the kind of the win times the cube (rules R32 and R39).

    `doubled`: whether a double was accepted in this game. Automatic doubles do not count (rule F5).

    >>> game_points(MatchFormat(length=7), WinKind.GAMMON, 2, doubled=True)
    4
    >>> game_points(MatchFormat(jacoby=True), WinKind.GAMMON, 1, doubled=False)  # R40
    1
    """
    return counted_kind(form, kind, doubled=doubled).value * cube
