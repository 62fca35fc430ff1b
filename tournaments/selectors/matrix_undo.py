"""Entries that the undo of a save of the players table leaves unchanged."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from people.models import AuditEntry
from tournaments.engine.alerts import PlaceReceived
from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, ENTRY_UNCONFIRMED, EntryStatus
from tournaments.engine.trail.matrix import PlayersTableSaved
from tournaments.models import Delivery, Entry, Event, LinkPhone
from tournaments.models.trail import parse_row

_SAVE_DURATION: Final = timedelta(minutes=1)  # a save, at most
# The push service or the mail queue has it, or a worker is sending it.
_SENT_STATES: Final = (Delivery.State.TAKEN, Delivery.State.SENT)


@dataclass(frozen=True, slots=True)
class UndoExceptions:
    """Entries, by id and name, that an undo leaves unchanged.

    ``notified`` got a notification that they moved up; ``known`` have used their link since.
    """

    notified: dict[int, str]
    known: dict[int, str]

    @property
    def names(self) -> dict[int, str]:
        return {**self.notified, **self.known}


def undo_exceptions_of_row(event: Event, row: AuditEntry) -> UndoExceptions:
    """Exceptions if the save of ``row`` were undone now; three queries at most."""
    action = parse_row(row)
    if not isinstance(action, PlayersTableSaved):
        return UndoExceptions({}, {})
    return undo_exceptions(event, action, row.at)


def undo_exceptions(event: Event, action: PlayersTableSaved, at: datetime) -> UndoExceptions:
    """Exceptions for a save that was made at this moment."""
    approved = [entry.entry for entry in action.approved]
    affected_ids = {*action.moved, *approved}
    if not affected_ids:
        return UndoExceptions({}, {})
    entries = {entry.pk: entry for entry in Entry.objects.filter(pk__in=affected_ids, division__event=event)}
    notified_ids = notified_of_move_up(event, [pk for pk in action.moved if pk in entries], at)
    known_ids = (
        set(LinkPhone.objects.filter(entry__in=approved).values_list("entry", flat=True))
        if approved
        else set()
    )
    return UndoExceptions(
        {
            pk: entry.name
            for pk, entry in entries.items()
            if pk in notified_ids and entry.status in ENTRY_HOLDS_PLACE
        },
        {
            pk: entry.name
            for pk, entry in entries.items()
            if pk in known_ids and entry.status not in {*ENTRY_UNCONFIRMED, EntryStatus.WITHDRAWN}
        },
    )


def notified_of_move_up(event: Event, entries: Collection[int], at: datetime) -> set[int]:
    """Ids of those of these entries that were notified of moving up at about that moment."""
    if not entries:
        return set()
    rows = Delivery.objects.filter(
        notification__event=event,
        notification__kind=PlaceReceived.kind,
        notification__made_at__gte=at - _SAVE_DURATION,
        entry__in=entries,
    )
    return set(rows.filter(state__in=_SENT_STATES).values_list("entry", flat=True))
