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
    EXPECTED = "expected"  # has a place, and nobody has approved it
    WAITING = "waiting"  # on the waiting list
    UNSEEN = "unseen"  # on the waiting list, and nobody has approved it
    LEFT = "left"  # withdrawn


class Mark(StrEnum):
    """Whether a person is checked in, or has paid, in all or some of their entries; ``NONE`` if it applies to none of their entries."""

    YES = "yes"
    PART = "part"
    NO = "no"
    NONE = "none"


class Asked(StrEnum):
    """What is asked of a cell. ``PLACE``: in at once, past the waiting list."""

    IN = "in"
    OUT = "out"
    PLACE = "place"


class Step(StrEnum):
    """What has to be done for it."""

    ENTER = "enter"
    COME_BACK = "come_back"
    APPROVE = "approve"
    LET_IN = "let_in"
    LEAVE = "leave"
    REFUSE = "refuse"


HERE: Final = "here"
PAID: Final = "paid"
NOTE: Final = "note"
OWN: Final = "own"  # before the id of a column of the event's own

STATES: Final[Mapping[EntryStatus, CellState]] = {
    EntryStatus.ACTIVE: CellState.IN,
    EntryStatus.EXPECTED: CellState.EXPECTED,
    EntryStatus.WAITING: CellState.WAITING,
    EntryStatus.UNSEEN: CellState.UNSEEN,
    EntryStatus.WITHDRAWN: CellState.LEFT,
}
TICKED: Final = frozenset({CellState.IN, CellState.WAITING})  # shown with a tick

_STEPS: Final[Mapping[tuple[CellState, Asked], Step | None]] = {
    (CellState.OUT, Asked.IN): Step.ENTER,
    (CellState.OUT, Asked.OUT): None,
    (CellState.OUT, Asked.PLACE): Step.ENTER,
    (CellState.IN, Asked.IN): None,
    (CellState.IN, Asked.OUT): Step.LEAVE,
    (CellState.IN, Asked.PLACE): None,
    (CellState.EXPECTED, Asked.IN): Step.APPROVE,
    (
        CellState.EXPECTED,
        Asked.OUT,
    ): Step.REFUSE,  # turned away is gone for ever: on the page of the entries alone
    (CellState.EXPECTED, Asked.PLACE): Step.APPROVE,
    (CellState.WAITING, Asked.IN): None,
    (CellState.WAITING, Asked.OUT): Step.LEAVE,
    (CellState.WAITING, Asked.PLACE): Step.LET_IN,
    (CellState.UNSEEN, Asked.IN): Step.APPROVE,
    (CellState.UNSEEN, Asked.OUT): Step.REFUSE,
    (CellState.UNSEEN, Asked.PLACE): Step.REFUSE,  # approve first, then let in
    (CellState.LEFT, Asked.IN): Step.COME_BACK,
    (CellState.LEFT, Asked.OUT): None,
    (CellState.LEFT, Asked.PLACE): Step.COME_BACK,
}


class Cell(NamedTuple):
    """A cell by the public id of its person and its column: the id of a division as text, `HERE`, `PAID`, `NOTE`, or `OWN`
    with the id of a column of the event's own.
    """

    player: str
    column: str


@dataclass(frozen=True, slots=True)
class Change:
    """``seen``: what stood in the cell when somebody decided; ``wanted``: what is to stand there (`Asked`, `Mark`, or the note)."""

    cell: Cell
    seen: str
    wanted: str


def step_for(state: CellState, asked: Asked) -> Step | None:
    """What makes of ``state`` what was ``asked``; None: it is so already."""
    return _STEPS[state, asked]


def still_to_do(
    now: Mapping[Cell, str], changes: Sequence[Change]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Of ``changes`` those that are to be done, and those whose cell is not as it was seen; what stands as it is wanted is neither.

    >>> ann = Cell("ann", "here")
    >>> still_to_do({ann: "no"}, [Change(ann, "no", "yes")])[0][0].wanted
    'yes'
    >>> still_to_do({ann: "yes"}, [Change(ann, "no", "yes")])
    ((), ())
    >>> len(still_to_do({ann: "part"}, [Change(ann, "no", "yes")])[1])
    1
    """
    left: list[Change] = []
    stale: list[Change] = []
    for change in changes:
        present = now.get(change.cell)
        if present is not None and _stands(change, present):
            continue
        (left if present == change.seen else stale).append(change)
    return tuple(left), tuple(stale)


def _stands(change: Change, present: str) -> bool:
    if not change.cell.column.isdecimal():
        return present == change.wanted
    return step_for(CellState(present), Asked(change.wanted)) is None


def marks_together(marks: Sequence[bool]) -> Mark:
    """What several entries of a person make together.

    >>> marks_together([True, False])
    <Mark.PART: 'part'>
    """
    if not marks:
        return Mark.NONE
    if all(marks):
        return Mark.YES
    return Mark.PART if any(marks) else Mark.NO
