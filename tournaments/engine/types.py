"""Basic values of the engine: sides, entries, matches, scores, reported results, outcomes.

Small values with no behaviour of their own; the rules for them are in the modules that use them (`reporting`,
`brackets`, `standings`).

An *entry* is a participant: one player, or two or three as a team. A *match* has two *sides*.
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
    """How a match ended (rule F12); the rules of each kind are in `result_kinds.RESULT_RULES`."""

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
    """A reported result: how a match ended, according to one reporter.

    `winner` is needed only if it does not follow from the score.
    """

    score_a: int
    score_b: int
    kind: ResultKind = ResultKind.PLAYED
    winner: Side | None = None

    @property
    def score(self) -> Score:
        return Score(self.score_a, self.score_b)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the bracket needs of a confirmed result; `winner` None: no side advances."""

    winner: Side | None
    kind: ResultKind = ResultKind.PLAYED
