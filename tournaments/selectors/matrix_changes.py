"""Who changed a cell of the matrix last: found in the trail, where each change has a row of its own."""

from collections.abc import Collection, Mapping
from typing import Final

from people.models import AuditEntry
from tournaments.engine.matrix import HERE, NOTE, OWN, PAID, Cell
from tournaments.engine.trail.action import TrailAction, Unread
from tournaments.engine.trail.check_in import EntriesHere, EntriesNotHere
from tournaments.engine.trail.entries import EntriesPaid, EntryDetailsSet
from tournaments.models import Entry, Event
from tournaments.models.trail import read_row, scope_of

_LOOKED_AT: Final = 400  # rows of the trail
_OF_ENTRY: Final = Entry._meta.label_lower  # noqa: SLF001 (Django documents it)


def changed_last(event: Event, cells: Mapping[Cell, Collection[int]]) -> dict[Cell, AuditEntry]:
    """For each of ``cells``, with the entries that it is about, the newest row of the trail that changed it; a query."""
    found: dict[Cell, AuditEntry] = {}
    for row in AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")[:_LOOKED_AT]:
        if len(found) == len(cells):
            break
        action = read_row(row)
        touched = _touched(row, action)
        for cell, entries in cells.items():
            if cell not in found and touched & set(entries) and _is_of(cell.column, action):
                found[cell] = row
    return found


def _touched(row: AuditEntry, action: TrailAction | Unread) -> set[int]:
    own = {row.subject_id} if row.subject_type == _OF_ENTRY and row.subject_id is not None else set()
    named = getattr(action, "entries", ())
    if not isinstance(named, tuple):  # how many they were
        return own
    return own | {int(one.entry) for one in named if hasattr(one, "entry")}


def _is_of(column: str, action: TrailAction | Unread) -> bool:
    """Whether such an action changes what stands in this column."""
    if isinstance(action, EntriesHere | EntriesNotHere):
        return column == HERE
    if isinstance(action, EntriesPaid):
        return column == PAID
    if isinstance(action, EntryDetailsSet):
        field = "extra" if column.startswith(OWN) else column
        return field in action.fields and field in {PAID, NOTE, "extra"}
    return column.isdecimal()
