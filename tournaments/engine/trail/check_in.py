"""Deeds about check-ins: when they are open, and who is here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.types import EntryId


class CheckedInEntry(NamedTuple):
    """An entry that was here, with its name, since when (ISO 8601), how it was marked, and the id of the account that did it (0: none)."""

    entry: EntryId
    name: str
    at: str
    way: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSet(AuditAction):
    """When the check-in of a division on a day opens and closes (ISO 8601; empty: nobody said), before and after."""

    kind: ClassVar[str] = "check_in.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRemoved(AuditAction):
    """There is none on this day after all; so many who were here on it are forgotten."""

    kind: ClassVar[str] = "check_in.remove"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    day: date
    here: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCheckedIn(AuditAction):
    """``at`` (ISO 8601): the moment since which they are here. ``way``: `engine.check_in.CheckInMethod`. ``phone``: the number of their own."""

    kind: ClassVar[str] = "check_in.here"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    day: date
    entries: tuple[NamedEntry, ...]
    at: str
    way: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCheckedOut(AuditAction):
    """They were marked by mistake, or have gone."""

    kind: ClassVar[str] = "check_in.not_here"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    day: date
    entries: tuple[CheckedInEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInUndone(AuditAction):
    """``of``: the row that was taken back; ``what``: its kind; ``entries``: so many."""

    kind: ClassVar[str] = "check_in.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    of: int
    what: str
    entries: int
