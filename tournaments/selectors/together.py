"""What was done with several entries in one step and can be undone, read from the audit log."""

from collections.abc import Iterable
from typing import Any, Final

from people.models import AuditEntry
from tournaments.engine.trail.action import TrailAction, Unread
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntriesWithdrawn,
    SeedsSet,
)
from tournaments.models import Division, Entry, Event
from tournaments.models.trail import read_row, scope_of

_LOOKED_AT: Final = 60  # rows of the log: nobody undoes what was done hours ago without looking at it


def is_undoable(action: TrailAction | Unread | None) -> bool:
    """Whether an action was one step with several entries that says what an undo needs; rows of earlier releases do not."""
    match action:
        case EntriesAdded(together=True) | EntriesWithdrawn():
            return True
        case EntriesMoved(came_from=before) | EntriesApproved(before=before) | EntriesPaid(before=before):
            return bool(before)
        case SeedsSet(before=before):
            return bool(before)
        case _:
            return False


def entries_in(action: Any) -> dict[int, str]:
    """The entries of such an action, by id, with the names that they had; without names where the log keeps none."""
    if isinstance(action, SeedsSet):
        return dict.fromkeys(map(int, action.before), "")
    wanted = {int(one.entry): one.name for one in action.entries}
    if isinstance(action, EntriesPaid):  # whoever had not said before has nothing to go back to
        real = {int(one.entry) for one in action.before}
        return {pk: name for pk, name in wanted.items() if pk in real}
    return wanted


def names_in(action: Any) -> list[str]:
    """The names of the entries of such an action."""
    wanted = entries_in(action)
    names = [name for name in wanted.values() if name]
    return names or list(Entry.objects.filter(pk__in=wanted).order_by("name").values_list("name", flat=True))


def public_ids(entries: Iterable[int]) -> list[str]:
    """The public ids of entries by those of the database; who is gone has none."""
    return list(Entry.objects.filter(pk__in=entries).order_by("pk").values_list("public_id", flat=True))


def last_together(
    event: Event, division: Division | None = None
) -> tuple[AuditEntry, TrailAction | Unread] | None:
    """The latest of such steps with two entries or more that was not undone; of one ``division`` alone, or of the event. Two queries at most."""
    rows = AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")[:_LOOKED_AT]
    steps = ((row, read_row(row)) for row in rows if row.undone_by_id is None)
    found = (step for step in steps if is_undoable(step[1]) and len(entries_in(step[1])) > 1)
    if division is None:
        return next(found, None)
    every = list(found)
    wanted = {pk for _row, action in every for pk in entries_in(action)}
    own = set(Entry.objects.filter(pk__in=wanted, division=division).values_list("pk", flat=True))
    return next((one for one in every if own.intersection(entries_in(one[1]))), None)
