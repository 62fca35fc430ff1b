"""Values for what a file has beside the plays: errors, luck, best plays, clocks and comments.

This module defines the values, and which decisions count. Readers create them (``xg_analysis``,
``sgf_analysis`` and others), and so do engines of the site. They do not affect a verdict: an analysis judges
the plays, the record is what was played.

Equities are those of a game at the cube as it stood before the decision: a single game won is 1, lost is -1,
whether for money or in a match (there the chance to win the match is brought to this scale). All are from the
view of the side that has to decide, except those of the cube, which are the doubler's.

A decision is identified by `game` and `turn`, both counted from 1 as in findings: the action of the record
that it led to. A double that was not made has no action, so the decision has the turn of the roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.records.model import Step
from games.rules.sides import Side

MAX_PLAYS = 32  # of one decision: the longest list of any program
MAX_COMMENT = 4_000

_MIN_PLAY_GAP = 0.0001  # smaller differences are none to eXtreme Gammon
_MIN_CUBE_GAP = 0.001
_OBVIOUS_GAP = 0.200
_LOST_EQUITY = -0.900


class DecisionKind(StrEnum):
    CHECKER = "checker"
    DOUBLE = "double"  # to double or not
    TAKE = "take"  # to take, pass or beaver


class Chances(NamedTuple):
    """Chances of the results of a game, from 0 to 1; a gammon is also a win, a backgammon also a gammon."""

    win: float
    gammon: float
    backgammon: float
    gammon_lost: float
    backgammon_lost: float


class CubeEquities(NamedTuple):
    """The doubler's equities without a double, with a double taken, and with a double passed."""

    no_double: float
    double_take: float
    double_pass: float = 1.0


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A possible play with its equity; `steps` is empty if no checker moves.

    `level`: how deeply the program looked, as the program writes it.
    """

    steps: tuple[Step, ...]
    equity: float
    chances: Chances | None = None
    level: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a player, and what it cost.

    `lost` is the equity given away, 0 or more, None where only luck is known. `counts`: whether the decision
    counts in the performance rating. `plays` are in the program's order, best first, and `played` is the
    index of the actual play. `luck` is how much better the roll was than the average roll.
    """

    game: int
    turn: int
    kind: DecisionKind
    side: Side
    lost: float | None
    counts: bool
    level: str = ""
    plays: tuple[RankedPlay, ...] = ()
    played: int | None = None
    cube: CubeEquities | None = None
    chances: Chances | None = None
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in a file; with turn 0 about the game, with game 0 about the match."""

    game: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds that the clock of a side showed at a turn, if the format has them."""

    game: int
    turn: int
    side: Side
    seconds: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that a file has beside the plays.

    `engine`: the judging program, with its version if known.
    """

    engine: str = ""
    decisions: tuple[Decision, ...] = ()
    comments: tuple[Comment, ...] = ()
    clocks: tuple[Clock, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.comments or self.clocks)


NO_ANALYSIS = Analysis()  # a file with the record only


def comments_by_turn(analysis: Analysis) -> dict[tuple[int, int], str]:
    """Return the texts of comments, keyed by (game, turn)."""
    return {(comment.game, comment.turn): comment.text for comment in analysis.comments}


def merge_comments(comments: list[Comment]) -> tuple[Comment, ...]:
    """Return one comment for each turn, with all its texts as lines, cut at the maximum length."""
    lines: dict[tuple[int, int], list[str]] = {}
    for comment in comments:
        lines.setdefault((comment.game, comment.turn), []).append(comment.text)
    texts = {place: "\n".join(parts).strip()[:MAX_COMMENT] for place, parts in lines.items()}
    return tuple(Comment(*place, text) for place, text in texts.items() if text)


def is_counted_play(equities: list[float]) -> bool:
    """Return whether a checker play counts in ratings: there was a choice, and it made a difference.

    ``equities``: those of all possible plays. Counted as by eXtreme Gammon; the thresholds are those that the
    GammonView project found in the ratings XG shows.

    >>> is_counted_play([0.31, 0.25]), is_counted_play([0.31]), is_counted_play([-1.0, -1.0])
    (True, False, False)
    """
    return len(equities) > 1 and max(equities) - min(equities) >= _MIN_PLAY_GAP


def is_counted_double(cube: CubeEquities, lost: float) -> bool:
    """Return whether a double or no double counts in ratings: it was not obvious, or it was wrong.

    ``lost``: the equity lost by it.

    >>> is_counted_double(CubeEquities(0.5, 0.45), 0.0), is_counted_double(CubeEquities(0.1, -0.4), 0.0)
    (True, False)
    """
    no_double, double_take, double_pass = cube
    is_obvious = (
        abs(no_double - min(double_take, double_pass)) < _MIN_CUBE_GAP
        or no_double - double_take > _OBVIOUS_GAP
        or no_double - double_pass > _OBVIOUS_GAP
        or (no_double < _LOST_EQUITY and double_take < _LOST_EQUITY)
    )
    return not is_obvious or lost >= _MIN_CUBE_GAP


def is_counted_take(cube: CubeEquities) -> bool:
    """Return whether a take or pass counts in ratings: taking and passing differ."""
    return abs(cube.double_take - cube.double_pass) >= _MIN_CUBE_GAP
