"""Entries that stay unchanged when a save of the players table is undone."""

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
    """Entries that an undo leaves unchanged, as entry id to name.

    ``notified_entries``: their players were notified that they moved up; ``known``: their players have opened
    their personal link since the save.
    """

    notified_entries: dict[int, str]
    known: dict[int, str]

    @property
    def names(self) -> dict[int, str]:
        return {**self.notified_entries, **self.known}


def undo_exceptions_of_row(event: Event, row: AuditEntry) -> UndoExceptions:
    """Return the entries that would stay unchanged if the save in audit row ``row`` were undone now.

    At most three queries.
    """
    action = parse_row(row)
    if not isinstance(action, PlayersTableSaved):
        return UndoExceptions({}, {})
    return undo_exceptions(event, action, row.at)


def undo_exceptions(event: Event, action: PlayersTableSaved, at: datetime) -> UndoExceptions:
    """Return the entries that would stay unchanged if the save ``action`` of time ``at`` were undone now."""
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
    """Return the ids of those ``entries`` that were notified since ``at`` that they moved up."""
    if not entries:
        return set()
    rows = Delivery.objects.filter(
        notification__event=event,
        notification__kind=PlaceReceived.kind,
        notification__made_at__gte=at - _SAVE_DURATION,
        entry__in=entries,
    )
    return set(rows.filter(state__in=_SENT_STATES).values_list("entry", flat=True))
