"""Bulk actions (on several entries in one step) that can be undone, from the audit log."""

from collections.abc import Iterable
from typing import Any, Final

from people.models import AuditEntry
from tournaments.engine.trail.action import AuditAction, UnknownAction
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntriesWithdrawn,
    SeedsSet,
)
from tournaments.models import Division, Entry, Event
from tournaments.models.trail import audit_scope, parse_row

_MAX_ROWS: Final = 60  # rows of the log: nobody undoes what was done hours ago without looking at it


def is_undoable(action: AuditAction | UnknownAction | None) -> bool:
    """Return whether a bulk action stores what an undo needs; rows of earlier releases do not."""
    match action:
        case EntriesAdded(together=True) | EntriesWithdrawn():
            return True
        case EntriesMoved(came_from=before) | EntriesApproved(before=before) | EntriesPaid(before=before):
            return bool(before)
        case SeedsSet(before=before):
            return bool(before)
        case _:
            return False


def entries_of_action(action: Any) -> dict[int, str]:
    """Return the entries of a bulk action that an undo restores, as entry id to name at that time.

    The name is empty if the audit log does not contain it.
    """
    if isinstance(action, SeedsSet):
        return dict.fromkeys(map(int, action.before), "")
    name_by_id = {int(entry.entry): entry.name for entry in action.entries}
    if isinstance(action, EntriesPaid):  # whoever had not said before has nothing to go back to
        restorable_ids = {int(entry.entry) for entry in action.before}
        return {pk: name for pk, name in name_by_id.items() if pk in restorable_ids}
    return name_by_id


def entry_names_of_action(action: Any) -> list[str]:
    """Return the names of the entries of a bulk action, current names if the audit log has none."""
    name_by_id = entries_of_action(action)
    names = [name for name in name_by_id.values() if name]
    return names or list(
        Entry.objects.filter(pk__in=name_by_id).order_by("name").values_list("name", flat=True)
    )


def entry_public_ids(entries: Iterable[int]) -> list[str]:
    """Return the public ids of these entries (ids); deleted entries are left out."""
    return list(Entry.objects.filter(pk__in=entries).order_by("pk").values_list("public_id", flat=True))


def last_bulk_action(
    event: Event, division: Division | None = None
) -> tuple[AuditEntry, AuditAction | UnknownAction] | None:
    """Return the latest action on two or more entries that was not undone and can be, with its audit row.

    ``division``: only actions on its entries. None if there is none. At most two queries.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")[:_MAX_ROWS]
    steps = ((row, parse_row(row)) for row in rows if row.undone_by_id is None)
    undoable_steps = (step for step in steps if is_undoable(step[1]) and len(entries_of_action(step[1])) > 1)
    if division is None:
        return next(undoable_steps, None)
    all_steps = list(undoable_steps)
    entry_ids = {pk for _row, action in all_steps for pk in entries_of_action(action)}
    division_entry_ids = set(
        Entry.objects.filter(pk__in=entry_ids, division=division).values_list("pk", flat=True)
    )
    return next(
        (step for step in all_steps if division_entry_ids.intersection(entries_of_action(step[1]))), None
    )
