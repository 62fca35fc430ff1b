"""The words that the whole engine speaks: sides, entries, matches, scores, claims, outcomes.

Only small values without behaviour of their own; what may be done with them stands beside the matter
(`reporting`, `brackets`, `standings`).

An *entry* is whoever takes part: one player, or two or three of them as a team. A *match* has two *sides*.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

EntryId = NewType("EntryId", int)
MatchNo = NewType("MatchNo", int)  # the number of a match inside its stage, 1…n
TableNo = NewType("TableNo", int)


class Side(StrEnum):
    """The two sides of a match; they do not imply a colour or who begins."""

    A = "a"
    B = "b"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class ResultKind(StrEnum):
    """How a match ended (F12). The table in `results` explains each kind."""

    PLAYED = "played"
    LOST_ON_TIME = "lost_on_time"
    RETIRED = "retired"
    WALKOVER = "walkover"
    FORFEIT = "forfeit"
    DOUBLE_WALKOVER = "double_walkover"
    BYE = "bye"
    DISQUALIFIED = "disqualified"
    SETTLED = "settled"
    UNFINISHED = "unfinished"
    ADJOURNED = "adjourned"


@dataclass(frozen=True, slots=True)
class Score:
    """Points of the two sides, whole numbers."""

    a: int
    b: int

    def of(self, side: Side) -> int:
        return self.a if side is Side.A else self.b


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody says about a match. `winner` is needed only where the score does not tell it."""

    score_a: int
    score_b: int
    kind: ResultKind = ResultKind.PLAYED
    winner: Side | None = None

    @property
    def score(self) -> Score:
        return Score(self.score_a, self.score_b)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the draw needs to know of a confirmed result. No winner: nobody goes on from here."""

    winner: Side | None
    kind: ResultKind = ResultKind.PLAYED
