"""Audit actions of repairs, each with the data for its undo, and of the undo itself."""

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
    """The result of a match was corrected.

    ``before``, ``after``: the match before and after; ``length``: the change of its length, if any.
    ``repair``: what was done to later matches, if another side won; ``voided``: numbers of matches whose
    results were cancelled.
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
    """The match length of a round was changed.

    ``round``: its number; ``code``: its name; ``matches``: numbers of the matches that take the new length.
    """

    kind: ClassVar[str] = "round.length"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int
    code: str
    before: int
    after: int
    matches: tuple[MatchNo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntryPlaced(RepairAuditAction):
    """A late entry took the place of a bye.

    ``match``: its number; ``opponent``: name of the entry that has to play. ``by_lot``: placed at random;
    missing in early rows.
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
    """Reserved lines of the bracket became byes; ``lines``: how many."""

    kind: ClassVar[str] = "draw.lines_closed"
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawnAfterDraw(RepairAuditAction):
    """An entry was withdrawn after the draw.

    ``leaving``: what happens to its results in a round robin; None if there was no choice.
    """

    kind: ClassVar[str] = "entry.withdraw_after_draw"
    name: str
    leaving: WithdrawnResults | None = field(default=None, metadata={BLANK_FIELD: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChanged(RepairAuditAction):
    """Another player took over an entry; ``wrong``, ``right``: names of the players before and after.

    ``from_now``: former matches remain those of the former player; ``exchange``: two players were mixed up;
    ``results``: number of results credited to the right player.
    """

    kind: ClassVar[str] = "entry.change_player"
    wrong: str
    right: str
    from_now: bool = False
    exchange: bool = False
    results: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairUndone(AuditAction):
    """A repair was undone; ``of``: id of the repair's row; ``what``: its kind."""

    kind: ClassVar[str] = "repair.undo"
    of: int
    what: str
