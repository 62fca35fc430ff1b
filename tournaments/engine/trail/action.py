"""The base class of all audit actions, and values that actions consist of.

The fields of an action are the keys of its stored JSON; subject, actor and time are columns of the row. A
field with a default is one that earlier releases did not store, or that is usually empty.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Final, NamedTuple, NewType

from tournaments.engine.changes.trail import RepairUndo
from tournaments.engine.types import EntryId, MatchNo, TableNo

Json = dict[str, Any]
RoundNo = NewType("RoundNo", int)  # the number of a round inside its stage, 1…n
# Metadata of fields. FLAT: the value has no key of its own, its parts are keys of the action.
# BLANK: None is stored as an empty text.
FLAT_FIELD: Final = "flat"
BLANK_FIELD: Final = "blank"


class ChangeScope(IntEnum):
    """On which pages a change is visible.

    To staff and the players concerned only, in the division, in all divisions of the event, or also in lists
    of events.
    """

    STAFF = 0
    DIVISION = 1
    EVENT = 2
    LISTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditAction:
    """Something that was done in an event, as a row of its audit log states it.

    ``kind``: its code, ``noun.verb``; ``v``: version of its JSON; ``reach``: the pages that show what it
    changes; a smaller scope than the default requires a check of all these pages (`store.shown`).

    A new field with a default needs nothing else. To change a field's name, place or meaning, raise ``v`` and
    add to ``lifts`` the function that converts version n to n + 1; earlier functions remain. Version 0 is the
    JSON from before there were versions, with the same keys as version 1.
    """

    kind: ClassVar[str]
    reach: ClassVar[ChangeScope] = ChangeScope.LISTS
    v: ClassVar[int] = 1
    lifts: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def has_new_commitments(self) -> bool:
        """Return whether the action creates commitments of draws that no row of the audit log states yet."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairAuditAction(AuditAction):
    """A repair, with the data for its undo; the base class of all audit actions of repairs."""

    undo: RepairUndo = field(default_factory=lambda: RepairUndo({}))


@dataclass(frozen=True, slots=True)
class UnknownAction:
    """An action that this release cannot read, as its kind or the structure of its JSON is unknown."""

    kind: str


class Pair(NamedTuple):
    """Two entries that meet; ``second`` is None if the first one has a bye."""

    first: EntryId
    second: EntryId | None


class NamedEntry(NamedTuple):
    """An entry with the name that it had at the time."""

    entry: EntryId
    name: str


class CalledMatch(NamedTuple):
    """A match that was called; ``pk``: its database id, ``match``: its number in the stage."""

    pk: int
    match: MatchNo
    table: TableNo


class LengthChange(NamedTuple):
    """The match length before and after a change."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match as it was at one moment; ``match``: its public id."""

    match: str
    version: int
    status: str
    score_a: int | None
    score_b: int | None
    winner_side: str
