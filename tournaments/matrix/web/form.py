"""Parsing of the players table's form: rows with their previous values, posted ticks, and new players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.http import QueryDict

from faults import Invalid, Unreadable
from people.ids import parse_row_id
from people.models import Club
from people.selectors import player_for_club
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    TICKED_STATES,
    Cell,
    CellChange,
    CellRequest,
    CellState,
    CheckState,
)
from tournaments.matrix.services.entering import Newcomer
from tournaments.selectors.matrix import PersonRow

MAX_ROWS: Final = 1024
MAX_NAME_LENGTH: Final = 160
MAX_NOTE_LENGTH: Final = 500
_MAX_ROW_LENGTH: Final = 2000  # characters of the hidden value of a row


@dataclass(frozen=True, slots=True)
class Ticks:
    """Posted ticks and texts, which the page shows again after a rejected save.

    Players by public id; ``admitted_cells``: cells of waiting entries that get a place; ``own``: custom
    fields.
    """

    sent: frozenset[str] = frozenset()  # rows that were in the form
    divisions: frozenset[Cell] = frozenset()
    admitted_cells: frozenset[Cell] = frozenset()
    check_ins: frozenset[str] = frozenset()
    paid: frozenset[str] = frozenset()
    notes: dict[str, str] = field(default_factory=dict)
    own: dict[Cell, str] = field(default_factory=dict)


def row_state(person: PersonRow, columns: Iterable[int], *, check_in_only: bool) -> str:
    """Return the hidden value of a row: player, check-in, payment, and the states of its changeable cells.

    ``columns``: ids of divisions; ``check_in_only``: for an assistant, without payment and divisions.
    """
    cells = () if check_in_only else tuple(f"{pk}={person.cells[pk].state}" for pk in columns)
    paid = CheckState.NONE if check_in_only else person.paid
    return ":".join((person.public_id, person.check_in_state, paid, *cells))


def parse_ticks(posted: QueryDict, columns: Sequence[int]) -> Ticks:
    """Return the posted ticks, without the previous values. ``columns``: ids of the custom fields."""
    rows = posted.getlist("row")[:MAX_ROWS]
    players = frozenset(row[:_MAX_ROW_LENGTH].split(":")[0] for row in rows)
    notes = {
        name: " ".join(posted.get(f"note:{name}", "").replace("\0", "").split())[:MAX_NOTE_LENGTH]
        for name in players
        if f"note:{name}" in posted
    }
    return Ticks(
        players,
        _parse_cells(posted.getlist("in")),
        _parse_cells(posted.getlist("let")),
        frozenset(posted.getlist("here")),
        frozenset(posted.getlist("paid")),
        notes,
        {
            Cell(name, f"{CUSTOM_FIELD_PREFIX}{column}"): _posted_line(posted, f"own:{column}:{name}")
            for name in players
            for column in columns
            if f"own-was:{column}:{name}" in posted
        },
    )


def parse_changes(posted: QueryDict, ticks: Ticks) -> list[CellChange]:
    """Return the changed cells, each with the value at the time of rendering. Raises ``Unreadable``."""
    changes: list[CellChange] = []
    for row in posted.getlist("row")[:MAX_ROWS]:
        name, here_state, paid, *cells = _split_row(row)
        for column, state in (_parse_division(part) for part in cells):
            cell = Cell(name, column)
            if cell in ticks.admitted_cells:
                changes.append(CellChange(cell, state, CellRequest.PLACE))
            elif (cell in ticks.divisions) is not (state in TICKED_STATES):
                changes.append(
                    CellChange(cell, state, CellRequest.IN if cell in ticks.divisions else CellRequest.OUT)
                )
        changes += _flag_change(Cell(name, CHECKED_IN_COLUMN), here_state, name in ticks.check_ins)
        changes += _flag_change(Cell(name, PAID_COLUMN), paid, name in ticks.paid)
        previous = " ".join(posted.get(f"was:{name}", "").replace("\0", "").split())[:MAX_NOTE_LENGTH]
        if ticks.notes.get(name, previous) != previous:
            changes.append(CellChange(Cell(name, NOTE_COLUMN), previous, ticks.notes[name]))
    for cell, text in ticks.own.items():
        previous = _posted_line(
            posted, f"own-was:{cell.column.removeprefix(CUSTOM_FIELD_PREFIX)}:{cell.player}"
        )
        if text != previous:
            changes.append(CellChange(cell, previous, text))
    return changes


def parse_newcomers(posted: QueryDict, club: Club) -> list[Newcomer]:
    """Return the player typed into the last row, in a list; an empty list without a name.

    Raises ``Invalid`` for ticked divisions without a name.
    """
    name = " ".join(posted.get("name", "").replace("\0", "").split())[:MAX_NAME_LENGTH]
    divisions = tuple(division_id for value in posted.getlist("new") if (division_id := parse_row_id(value)))
    is_here, is_paid = "new-here" in posted, "new-paid" in posted
    if not name:
        if divisions:
            raise Invalid("matrix.name_lacking", field="name")
        return []
    player_id = posted.get("player", "").replace("\0", "")
    player = player_for_club(club, player_id) if player_id else None
    return [Newcomer(name, player.pk if player is not None else None, divisions, is_here, is_paid)]


def _posted_line(posted: QueryDict, name: str) -> str:
    return " ".join(posted.get(name, "").replace("\0", "").split())[:MAX_NOTE_LENGTH]


def _flag_change(cell: Cell, previous: str, is_ticked: bool) -> list[CellChange]:
    """Return the change of a tick, if any. A partial state is rendered unticked; left so, it is unchanged."""
    if previous == CheckState.NONE or is_ticked is (previous == CheckState.YES):
        return []
    return [CellChange(cell, previous, CheckState.YES if is_ticked else CheckState.NO)]


def _split_row(row: str) -> list[str]:
    parts = row.split(":")
    if len(row) > _MAX_ROW_LENGTH or len(parts) < 3 or not set(parts[1:3]) <= set(CheckState):
        raise Unreadable("matrix.unreadable")
    return parts


def _parse_division(text: str) -> tuple[str, CellState]:
    column, _, state = text.partition("=")
    if not parse_row_id(column) or state not in set(CellState):
        raise Unreadable("matrix.unreadable")
    return column, CellState(state)


def _parse_cells(texts: Iterable[str]) -> frozenset[Cell]:
    return frozenset(Cell(*text.split(":")) for text in texts if text.count(":") == 1)
