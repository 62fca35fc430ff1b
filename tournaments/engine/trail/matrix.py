"""Deeds on the page of all people and divisions: several changes in one save, and the save taken back."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.types import EntryId


class PreviousPayment(NamedTuple):
    """What stood of a player of an entry, by ids, before they were marked."""

    entry: EntryId
    player: int
    paid: bool


class PreviousApproval(NamedTuple):
    """An entry that was approved, and those of its players, by ids, who had been made with it."""

    entry: EntryId
    new: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersTableSaved(AuditAction):
    """So many ``cells`` were changed at once. Each change has a row of its own before this one; what stands here is what taking it back needs.

    ``entered``, ``left``, ``back``: entries that came, withdrew, came back. ``marks``: rows that marked who is here; ``late``: rows of
    late entries, in the order in which they were placed. ``paid``: what stood before. ``approved``, ``moved``: who was approved, and who came
    from a waiting list to a place, in this order. ``key``: by which what stood in notes and columns of the event's own is kept beside the
    entries, not here, for it is forgotten with them.
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
    """``of``: the row of the save that was taken back, with so many ``cells``. ``stayed``: who kept a place or stays approved, for they knew of
    it.
    """

    kind: ClassVar[str] = "matrix.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    of: int
    cells: int
    stayed: tuple[NamedEntry, ...] = ()
