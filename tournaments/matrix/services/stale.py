"""The conflict for cells that another person has changed: names, current values, and the last changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from faults import Conflict
from tournaments.engine.matrix import NOTE_COLUMN, CellChange
from tournaments.models import Event
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.matrix import PersonRow, PlayersTable
from tournaments.selectors.matrix_changes import last_change_by_cell


def stale_cells_conflict(
    event: Event, table: PlayersTable, people: Mapping[str, PersonRow], stale_changes: Sequence[CellChange]
) -> Conflict:
    """Return a ``Conflict`` that lists the changed cells with their current values and last changes.

    It contains no text of notes.
    """
    current_values, columns = table.cells(), {column.key: str(column.division) for column in table.columns}
    entries_by_cell = {}
    for change in stale_changes:
        person = people.get(change.cell.player)
        if person is not None:
            entry_by_column = {
                str(pk): person_cell.entry
                for pk, person_cell in person.cells.items()
                if person_cell.entry is not None
            }
            entries = (
                [entry_by_column.get(change.cell.column)]
                if change.cell.column in columns
                else entry_by_column.values()
            )
            entries_by_cell[change.cell] = [entry for entry in entries if entry is not None]
    rows = last_change_by_cell(event, entries_by_cell)
    cells: list[dict[str, Any]] = []
    for change in stale_changes:
        row = rows.get(change.cell)
        cells.append(
            {
                "player": change.cell.player,
                "name": people[change.cell.player].name if change.cell.player in people else "",
                "column": change.cell.column,
                "division": columns.get(change.cell.column, ""),
                "now": current_values.get(change.cell, "") if change.cell.column != NOTE_COLUMN else "",
                "by": row.actor_label.removeprefix(LINK_LABEL_PREFIX) if row is not None else "",
                "at": row.at.isoformat() if row is not None else None,
            }
        )
    names = ", ".join(dict.fromkeys(cell["name"] for cell in cells if cell["name"]))
    newest_rows = sorted({row.pk: row for row in rows.values()}.values(), key=lambda row: -row.pk)
    return Conflict("matrix.stale", present={"cells": cells}, touched=tuple(newest_rows), names=names)
