"""The words of a line for a match that was not simply played out (F12): whom the name beside each means, and which score stands then.

``w/o ann``: she goes on. ``retired bob``: it is he who retired. What describes what somebody did is said before the name; behind it
(“12 ann 5-3 ret”) it is asked of whom.
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
    """Who the name beside a word is."""

    WINNER = "winner"
    LOSER = "loser"
    EITHER = "either"  # nobody has won: it only says which match, and whose points stand first


@dataclass(frozen=True, slots=True)
class Ending:
    """One word: the kind of result, and who its name is."""

    kind: ResultKind
    name: NameRole

    @property
    def is_score_required(self) -> bool:
        """Whether only the director knows how it stood."""
        return RESULT_RULES[self.kind].shape in (ScoreRule.BROKEN_OFF, ScoreRule.STANDING)


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
    """How a match stands that ended so without a word about it: won to the length where there is a winner (F10), else as it began."""
    points = {side: length if side is winner else least.of(side) for side in Side}
    return Score(points[Side.A], points[Side.B])


def ending_claim(ending: Ending, score: Score, winner: Side | None) -> Claim:
    """The claim that the match ended so, at this score."""
    return Claim(score.a, score.b, ending.kind, winner)


def has_fixed_score(ending: Ending) -> bool:
    """Whether no other score can stand than the usual one: nobody played."""
    return RESULT_RULES[ending.kind].shape in (ScoreRule.NOT_PLAYED, ScoreRule.START)
