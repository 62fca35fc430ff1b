"""Conflict for cells that another person has changed: names, current values, and the last changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from faults import Conflict
from tournaments.engine.matrix import NOTE, CellChange
from tournaments.models import Event
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.matrix import PersonRow, PlayersTable
from tournaments.selectors.matrix_changes import last_change_by_cell


def stale_cells_conflict(
    event: Event, matrix: PlayersTable, people: Mapping[str, PersonRow], stale: Sequence[CellChange]
) -> Conflict:
    """Return the conflict. Current notes are not included."""
    now, columns = matrix.cells(), {column.key: str(column.division) for column in matrix.columns}
    about = {}
    for one in stale:
        person = people.get(one.cell.player)
        if person is not None:
            stands = {str(pk): stand.entry for pk, stand in person.cells.items() if stand.entry is not None}
            entries = [stands.get(one.cell.column)] if one.cell.column in columns else stands.values()
            about[one.cell] = [entry for entry in entries if entry is not None]
    rows = last_change_by_cell(event, about)
    cells: list[dict[str, Any]] = []
    for one in stale:
        row = rows.get(one.cell)
        cells.append(
            {
                "player": one.cell.player,
                "name": people[one.cell.player].name if one.cell.player in people else "",
                "column": one.cell.column,
                "division": columns.get(one.cell.column, ""),
                "now": now.get(one.cell, "") if one.cell.column != NOTE else "",
                "by": row.actor_label.removeprefix(LINK_LABEL_PREFIX) if row is not None else "",
                "at": row.at.isoformat() if row is not None else None,
            }
        )
    names = ", ".join(dict.fromkeys(cell["name"] for cell in cells if cell["name"]))
    newest = sorted({row.pk: row for row in rows.values()}.values(), key=lambda row: -row.pk)
    return Conflict("matrix.stale", present={"cells": cells}, touched=tuple(newest), names=names)
