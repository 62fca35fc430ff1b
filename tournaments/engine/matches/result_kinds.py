"""The kinds of results as one table (F12): who may claim them, what score may stand, what they count for.

Everything that asks "is a walk-over …?" reads this table; no branch on a kind stands anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.types import ResultKind


class ScoreShape(StrEnum):
    """Which scores may stand beside a kind, N being the length."""

    TO_LENGTH = "to_length"  # one side at N, the other below: the score tells the winner
    BROKEN_OFF = "broken_off"  # the loser below N, the winner at N or where the play stopped
    NOT_PLAYED = "not_played"  # the loser where it started, the winner there, at N or in between (F10 F15)
    JUDGED = "judged"  # any score, the director names the winner; both at N never
    STANDING = "standing"  # both below N, nobody has won
    START = "start"  # both where they started, nobody has won


class Winner(StrEnum):
    ONE = "one"
    NONE = "none"


class Claimant(StrEnum):
    PLAYERS = "players"  # and the director
    DIRECTOR = "director"
    NOBODY = "nobody"  # the draw itself makes it


@dataclass(frozen=True, slots=True)
class ResultRule:
    """One row of the table. `rated` is the default of F12; event and stage settings can only take away from it."""

    shape: ScoreShape
    winner: Winner
    claimant: Claimant
    ends_match: bool
    played: bool  # the two met at the board: counts as an opponent met, and as a loss that opens a consolation (F17)
    rated: bool


_BOARD: Final = {"ends_match": True, "played": True, "rated": True}
_NO_BOARD: Final = {"ends_match": True, "played": False, "rated": False}

# F12
RESULT_RULES: Final[Mapping[ResultKind, ResultRule]] = {
    ResultKind.PLAYED: ResultRule(ScoreShape.TO_LENGTH, Winner.ONE, Claimant.PLAYERS, **_BOARD),
    ResultKind.LOST_ON_TIME: ResultRule(ScoreShape.BROKEN_OFF, Winner.ONE, Claimant.PLAYERS, **_BOARD),
    ResultKind.RETIRED: ResultRule(ScoreShape.BROKEN_OFF, Winner.ONE, Claimant.PLAYERS, **_BOARD),
    ResultKind.WALKOVER: ResultRule(ScoreShape.NOT_PLAYED, Winner.ONE, Claimant.DIRECTOR, **_NO_BOARD),
    ResultKind.FORFEIT: ResultRule(ScoreShape.NOT_PLAYED, Winner.ONE, Claimant.DIRECTOR, **_NO_BOARD),
    ResultKind.DOUBLE_WALKOVER: ResultRule(ScoreShape.START, Winner.NONE, Claimant.DIRECTOR, **_NO_BOARD),
    ResultKind.BYE: ResultRule(ScoreShape.START, Winner.ONE, Claimant.NOBODY, **_NO_BOARD),
    ResultKind.DISQUALIFIED: ResultRule(ScoreShape.JUDGED, Winner.ONE, Claimant.DIRECTOR, **_NO_BOARD),
    ResultKind.SETTLED: ResultRule(
        ScoreShape.BROKEN_OFF, Winner.ONE, Claimant.DIRECTOR, ends_match=True, played=True, rated=False
    ),
    ResultKind.UNFINISHED: ResultRule(
        ScoreShape.STANDING, Winner.NONE, Claimant.DIRECTOR, ends_match=True, played=True, rated=False
    ),
    ResultKind.ADJOURNED: ResultRule(
        ScoreShape.STANDING, Winner.NONE, Claimant.DIRECTOR, ends_match=False, played=True, rated=False
    ),
}
