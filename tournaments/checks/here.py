"""Compare stored check-ins with those replayed from the audit log."""

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
    """Iterate over differences by division and date, and over entries checked in to another division."""
    stored: dict[DivisionDay, set[int]] = {
        (one.division_id, one.day): set() for one in CheckIn.objects.filter(division__event=event)
    }
    rows = Here.objects.filter(check_in__division__event=event).select_related("check_in", "entry")
    for row in rows:
        where = (row.check_in.division_id, row.check_in.day)
        stored[where].add(row.entry_id)
        if row.entry.division_id != row.check_in.division_id:
            yield f"entry {row.entry_id} is checked in to another division, {row.check_in.division_id}"
    replayed = _replay_check_ins(event)
    for where in sorted(stored.keys() | replayed.keys()):
        kept, by_trail = stored.get(where), replayed.get(where, {})
        if kept is None or kept != by_trail.keys():
            yield f"division {where[0]}, {where[1]}: {sorted(by_trail)} in the audit log, {sorted(kept or ())} stored"


def _replay_check_ins(event: Event) -> dict[DivisionDay, dict[int, str]]:
    """Checked-in entries by division and date, each with its time, from the audit log."""
    found: dict[DivisionDay, dict[int, str]] = {}
    kinds = [kind.kind for kind in _ACTION_KINDS]
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=kinds).order_by("pk")
    done: dict[int, tuple[DivisionDay, EntriesCheckedIn | EntriesCheckedOut]] = {}
    for pk, kind, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        action = parse_action(kind, data)
        if isinstance(action, EntriesMoved):
            _move_entries(found, [entry.entry for entry in action.entries], subject)
        elif isinstance(action, CheckInUndone) and action.of in done:
            _undo_mark(found, *done[action.of])
        elif (
            isinstance(action, CheckInSet | CheckInRemoved | EntriesCheckedIn | EntriesCheckedOut) and subject
        ):
            where = (subject, action.day)
            here = found.setdefault(where, {})
            if isinstance(action, CheckInRemoved):
                del found[where]
            elif isinstance(action, EntriesCheckedIn):
                here |= {entry.entry: action.at for entry in action.entries}
                done[pk] = (where, action)
            elif isinstance(action, EntriesCheckedOut):
                for was in action.entries:
                    here.pop(was.entry, None)
                done[pk] = (where, action)
    return found


def _undo_mark(
    found: dict[DivisionDay, dict[int, str]], where: DivisionDay, action: EntriesCheckedIn | EntriesCheckedOut
) -> None:
    here = found.setdefault(where, {})
    if isinstance(action, EntriesCheckedIn):
        for entry in action.entries:
            if here.get(entry.entry) == action.at:
                del here[entry.entry]
    else:
        for was in action.entries:
            here.setdefault(was.entry, was.at)


def _move_entries(found: dict[DivisionDay, dict[int, str]], entries: list[int], to: int | None) -> None:
    """Move entries to another division; they stay checked in for dates on which it has a check-in."""
    for division, day in list(found):
        here = found[division, day]
        for entry in entries:
            since = here.get(entry) if division != to else None
            if since is not None:
                del here[entry]
                if to is not None and (to, day) in found:
                    found[to, day][entry] = since
