"""The base of all kinds of actions, and the small values that they are made of.

An action's fields are the keys of the JSON that the trail keeps of it; what it was done to, by whom and when stand beside it in the
row. A field with a default is one that earlier releases did not keep, or that says nothing most of the time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Final, NamedTuple, NewType

from tournaments.engine.changes.trail import RepairUndo
from tournaments.engine.types import EntryId, MatchNo, TableNo

Json = dict[str, Any]
RoundNo = NewType("RoundNo", int)  # the number of a round inside its stage, 1…n
# Marks of fields, in their metadata. FLAT: its value has no key of its own, its parts stand among those of the action.
# BLANK: None is kept as an empty text.
FLAT_FIELD: Final = "flat"
BLANK_FIELD: Final = "blank"


class ChangeScope(IntEnum):
    """How far what was done is to be seen: by the desk and its players alone, in its division, in all divisions of the event, or in lists of
    events, too.
    """

    STAFF = 0
    DIVISION = 1
    EVENT = 2
    LISTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditAction:
    """Something that was done. ``kind``: its code, ``noun.verb``; ``v``: the version of what is kept of it; ``reach``: which pages
    show it. Who says less than the default has looked at all of them (`store.shown`).

    A new field with a default needs nothing else. Whoever gives a field another name, place or meaning raises ``v`` and adds to
    ``lifts`` the step that makes version n + 1 out of n; the steps before it stay. Version 0 is what was kept before there
    were versions: the same keys as version 1.
    """

    kind: ClassVar[str]
    reach: ClassVar[ChangeScope] = ChangeScope.LISTS
    v: ClassVar[int] = 1
    lifts: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def has_new_commitments(self) -> bool:
        """Whether there are commitments of draws after it that no row of the audit log states yet."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairAuditAction(AuditAction):
    """A repair, with what its undo has to know."""

    undo: RepairUndo = field(default_factory=lambda: RepairUndo({}))


@dataclass(frozen=True, slots=True)
class UnknownAction:
    """A row that this release cannot read: of a kind it does not know, or kept in a way it does not understand."""

    kind: str


class Pair(NamedTuple):
    """Two entries that meet; the second of a bye is None."""

    first: EntryId
    second: EntryId | None


class NamedEntry(NamedTuple):
    """An entry by its id, and the name it had."""

    entry: EntryId
    name: str


class CalledMatch(NamedTuple):
    """A match by its database id that was called, with its number and its table."""

    pk: int
    match: MatchNo
    table: TableNo


class LengthChange(NamedTuple):
    """The length of a match before and after."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match as it stood: its public id, version, status and result."""

    match: str
    version: int
    status: str
    score_a: int | None
    score_b: int | None
    winner_side: str
