"""People by divisions: what a cell can be, what becomes of it when somebody ticks it, and what somebody else has changed meanwhile.

A cell is how one person stands in one division; beside the divisions a person has three more columns: here, paid and a note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from tournaments.engine.statuses import EntryStatus


class CellState(StrEnum):
    """The status of a person in a division."""

    OUT = "out"  # no entry there
    IN = "in"
    PENDING = "expected"  # has a place, and nobody has approved it
    WAITING = "waiting"  # on the waiting list
    PENDING_WAITING = "unseen"  # on the waiting list, and nobody has approved it
    WITHDRAWN = "left"  # withdrawn


class CheckState(StrEnum):
    """Whether a person is checked in, or has paid, in all or some of their entries; ``NONE`` if it applies to none of their entries."""

    YES = "yes"
    PART = "part"
    NO = "no"
    NONE = "none"


class CellRequest(StrEnum):
    """What is asked of a cell. ``PLACE``: in at once, past the waiting list."""

    IN = "in"
    OUT = "out"
    PLACE = "place"


class CellAction(StrEnum):
    """What has to be done for it."""

    ENTER = "enter"
    REINSTATE = "come_back"
    APPROVE = "approve"
    ADMIT = "let_in"
    WITHDRAW = "leave"
    DECLINE = "refuse"


CHECKED_IN: Final = "here"
PAID: Final = "paid"
NOTE: Final = "note"
CUSTOM_FIELD: Final = "own"  # before the id of a column of the event's own

STATES_BY_STATUS: Final[Mapping[EntryStatus, CellState]] = {
    EntryStatus.ACTIVE: CellState.IN,
    EntryStatus.PENDING: CellState.PENDING,
    EntryStatus.WAITING: CellState.WAITING,
    EntryStatus.WAITING_PENDING: CellState.PENDING_WAITING,
    EntryStatus.WITHDRAWN: CellState.WITHDRAWN,
}
TICKED: Final = frozenset({CellState.IN, CellState.WAITING})  # shown with a tick

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
    ): CellAction.DECLINE,  # turned away is gone for ever: on the page of the entries alone
    (CellState.PENDING, CellRequest.PLACE): CellAction.APPROVE,
    (CellState.WAITING, CellRequest.IN): None,
    (CellState.WAITING, CellRequest.OUT): CellAction.WITHDRAW,
    (CellState.WAITING, CellRequest.PLACE): CellAction.ADMIT,
    (CellState.PENDING_WAITING, CellRequest.IN): CellAction.APPROVE,
    (CellState.PENDING_WAITING, CellRequest.OUT): CellAction.DECLINE,
    (CellState.PENDING_WAITING, CellRequest.PLACE): CellAction.DECLINE,  # approve first, then let in
    (CellState.WITHDRAWN, CellRequest.IN): CellAction.REINSTATE,
    (CellState.WITHDRAWN, CellRequest.OUT): None,
    (CellState.WITHDRAWN, CellRequest.PLACE): CellAction.REINSTATE,
}


class Cell(NamedTuple):
    """A cell by the public id of its person and its column: the id of a division as text, `CHECK_IN_EVERY`, `PAID`, `NOTE`, or `CUSTOM_FIELD`
    with the id of a column of the event's own.
    """

    player: str
    column: str


@dataclass(frozen=True, slots=True)
class CellChange:
    """``seen``: what stood in the cell when somebody decided; ``wanted``: what is to stand there (`CellRequest`, `CheckState`, or the note)."""

    cell: Cell
    seen: str
    wanted: str


def action_for(state: CellState, asked: CellRequest) -> CellAction | None:
    """What makes of ``state`` what was ``asked``; None: it is so already."""
    return _ACTIONS[state, asked]


def split_changes(
    now: Mapping[Cell, str], changes: Sequence[CellChange]
) -> tuple[tuple[CellChange, ...], tuple[CellChange, ...]]:
    """Of ``changes`` those that are to be done, and those whose cell is not as it was seen; what stands as it is wanted is neither.

    >>> ann = Cell("ann", "here")
    >>> split_changes({ann: "no"}, [CellChange(ann, "no", "yes")])[0][0].wanted
    'yes'
    >>> split_changes({ann: "yes"}, [CellChange(ann, "no", "yes")])
    ((), ())
    >>> len(split_changes({ann: "part"}, [CellChange(ann, "no", "yes")])[1])
    1
    """
    left: list[CellChange] = []
    stale: list[CellChange] = []
    for change in changes:
        present = now.get(change.cell)
        if present is not None and _is_done(change, present):
            continue
        (left if present == change.seen else stale).append(change)
    return tuple(left), tuple(stale)


def _is_done(change: CellChange, present: str) -> bool:
    if not change.cell.column.isdecimal():
        return present == change.wanted
    return action_for(CellState(present), CellRequest(change.wanted)) is None


def combine_states(marks: Sequence[bool]) -> CheckState:
    """What several entries of a person make together.

    >>> combine_states([True, False])
    <CheckState.PART: 'part'>
    """
    if not marks:
        return CheckState.NONE
    if all(marks):
        return CheckState.YES
    return CheckState.PART if any(marks) else CheckState.NO
