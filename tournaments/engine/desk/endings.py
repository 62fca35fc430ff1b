"""Command words for matches that were not played to the end (rule F12): whose name they take, default scores.

``w/o ann``: Ann advances. ``retired bob``: Bob retired. A word for what a player did comes before the name;
behind the name ("12 ann 5-3 ret") it is ambiguous who is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.desk.vocabulary import CommandWord
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreRule
from tournaments.engine.types import Claim, ResultKind, Score, Side


class NameRole(StrEnum):
    """Whether the name beside a command word is that of the winner, of the loser, or of either side."""

    WINNER = "winner"
    LOSER = "loser"
    EITHER = "either"  # no winner: it only names the match, and whose points come first


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which a match ends, as named by a command word.

    ``kind``: the kind of result; ``name``: whose name is beside the word.
    """

    kind: ResultKind
    name: NameRole

    @property
    def is_score_required(self) -> bool:
        """Whether the director has to give the score, as it does not follow from the ending."""
        return RESULT_RULES[self.kind].score_rule in (ScoreRule.BROKEN_OFF, ScoreRule.STANDING)


ENDINGS_BY_WORD: Final[Mapping[CommandWord, Ending]] = {
    CommandWord.WALKOVER: Ending(ResultKind.WALKOVER, NameRole.WINNER),
    CommandWord.RETIRED: Ending(ResultKind.RETIRED, NameRole.LOSER),
    CommandWord.ON_TIME: Ending(ResultKind.LOST_ON_TIME, NameRole.LOSER),
    CommandWord.FORFEIT: Ending(ResultKind.FORFEIT, NameRole.LOSER),
    CommandWord.DISQUALIFIED: Ending(ResultKind.DISQUALIFIED, NameRole.LOSER),
    CommandWord.SETTLED: Ending(ResultKind.SETTLED, NameRole.WINNER),
    CommandWord.NOBODY: Ending(ResultKind.DOUBLE_WALKOVER, NameRole.EITHER),
    CommandWord.UNFINISHED: Ending(ResultKind.UNFINISHED, NameRole.EITHER),
}
WORDS_BY_RESULT: Final[Mapping[ResultKind, CommandWord]] = {
    ending.kind: word for word, ending in ENDINGS_BY_WORD.items()
}


def default_score(winner: Side | None, *, length: int, least: Score) -> Score:
    """Return the score of a match that ended early if none is given (rule F10).

    The winner has the match length, a side that did not win its starting score (`least`).
    """
    points = {side: length if side is winner else least.of(side) for side in Side}
    return Score(points[Side.A], points[Side.B])


def ending_claim(ending: Ending, score: Score, winner: Side | None) -> Claim:
    """Return the result of a match that ended in this way at this score."""
    return Claim(score.a, score.b, ending.kind, winner)


def has_fixed_score(ending: Ending) -> bool:
    """Return whether the default score is the only valid one, because the match was not played."""
    return RESULT_RULES[ending.kind].score_rule in (ScoreRule.NOT_PLAYED, ScoreRule.START)
