"""What a program asks of the cells of a matrix, and what is refused of it at the fields of its body."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from faults import Conflict, Fault, Invalid
from tournaments.engine.matrix import HERE, NOTE, OWN, PAID, Cell, Change, Mark

MARKS = {"here": HERE, "paid": PAID}


def division_in(divisions: Mapping[int, int], number: int, field: str) -> int:
    """The database id of the division with this number. Raises ``Invalid`` at its ``field`` of the body."""
    if number not in divisions:
        raise Invalid("division.unknown", field=field)
    return divisions[number]


def changes_in(body: Mapping[str, Any], divisions: Mapping[int, int]) -> dict[str, Change]:
    """What is asked of each cell, by its way through the body; ``divisions``: database ids by number."""
    found: dict[str, Change] = {}
    for place, one in enumerate(body["cells"]):
        path = f"cells.{place}"
        column = str(division_in(divisions, one["division"], f"{path}.division"))
        found[path] = Change(Cell(one["player"], column), one["seen"], one["wanted"])
    for name, column in MARKS.items():
        for place, one in enumerate(body[name]):
            wanted = Mark.YES if one["wanted"] else Mark.NO
            found[f"{name}.{place}"] = Change(Cell(one["player"], column), one["seen"], wanted)
    for place, one in enumerate(body["notes"]):
        found[f"notes.{place}"] = Change(Cell(one["player"], NOTE), one["seen"], one["wanted"])
    for place, one in enumerate(body["values"]):
        cell = Cell(one["player"], f"{OWN}{one['column']}")
        found[f"values.{place}"] = Change(cell, one["seen"], one["wanted"])
    return found


@contextmanager
def refused_in_body(changes: Mapping[str, Change], divisions: Mapping[int, int]) -> Iterator[None]:
    """What the service refuses, in the terms of the body: cells by their way through it, divisions by number."""
    try:
        yield
    except Invalid as invalid:
        raise Invalid(faults=[_placed(fault, changes) for fault in invalid.faults]) from invalid
    except Conflict as conflict:
        if "cells" in conflict.present:
            numbers = {str(pk): number for number, pk in divisions.items()}
            cells = [_stale(cell, changes, numbers) for cell in conflict.present["cells"]]
            conflict.present = {"cells": cells}
        raise


def _placed(fault: Fault, changes: Mapping[str, Change]) -> Fault:
    """At the cell that was sent; what stands in a column, where several were sent, at all of them."""
    field = fault.field or ""
    cells = [
        path for path, change in changes.items() if field == f"{change.cell.player}:{change.cell.column}"
    ]
    if cells:
        return fault.at(cells[-1])
    column = field.replace("-", "") if field.startswith(f"{OWN}-") else ""
    values = [path for path, change in changes.items() if column and change.cell.column == column]
    if values:
        return fault.at(f"{values[0]}.wanted" if len(values) == 1 else "values")
    return fault


def _stale(
    cell: Mapping[str, Any], changes: Mapping[str, Change], numbers: Mapping[str, int]
) -> dict[str, Any]:
    asked = Cell(cell["player"], cell["column"])
    own = asked.column.removeprefix(OWN) if asked.column.startswith(OWN) else ""
    return {
        "field": next((path for path, change in changes.items() if change.cell == asked), ""),
        "player": cell["player"],
        "name": cell["name"],
        "division": numbers.get(asked.column),
        "column": int(own) if own else None,
        "now": cell["now"],
        "by": cell["by"],
        "at": cell["at"],
    }
