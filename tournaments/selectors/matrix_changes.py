"""The last change of each cell of the players table, from the audit log."""

from collections.abc import Collection, Mapping
from typing import Final

from people.models import AuditEntry
from tournaments.engine.matrix import CHECKED_IN_COLUMN, CUSTOM_FIELD_PREFIX, NOTE_COLUMN, PAID_COLUMN, Cell
from tournaments.engine.trail.action import AuditAction, UnknownAction
from tournaments.engine.trail.check_in import EntriesCheckedIn, EntriesCheckedOut
from tournaments.engine.trail.entries import EntriesPaid, EntryDetailsSet
from tournaments.models import Entry, Event
from tournaments.models.trail import audit_scope, parse_row

_MAX_ROWS: Final = 400  # rows of the trail
_ENTRY_LABEL: Final = Entry._meta.label_lower  # noqa: SLF001 (Django documents it)


def last_change_by_cell(event: Event, cells: Mapping[Cell, Collection[int]]) -> dict[Cell, AuditEntry]:
    """Return the newest audit row that changed each of ``cells``, keyed by cell; one query.

    ``cells``: the ids of the entries behind each cell. Only the last ``_MAX_ROWS`` audit rows are searched.
    """
    row_by_cell: dict[Cell, AuditEntry] = {}
    for row in AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")[:_MAX_ROWS]:
        if len(row_by_cell) == len(cells):
            break
        action = parse_row(row)
        touched_ids = _touched_entries(row, action)
        for cell, entries in cells.items():
            if (
                cell not in row_by_cell
                and touched_ids & set(entries)
                and _changes_column(cell.column, action)
            ):
                row_by_cell[cell] = row
    return row_by_cell


def _touched_entries(row: AuditEntry, action: AuditAction | UnknownAction) -> set[int]:
    subject_ids = (
        {row.subject_id} if row.subject_type == _ENTRY_LABEL and row.subject_id is not None else set()
    )
    named_entries = getattr(action, "entries", ())
    if not isinstance(named_entries, tuple):  # how many they were
        return subject_ids
    return subject_ids | {
        int(named_entry.entry) for named_entry in named_entries if hasattr(named_entry, "entry")
    }


def _changes_column(column: str, action: AuditAction | UnknownAction) -> bool:
    """Return whether the action changes cells of this column."""
    if isinstance(action, EntriesCheckedIn | EntriesCheckedOut):
        return column == CHECKED_IN_COLUMN
    if isinstance(action, EntriesPaid):
        return column == PAID_COLUMN
    if isinstance(action, EntryDetailsSet):
        field = "extra" if column.startswith(CUSTOM_FIELD_PREFIX) else column
        return field in action.fields and field in {PAID_COLUMN, NOTE_COLUMN, "extra"}
    return column.isdecimal()
