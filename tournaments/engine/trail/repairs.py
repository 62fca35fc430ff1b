"""Repairs, each with what its undo has to know, and the undo itself."""

from dataclasses import dataclass, field
from typing import ClassVar, Final

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.standings.leaving import Leaving
from tournaments.engine.trail.action import BLANK, Lengths, Reach, Repaired, Stood, TrailAction
from tournaments.engine.types import MatchNo

NO_LENGTHS: Final = Lengths(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCorrected(Repaired):
    """``repair``: what became of later matches, where another side won; ``voided``: matches whose results fell away."""

    kind: ClassVar[str] = "match.correct"
    reach: ClassVar[Reach] = Reach.DIVISION
    before: Stood
    after: Stood
    note: str = ""
    length: Lengths = NO_LENGTHS
    repair: Repair | None = field(default=None, metadata={BLANK: True})
    voided: tuple[MatchNo, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLengthSet(Repaired):
    kind: ClassVar[str] = "match.length"
    reach: ClassVar[Reach] = Reach.DIVISION
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLengthSet(Repaired):
    """``round``: its number, ``code``: what it is called; ``matches``: those that follow it."""

    kind: ClassVar[str] = "round.length"
    reach: ClassVar[Reach] = Reach.DIVISION
    round: int
    code: str
    before: int
    after: int
    matches: tuple[MatchNo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntryPlaced(Repaired):
    """On a bye of this match, against the entry of this name. ``by_lot``: nobody chose it; early rows do not say it."""

    kind: ClassVar[str] = "entry.late"
    name: str
    match: MatchNo
    opponent: str
    by_lot: bool = False

    def makes_commitments(self) -> bool:
        return self.by_lot


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesClosed(Repaired):
    """So many lines of the draw that were held open are byes."""

    kind: ClassVar[str] = "draw.lines_closed"
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnAfterDraw(Repaired):
    """``leaving``: what became of its results in a round robin; None where there was no choice."""

    kind: ClassVar[str] = "entry.withdraw_after_draw"
    name: str
    leaving: Leaving | None = field(default=None, metadata={BLANK: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChanged(Repaired):
    """By names. ``exchange``: two who were mixed up; ``results``: how many count for the right player now."""

    kind: ClassVar[str] = "entry.change_player"
    wrong: str
    right: str
    from_now: bool = False
    exchange: bool = False
    results: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairUndone(TrailAction):
    """``of``: the id of the repair's row; ``what``: its kind."""

    kind: ClassVar[str] = "repair.undo"
    of: int
    what: str
