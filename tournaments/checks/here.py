"""Compare stored check-ins with those that follow from the audit log."""

from collections.abc import Iterator
from datetime import date

from people.models import AuditEntry
from tournaments.engine.trail.check_in import (
    CheckInRemoved,
    CheckInSet,
    CheckInUndone,
    EntriesCheckedIn,
    EntriesCheckedOut,
)
from tournaments.engine.trail.entries import EntriesMoved
from tournaments.models import CheckIn, Event, Here
from tournaments.models.trail import audit_scope, parse_action

_ACTION_KINDS = (CheckInSet, CheckInRemoved, EntriesCheckedIn, EntriesCheckedOut, CheckInUndone, EntriesMoved)
DivisionDay = tuple[int, date]


def check_in_faults(event: Event) -> Iterator[str]:
    """Yield a message for each division and date on which stored and logged check-ins differ.

    Also for each entry that is checked in to another division.
    """
    stored: dict[DivisionDay, set[int]] = {
        (check_in.division_id, check_in.day): set()
        for check_in in CheckIn.objects.filter(division__event=event)
    }
    rows = Here.objects.filter(check_in__division__event=event).select_related("check_in", "entry")
    for row in rows:
        division_day = (row.check_in.division_id, row.check_in.day)
        stored[division_day].add(row.entry_id)
        if row.entry.division_id != row.check_in.division_id:
            yield f"entry {row.entry_id} is checked in to another division, {row.check_in.division_id}"
    replayed = _replay_check_ins(event)
    for division_day in sorted(stored.keys() | replayed.keys()):
        stored_ids, logged = stored.get(division_day), replayed.get(division_day, {})
        if stored_ids is None or stored_ids != logged.keys():
            yield f"division {division_day[0]}, {division_day[1]}: {sorted(logged)} in the audit log, {sorted(stored_ids or ())} stored"


def _replay_check_ins(event: Event) -> dict[DivisionDay, dict[int, str]]:
    """Return the checked-in entries according to the audit log, keyed by division and date.

    Each value is a dictionary of check-in times keyed by entry id.
    """
    checked_in: dict[DivisionDay, dict[int, str]] = {}
    kinds = [kind.kind for kind in _ACTION_KINDS]
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=kinds).order_by("pk")
    actions_by_row: dict[int, tuple[DivisionDay, EntriesCheckedIn | EntriesCheckedOut]] = {}
    for pk, kind, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        action = parse_action(kind, data)
        if isinstance(action, EntriesMoved):
            _move_entries(checked_in, [entry.entry for entry in action.entries], subject)
        elif isinstance(action, CheckInUndone) and action.of in actions_by_row:
            _undo_mark(checked_in, *actions_by_row[action.of])
        elif (
            isinstance(action, CheckInSet | CheckInRemoved | EntriesCheckedIn | EntriesCheckedOut) and subject
        ):
            division_day = (subject, action.day)
            since_by_entry = checked_in.setdefault(division_day, {})
            if isinstance(action, CheckInRemoved):
                del checked_in[division_day]
            elif isinstance(action, EntriesCheckedIn):
                since_by_entry |= {entry.entry: action.at for entry in action.entries}
                actions_by_row[pk] = (division_day, action)
            elif isinstance(action, EntriesCheckedOut):
                for checked_out in action.entries:
                    since_by_entry.pop(checked_out.entry, None)
                actions_by_row[pk] = (division_day, action)
    return checked_in


def _undo_mark(
    checked_in: dict[DivisionDay, dict[int, str]],
    division_day: DivisionDay,
    action: EntriesCheckedIn | EntriesCheckedOut,
) -> None:
    since_by_entry = checked_in.setdefault(division_day, {})
    if isinstance(action, EntriesCheckedIn):
        for entry in action.entries:
            if since_by_entry.get(entry.entry) == action.at:
                del since_by_entry[entry.entry]
    else:
        for checked_out in action.entries:
            since_by_entry.setdefault(checked_out.entry, checked_out.at)


def _move_entries(
    checked_in: dict[DivisionDay, dict[int, str]], entries: list[int], target_division: int | None
) -> None:
    """Move entries to another division; they stay checked in on dates on which it has a check-in."""
    for division, day in list(checked_in):
        since_by_entry = checked_in[division, day]
        for entry in entries:
            since = since_by_entry.get(entry) if division != target_division else None
            if since is not None:
                del since_by_entry[entry]
                if target_division is not None and (target_division, day) in checked_in:
                    checked_in[target_division, day][entry] = since
