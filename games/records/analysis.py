"""What a file knows beside the record: errors, luck, best plays, clocks and comments, as frozen values.

Here: the values, and which decisions count. Where they come from, the readers know (`xg_analysis`, `sgf_analysis` and others); an
analysis made by ourselves has the same shape. Nothing here takes part in a verdict: an analysis is what somebody thinks of the
plays, the record is what was played.

Equities are those of a game at the cube as it stood before the decision: a single game won is 1, lost is -1, whether for money or
in a match (there the chance to win the match is brought to this scale). All are seen by the side that has to decide, but for
those of the cube, which are the doubler's.

A decision is found by `game` and `turn`, both counted from 1 as findings count them: the action of the record that it led to. A
double that was not made has none of its own, so it stands at the roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.records.model import Step
from games.rules.sides import Side

MAX_PLAYS = 32  # of one decision: what the longest list of any program holds
MAX_COMMENT = 4_000

_MIN_PLAY_GAP = 0.0001  # plays that differ by less are the same to eXtreme Gammon
_MIN_CUBE_GAP = 0.001
_OBVIOUS_GAP = 0.200
_LOST_EQUITY = -0.900


class DecisionKind(StrEnum):
    CHECKER = "checker"
    DOUBLE = "double"  # to double or not
    TAKE = "take"  # to take, pass or beaver


class Chances(NamedTuple):
    """How the game ends, as shares of 1; a gammon is also a win, a backgammon also a gammon."""

    win: float
    gammon: float
    backgammon: float
    gammon_lost: float
    backgammon_lost: float


class CubeEquities(NamedTuple):
    """What the doubler has without a double, with a double that is taken, and with one that is passed."""

    no_double: float
    double_take: float
    double_pass: float = 1.0


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play that could have been made; `steps` are those of the mover, none where nothing moves."""

    steps: tuple[Step, ...]
    equity: float
    chances: Chances | None = None
    level: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision and what it cost.

    `lost` is the equity given away, 0 or more, None where only luck is known. `plays` come as the program ranks them, best
    first, and `played` is the place in them of what was played. `luck` is how much better the roll was than the average one.
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
    """What somebody wrote; turn 0 is the game as a whole, game 0 the match."""

    game: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that a file notes for a side beside a turn: what its clock showed, where the format says that it does."""

    game: int
    turn: int
    side: Side
    seconds: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that a file knows beside the record. `engine` is who judged, with its version where the file gives it."""

    engine: str = ""
    decisions: tuple[Decision, ...] = ()
    comments: tuple[Comment, ...] = ()
    clocks: tuple[Clock, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.comments or self.clocks)


NO_ANALYSIS = Analysis()  # a file that holds the record alone


def comments_by_turn(analysis: Analysis) -> dict[tuple[int, int], str]:
    """Comments by game and turn: how writers look them up."""
    return {(comment.game, comment.turn): comment.text for comment in analysis.comments}


def merge_comments(comments: list[Comment]) -> tuple[Comment, ...]:
    """Comments with the lines of one turn in one, none longer than we keep."""
    lines: dict[tuple[int, int], list[str]] = {}
    for comment in comments:
        lines.setdefault((comment.game, comment.turn), []).append(comment.text)
    texts = {place: "\n".join(parts).strip()[:MAX_COMMENT] for place, parts in lines.items()}
    return tuple(Comment(*place, text) for place, text in texts.items() if text)


def is_counted_play(equities: list[float]) -> bool:
    """Whether a checker play is one to be measured by: there was a choice, and it made a difference.

    As eXtreme Gammon counts; the thresholds are those that the GammonView project found in the ratings XG shows.

    >>> is_counted_play([0.31, 0.25]), is_counted_play([0.31]), is_counted_play([-1.0, -1.0])
    (True, False, False)
    """
    return len(equities) > 1 and max(equities) - min(equities) >= _MIN_PLAY_GAP


def is_counted_double(cube: CubeEquities, lost: float) -> bool:
    """Whether doubling or not is one to be measured by: it was not obvious, or it went wrong.

    >>> is_counted_double(CubeEquities(0.5, 0.45), 0.0), is_counted_double(CubeEquities(0.1, -0.4), 0.0)
    (True, False)
    """
    none, taken, passed = cube
    obvious = (
        abs(none - min(taken, passed)) < _MIN_CUBE_GAP
        or none - taken > _OBVIOUS_GAP
        or none - passed > _OBVIOUS_GAP
        or (none < _LOST_EQUITY and taken < _LOST_EQUITY)
    )
    return not obvious or lost >= _MIN_CUBE_GAP


def is_counted_take(cube: CubeEquities) -> bool:
    """Whether taking or passing is one to be measured by: the two were not the same."""
    return abs(cube.double_take - cube.double_pass) >= _MIN_CUBE_GAP
