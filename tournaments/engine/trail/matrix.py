"""Audit actions of the players table: several changes saved together, and their undo."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.types import EntryId


class PreviousPayment(NamedTuple):
    """Whether a player of an entry had paid before a change; ``player``: the player's id."""

    entry: EntryId
    player: int
    paid: bool


class PreviousApproval(NamedTuple):
    """An entry that was approved; ``new``: ids of its players who had been created with it."""

    entry: EntryId
    new: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersTableSaved(AuditAction):
    """Several changes in the players table were saved together; ``cells``: how many.

    Each change has its own earlier row, this one holds the data for an undo. ``entered``, ``left``, ``back``:
    entries that were added, withdrawn, reinstated. ``marks``: ids of the rows of check-ins; ``late``: of late
    entries, in the order of placement. ``paid``: values before. ``approved``, ``moved``: entries that were
    approved, and moved up from a waiting list, in this order. ``key``: key of the previous notes and custom
    fields, which are stored with the entries and deleted with them.
    """

    kind: ClassVar[str] = "matrix.save"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    cells: int
    entered: tuple[EntryId, ...] = ()
    left: tuple[EntryId, ...] = ()
    back: tuple[EntryId, ...] = ()
    marks: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    paid: tuple[PreviousPayment, ...] = ()
    approved: tuple[PreviousApproval, ...] = ()
    moved: tuple[EntryId, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersTableUndone(AuditAction):
    """Changes in the players table that were saved together were undone.

    ``of``: id of the undone row, with ``cells`` changes. ``stayed``: entries that keep a place or approval
    because they had been notified of it.
    """

    kind: ClassVar[str] = "matrix.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    of: int
    cells: int
    stayed: tuple[NamedEntry, ...] = ()
