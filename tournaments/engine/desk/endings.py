"""The words of a line for a match that was not simply played out (F12): whom the name beside each means, and which score stands then.

``w/o ann``: she goes on. ``retired bob``: it is he who retired. What describes what somebody did is said before the name; behind it
(“12 ann 5-3 ret”) it is asked of whom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.desk.vocabulary import Word
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreShape
from tournaments.engine.types import Claim, ResultKind, Score, Side


class Means(StrEnum):
    """Who the name beside a word is."""

    WINNER = "winner"
    LOSER = "loser"
    EITHER = "either"  # nobody has won: it only says which match, and whose points stand first


@dataclass(frozen=True, slots=True)
class Ending:
    """One word: the kind of result, and who its name is."""

    kind: ResultKind
    name: Means

    @property
    def needs_score(self) -> bool:
        """Whether only the director knows how it stood."""
        return RESULT_RULES[self.kind].shape in (ScoreShape.BROKEN_OFF, ScoreShape.STANDING)


ENDINGS: Final[Mapping[Word, Ending]] = {
    Word.WALKOVER: Ending(ResultKind.WALKOVER, Means.WINNER),
    Word.RETIRED: Ending(ResultKind.RETIRED, Means.LOSER),
    Word.ON_TIME: Ending(ResultKind.LOST_ON_TIME, Means.LOSER),
    Word.FORFEIT: Ending(ResultKind.FORFEIT, Means.LOSER),
    Word.DISQUALIFIED: Ending(ResultKind.DISQUALIFIED, Means.LOSER),
    Word.SETTLED: Ending(ResultKind.SETTLED, Means.WINNER),
    Word.NOBODY: Ending(ResultKind.DOUBLE_WALKOVER, Means.EITHER),
    Word.UNFINISHED: Ending(ResultKind.UNFINISHED, Means.EITHER),
}
WORD_OF: Final[Mapping[ResultKind, Word]] = {ending.kind: word for word, ending in ENDINGS.items()}


def usual_score(winner: Side | None, *, length: int, least: Score) -> Score:
    """How a match stands that ended so without a word about it: won to the length where there is a winner (F10), else as it began."""
    points = {side: length if side is winner else least.of(side) for side in Side}
    return Score(points[Side.A], points[Side.B])


def stands_at(ending: Ending, score: Score, winner: Side | None) -> Claim:
    """The claim that the match ended so, at this score."""
    return Claim(score.a, score.b, ending.kind, winner)


def is_fixed(ending: Ending) -> bool:
    """Whether no other score can stand than the usual one: nobody played."""
    return RESULT_RULES[ending.kind].shape in (ScoreShape.NOT_PLAYED, ScoreShape.START)
