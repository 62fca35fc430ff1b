"""Convert request bodies of the players table to cells of its services, and errors of these back."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from faults import Conflict, Fault, Invalid
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    Cell,
    CellChange,
    CheckState,
)

FLAG_COLUMNS = {"here": CHECKED_IN_COLUMN, "paid": PAID_COLUMN}


def division_id_by_number(divisions: Mapping[int, int], number: int, field: str) -> int:
    """Return the database id of the division with this number. Raises ``Invalid`` at ``field``.

    ``divisions``: database ids, keyed by number.
    """
    if number not in divisions:
        raise Invalid("division.unknown", field=field)
    return divisions[number]


def parse_changes(body: Mapping[str, Any], divisions: Mapping[int, int]) -> dict[str, CellChange]:
    """Return the requested changes, keyed by the path of each cell in the body.

    ``divisions``: database ids, keyed by number.
    """
    change_by_path: dict[str, CellChange] = {}
    for index, item in enumerate(body["cells"]):
        path = f"cells.{index}"
        column = str(division_id_by_number(divisions, item["division"], f"{path}.division"))
        change_by_path[path] = CellChange(Cell(item["player"], column), item["seen"], item["wanted"])
    for name, column in FLAG_COLUMNS.items():
        for index, item in enumerate(body[name]):
            state = CheckState.YES if item["wanted"] else CheckState.NO
            change_by_path[f"{name}.{index}"] = CellChange(Cell(item["player"], column), item["seen"], state)
    for index, item in enumerate(body["notes"]):
        change_by_path[f"notes.{index}"] = CellChange(
            Cell(item["player"], NOTE_COLUMN), item["seen"], item["wanted"]
        )
    for index, item in enumerate(body["values"]):
        cell = Cell(item["player"], f"{CUSTOM_FIELD_PREFIX}{item['column']}")
        change_by_path[f"values.{index}"] = CellChange(cell, item["seen"], item["wanted"])
    return change_by_path


@contextmanager
def map_faults_to_body(changes: Mapping[str, CellChange], divisions: Mapping[int, int]) -> Iterator[None]:
    """In the block, convert faults and outdated cells of the service to paths of the body.

    Divisions become numbers again.
    """
    try:
        yield
    except Invalid as invalid:
        raise Invalid(faults=[_fault_in_body(fault, changes) for fault in invalid.faults]) from invalid
    except Conflict as conflict:
        if "cells" in conflict.present:
            numbers = {str(pk): number for number, pk in divisions.items()}
            cells = [_stale_cell_in_body(cell, changes, numbers) for cell in conflict.present["cells"]]
            conflict.present = {"cells": cells}
        raise


def _fault_in_body(fault: Fault, changes: Mapping[str, CellChange]) -> Fault:
    """Return the fault at its cell in the body; of a custom field with several values, at all values."""
    field = fault.field or ""
    cells = [
        path for path, change in changes.items() if field == f"{change.cell.player}:{change.cell.column}"
    ]
    if cells:
        return fault.at(cells[-1])
    column = field.replace("-", "") if field.startswith(f"{CUSTOM_FIELD_PREFIX}-") else ""
    values = [path for path, change in changes.items() if column and change.cell.column == column]
    if values:
        return fault.at(f"{values[0]}.wanted" if len(values) == 1 else "values")
    return fault


def _stale_cell_in_body(
    cell: Mapping[str, Any], changes: Mapping[str, CellChange], numbers: Mapping[str, int]
) -> dict[str, Any]:
    requested_cell = Cell(cell["player"], cell["column"])
    field_id = (
        requested_cell.column.removeprefix(CUSTOM_FIELD_PREFIX)
        if requested_cell.column.startswith(CUSTOM_FIELD_PREFIX)
        else ""
    )
    return {
        "field": next((path for path, change in changes.items() if change.cell == requested_cell), ""),
        "player": cell["player"],
        "name": cell["name"],
        "division": numbers.get(requested_cell.column),
        "column": int(field_id) if field_id else None,
        "now": cell["now"],
        "by": cell["by"],
        "at": cell["at"],
    }
