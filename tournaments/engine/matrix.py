"""The players table of an event (people by divisions): states of its cells, and how changes are applied.

A cell is the state of one person in one division; further columns are checked in, paid, a note, and custom
fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from tournaments.engine.statuses import EntryStatus


class CellState(StrEnum):
    """The status of a person's entry in a division."""

    OUT = "out"  # no entry there
    IN = "in"
    PENDING = "expected"  # holds a place, not approved
    WAITING = "waiting"  # on the waiting list
    PENDING_WAITING = "unseen"  # on the waiting list, not approved
    WITHDRAWN = "left"  # withdrawn


class CheckState(StrEnum):
    """Whether a person is checked in, or has paid, in all or some of the person's entries.

    ``NONE``: it applies to none of the entries.
    """

    YES = "yes"
    PART = "part"
    NO = "no"
    NONE = "none"


class CellRequest(StrEnum):
    """What a cell of a division is requested to become; ``PLACE``: in at once, past the waiting list."""

    IN = "in"
    OUT = "out"
    PLACE = "place"


class CellAction(StrEnum):
    """What has to be done with an entry so that its cell becomes what was requested."""

    ENTER = "enter"
    REINSTATE = "come_back"
    APPROVE = "approve"
    ADMIT = "let_in"
    WITHDRAW = "leave"
    DECLINE = "refuse"


CHECKED_IN_COLUMN: Final = "here"
PAID_COLUMN: Final = "paid"
NOTE_COLUMN: Final = "note"
CUSTOM_FIELD_PREFIX: Final = "own"  # before the id of a custom field

STATES_BY_STATUS: Final[Mapping[EntryStatus, CellState]] = {
    EntryStatus.ACTIVE: CellState.IN,
    EntryStatus.PENDING: CellState.PENDING,
    EntryStatus.WAITING: CellState.WAITING,
    EntryStatus.WAITING_PENDING: CellState.PENDING_WAITING,
    EntryStatus.WITHDRAWN: CellState.WITHDRAWN,
}
TICKED_STATES: Final = frozenset({CellState.IN, CellState.WAITING})  # shown with a tick

_ACTIONS: Final[Mapping[tuple[CellState, CellRequest], CellAction | None]] = {
    (CellState.OUT, CellRequest.IN): CellAction.ENTER,
    (CellState.OUT, CellRequest.OUT): None,
    (CellState.OUT, CellRequest.PLACE): CellAction.ENTER,
    (CellState.IN, CellRequest.IN): None,
    (CellState.IN, CellRequest.OUT): CellAction.WITHDRAW,
    (CellState.IN, CellRequest.PLACE): None,
    (CellState.PENDING, CellRequest.IN): CellAction.APPROVE,
    (
        CellState.PENDING,
        CellRequest.OUT,
    ): CellAction.DECLINE,  # declining is final: only possible on the page of entries
    (CellState.PENDING, CellRequest.PLACE): CellAction.APPROVE,
    (CellState.WAITING, CellRequest.IN): None,
    (CellState.WAITING, CellRequest.OUT): CellAction.WITHDRAW,
    (CellState.WAITING, CellRequest.PLACE): CellAction.ADMIT,
    (CellState.PENDING_WAITING, CellRequest.IN): CellAction.APPROVE,
    (CellState.PENDING_WAITING, CellRequest.OUT): CellAction.DECLINE,
    (CellState.PENDING_WAITING, CellRequest.PLACE): CellAction.DECLINE,  # approve first, then admit
    (CellState.WITHDRAWN, CellRequest.IN): CellAction.REINSTATE,
    (CellState.WITHDRAWN, CellRequest.OUT): None,
    (CellState.WITHDRAWN, CellRequest.PLACE): CellAction.REINSTATE,
}


class Cell(NamedTuple):
    """A cell of the players table.

    ``player``: the person's public id; ``column``: the id of a division as text, `CHECKED_IN_COLUMN`,
    `PAID_COLUMN`, `NOTE_COLUMN`, or `CUSTOM_FIELD_PREFIX` with the id of a custom field.
    """

    player: str
    column: str


@dataclass(frozen=True, slots=True)
class CellChange:
    """A requested change of a cell.

    ``seen``: the value that the user saw; ``requested_value``: the new value, a `CellRequest`, a `CheckState`
    or a note.
    """

    cell: Cell
    seen: str
    requested_value: str


def action_for(state: CellState, request: CellRequest) -> CellAction | None:
    """Return the action that turns a cell in ``state`` into what was requested.

    None if nothing has to be done.
    """
    return _ACTIONS[state, request]


def split_changes(
    current: Mapping[Cell, str], changes: Sequence[CellChange]
) -> tuple[tuple[CellChange, ...], tuple[CellChange, ...]]:
    """Return the changes to make, and those whose cell no longer has the value that the user saw.

    ``current``: the present values of cells. Changes that are already done are in neither group.

    >>> ann = Cell("ann", "here")
    >>> split_changes({ann: "no"}, [CellChange(ann, "no", "yes")])[0][0].requested_value
    'yes'
    >>> split_changes({ann: "yes"}, [CellChange(ann, "no", "yes")])
    ((), ())
    >>> len(split_changes({ann: "part"}, [CellChange(ann, "no", "yes")])[1])
    1
    """
    applicable: list[CellChange] = []
    stale: list[CellChange] = []
    for change in changes:
        present = current.get(change.cell)
        if present is not None and _is_done(change, present):
            continue
        (applicable if present == change.seen else stale).append(change)
    return tuple(applicable), tuple(stale)


def _is_done(change: CellChange, present: str) -> bool:
    if not change.cell.column.isdecimal():
        return present == change.requested_value
    return action_for(CellState(present), CellRequest(change.requested_value)) is None


def combine_states(marks: Sequence[bool]) -> CheckState:
    """Return whether all, some or none of a person's entries are checked in (or paid).

    >>> combine_states([True, False])
    <CheckState.PART: 'part'>
    """
    if not marks:
        return CheckState.NONE
    if all(marks):
        return CheckState.YES
    return CheckState.PART if any(marks) else CheckState.NO
