"""Audit actions about check-ins."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.types import EntryId


class CheckedInEntry(NamedTuple):
    """A checked-in entry: name, time (ISO 8601), method, and id of the account that did it (0: none)."""

    entry: EntryId
    name: str
    at: str
    way: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSet(AuditAction):
    """Opening and closing time of a check-in (ISO 8601; empty: not set), before and after."""

    kind: ClassVar[str] = "check_in.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRemoved(AuditAction):
    """The check-in of a day was removed, with ``here`` checked-in entries."""

    kind: ClassVar[str] = "check_in.remove"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    here: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCheckedIn(AuditAction):
    """``at``: the time (ISO 8601).

    ``way``: `engine.check_in.CheckInMethod`. ``phone``: number of the players' own.
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
    """Entries were checked in by mistake, or have left."""

    kind: ClassVar[str] = "check_in.not_here"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    day: date
    entries: tuple[CheckedInEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInUndone(AuditAction):
    """``of``: id of the undone row; ``what``: its kind; ``entries``: number of entries."""

    kind: ClassVar[str] = "check_in.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    of: int
    what: str
    entries: int
