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
    CHECKED_IN,
    CUSTOM_FIELD,
    NOTE,
    PAID,
    TICKED,
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
    """Posted ticks and texts, which the page shows again after a rejected save."""

    sent: frozenset[str] = frozenset()  # rows that were in the form
    divisions: frozenset[Cell] = frozenset()
    let: frozenset[Cell] = frozenset()
    here: frozenset[str] = frozenset()
    paid: frozenset[str] = frozenset()
    notes: dict[str, str] = field(default_factory=dict)
    own: dict[Cell, str] = field(default_factory=dict)


def row_state(person: PersonRow, columns: Iterable[int], *, only_here: bool) -> str:
    """Return the row's hidden value: player, check-in, payment, and the states of its changeable cells."""
    cells = () if only_here else tuple(f"{pk}={person.cells[pk].state}" for pk in columns)
    paid = CheckState.NONE if only_here else person.paid
    return ":".join((person.public_id, person.here, paid, *cells))


def parse_ticks(sent: QueryDict, columns: Sequence[int]) -> Ticks:
    """Return the ticks of the form, without the previous values. ``columns``: ids of the custom fields."""
    rows = sent.getlist("row")[:MAX_ROWS]
    players = frozenset(row[:_MAX_ROW_LENGTH].split(":")[0] for row in rows)
    notes = {
        name: " ".join(sent.get(f"note:{name}", "").replace("\0", "").split())[:MAX_NOTE_LENGTH]
        for name in players
        if f"note:{name}" in sent
    }
    return Ticks(
        players,
        _parse_cells(sent.getlist("in")),
        _parse_cells(sent.getlist("let")),
        frozenset(sent.getlist("here")),
        frozenset(sent.getlist("paid")),
        notes,
        {
            Cell(name, f"{CUSTOM_FIELD}{column}"): _posted_line(sent, f"own:{column}:{name}")
            for name in players
            for column in columns
            if f"own-was:{column}:{name}" in sent
        },
    )


def parse_changes(sent: QueryDict, ticks: Ticks) -> list[CellChange]:
    """Return the changes of the form, each with the value at the time of rendering. Raises ``Unreadable``."""
    found: list[CellChange] = []
    for row in sent.getlist("row")[:MAX_ROWS]:
        name, here, paid, *cells = _split_row(row)
        for column, state in (_parse_division(one) for one in cells):
            cell = Cell(name, column)
            if cell in ticks.let:
                found.append(CellChange(cell, state, CellRequest.PLACE))
            elif (cell in ticks.divisions) is not (state in TICKED):
                found.append(
                    CellChange(cell, state, CellRequest.IN if cell in ticks.divisions else CellRequest.OUT)
                )
        found += _flag_change(Cell(name, CHECKED_IN), here, name in ticks.here)
        found += _flag_change(Cell(name, PAID), paid, name in ticks.paid)
        was = " ".join(sent.get(f"was:{name}", "").replace("\0", "").split())[:MAX_NOTE_LENGTH]
        if ticks.notes.get(name, was) != was:
            found.append(CellChange(Cell(name, NOTE), was, ticks.notes[name]))
    for cell, text in ticks.own.items():
        was = _posted_line(sent, f"own-was:{cell.column.removeprefix(CUSTOM_FIELD)}:{cell.player}")
        if text != was:
            found.append(CellChange(cell, was, text))
    return found


def parse_newcomers(sent: QueryDict, club: Club) -> list[Newcomer]:
    """Return the player typed into the last row; empty without a name.

    Raises ``Invalid`` for divisions without a name.
    """
    name = " ".join(sent.get("name", "").replace("\0", "").split())[:MAX_NAME_LENGTH]
    divisions = tuple(number for one in sent.getlist("new") if (number := parse_row_id(one)))
    here, paid = "new-here" in sent, "new-paid" in sent
    if not name:
        if divisions:
            raise Invalid("matrix.name_lacking", field="name")
        return []
    chosen = sent.get("player", "").replace("\0", "")
    player = player_for_club(club, chosen) if chosen else None
    return [Newcomer(name, player.pk if player is not None else None, divisions, here, paid)]


def _posted_line(sent: QueryDict, name: str) -> str:
    return " ".join(sent.get(name, "").replace("\0", "").split())[:MAX_NOTE_LENGTH]


def _flag_change(cell: Cell, seen: str, ticked: bool) -> list[CellChange]:
    """Return the change of a tick. A partial state is rendered unticked; left so, it is unchanged."""
    if seen == CheckState.NONE or ticked is (seen == CheckState.YES):
        return []
    return [CellChange(cell, seen, CheckState.YES if ticked else CheckState.NO)]


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


def _parse_cells(given: Iterable[str]) -> frozenset[Cell]:
    return frozenset(Cell(*one.split(":")) for one in given if one.count(":") == 1)
