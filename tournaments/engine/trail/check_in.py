"""Audit actions about check-ins."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.types import EntryId


class CheckedInEntry(NamedTuple):
    """An entry that was checked in.

    ``at``: when (ISO 8601); ``way``: how (`engine.check_in.CheckInMethod`); ``by``: id of the account that
    did it, 0 if none.
    """

    entry: EntryId
    name: str
    at: str
    way: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSet(AuditAction):
    """The opening and closing times of a check-in were set.

    ``before``, ``after``: the times (ISO 8601; empty: not set).
    """

    kind: ClassVar[str] = "check_in.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRemoved(AuditAction):
    """The check-in of a day was removed; ``here``: how many entries had been checked in."""

    kind: ClassVar[str] = "check_in.remove"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    here: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCheckedIn(AuditAction):
    """Entries were checked in.

    ``at``: when (ISO 8601); ``way``: how (`engine.check_in.CheckInMethod`); ``phone``: which of the devices
    that use the personal link, 0 if no link was used.
    """

    kind: ClassVar[str] = "check_in.here"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    day: date
    entries: tuple[NamedEntry, ...]
    at: str
    way: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCheckedOut(AuditAction):
    """Entries were marked as not checked in, as they had been checked in by mistake or have left."""

    kind: ClassVar[str] = "check_in.not_here"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    day: date
    entries: tuple[CheckedInEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInUndone(AuditAction):
    """An action about a check-in was undone.

    ``of``: id of the undone row; ``what``: its kind; ``entries``: number of entries.
    """

    kind: ClassVar[str] = "check_in.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    of: int
    what: str
    entries: int
