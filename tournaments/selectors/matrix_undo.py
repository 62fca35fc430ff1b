"""What the undo of a save of the matrix leaves as it is: who moved up and was told so, who was approved and has used their link."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from people.models import AuditEntry
from tournaments.engine.alerts import MovedUp
from tournaments.engine.statuses import HOLDS_PLACE, UNCONFIRMED, EntryStatus
from tournaments.engine.trail.matrix import MatrixSaved
from tournaments.models import Delivery, Entry, Event, LinkPhone
from tournaments.models.trail import read_row

_LASTS: Final = timedelta(minutes=1)  # a save, at most
# A push service or the mail has it, or a worker is at it.
_OUT: Final = (Delivery.State.TAKEN, Delivery.State.SENT)


@dataclass(frozen=True, slots=True)
class Stays:
    """Entries, by id and name, that an undo leaves: ``notified`` have heard that they moved up, ``known`` have spoken by their link since."""

    notified: dict[int, str]
    known: dict[int, str]

    @property
    def names(self) -> dict[int, str]:
        return {**self.notified, **self.known}


def stays_of(event: Event, row: AuditEntry) -> Stays:
    """What would stay if the save of ``row`` were taken back now; three queries at most."""
    action = read_row(row)
    if not isinstance(action, MatrixSaved):
        return Stays({}, {})
    return stays(event, action, row.at)


def stays(event: Event, action: MatrixSaved, at: datetime) -> Stays:
    """The same of a save that was made at a moment."""
    approved = [one.entry for one in action.approved]
    wanted = {*action.moved, *approved}
    if not wanted:
        return Stays({}, {})
    entries = {one.pk: one for one in Entry.objects.filter(pk__in=wanted, division__event=event)}
    notified = notified_of_place(event, [pk for pk in action.moved if pk in entries], at)
    known = (
        set(LinkPhone.objects.filter(entry__in=approved).values_list("entry", flat=True))
        if approved
        else set()
    )
    return Stays(
        {pk: one.name for pk, one in entries.items() if pk in notified and one.status in HOLDS_PLACE},
        {
            pk: one.name
            for pk, one in entries.items()
            if pk in known and one.status not in {*UNCONFIRMED, EntryStatus.WITHDRAWN}
        },
    )


def notified_of_place(event: Event, entries: Collection[int], at: datetime) -> set[int]:
    """Which of these entries, by id, have heard that they moved up at about that moment."""
    if not entries:
        return set()
    rows = Delivery.objects.filter(
        notification__event=event,
        notification__kind=MovedUp.kind,
        notification__made_at__gte=at - _LASTS,
        entry__in=entries,
    )
    return set(rows.filter(state__in=_OUT).values_list("entry", flat=True))
