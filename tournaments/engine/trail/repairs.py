"""Audit actions of repairs, each with the data for its undo, and of the undo."""

from dataclasses import dataclass, field
from typing import ClassVar, Final

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.trail.action import (
    BLANK_FIELD,
    AuditAction,
    ChangeScope,
    LengthChange,
    MatchSnapshot,
    RepairAuditAction,
)
from tournaments.engine.types import MatchNo

NO_LENGTH_CHANGE: Final = LengthChange(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCorrected(RepairAuditAction):
    """``repair``: what was done to later matches, if another side won; ``voided``: matches whose results were
    cancelled.
    """

    kind: ClassVar[str] = "match.correct"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: MatchSnapshot
    after: MatchSnapshot
    note: str = ""
    length: LengthChange = NO_LENGTH_CHANGE
    repair: Repair | None = field(default=None, metadata={BLANK_FIELD: True})
    voided: tuple[MatchNo, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLengthSet(RepairAuditAction):
    kind: ClassVar[str] = "match.length"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLengthSet(RepairAuditAction):
    """``round``: its number; ``code``: its name; ``matches``: those that take the round's length."""

    kind: ClassVar[str] = "round.length"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int
    code: str
    before: int
    after: int
    matches: tuple[MatchNo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntryPlaced(RepairAuditAction):
    """On a bye of this match, against the entry of this name.

    ``by_lot``: placed at random; missing in early rows.
    """

    kind: ClassVar[str] = "entry.late"
    name: str
    match: MatchNo
    opponent: str
    by_lot: bool = False

    def has_new_commitments(self) -> bool:
        return self.by_lot


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLinesClosed(RepairAuditAction):
    """Reserved lines of the draw became byes; ``lines``: their number."""

    kind: ClassVar[str] = "draw.lines_closed"
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawnAfterDraw(RepairAuditAction):
    """``leaving``: what happens to its results in a round robin; None if there was no choice."""

    kind: ClassVar[str] = "entry.withdraw_after_draw"
    name: str
    leaving: WithdrawnResults | None = field(default=None, metadata={BLANK_FIELD: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChanged(RepairAuditAction):
    """By names.

    ``exchange``: two players were mixed up; ``results``: number of results credited to the right player.
    """

    kind: ClassVar[str] = "entry.change_player"
    wrong: str
    right: str
    from_now: bool = False
    exchange: bool = False
    results: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairUndone(AuditAction):
    """``of``: id of the repair's row; ``what``: its kind."""

    kind: ClassVar[str] = "repair.undo"
    of: int
    what: str
