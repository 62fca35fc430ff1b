"""What a front page says of events beside their rows: free places of those to come, winners of those that are over."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from tournaments.engine.statuses import HOLDS_PLACE, QUEUES, EntryStatus, StageStatus
from tournaments.models import Division, Entry, Event, Stage
from tournaments.selectors.events.detail import places_in


@dataclass(frozen=True, slots=True)
class Room:
    """Where players can enter themselves: ``left`` places (None: without limit), ``queued`` who wait for one, ``until`` the last closing time."""

    left: int | None
    queued: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won a division of an event, which has a ``division`` name if it has several."""

    event: Event
    division: str
    name: str


def room_in(events: Collection[Event]) -> dict[int, Room]:
    """By event, of those that take entries on their pages. One query."""
    drawn = Stage.objects.filter(division=OuterRef("pk")).exclude(status=StageStatus.SETUP)
    held = Count("entries", filter=Q(entries__status__in=HOLDS_PLACE))
    queued = Count("entries", filter=Q(entries__status__in=QUEUES))
    asked = Q(entries_until=None) | Q(entries_until__gte=timezone.now())
    rows = Division.objects.filter(asked, ~Exists(drawn), event__in=events, event__registration_open=True)
    counted = rows.annotate(held=held, queued=queued).order_by("event", "position")
    found: dict[int, Room] = {}
    for event, capacity, until, has, waits in counted.values_list(
        "event", "capacity", "entries_until", "held", "queued"
    ):
        left = None if capacity is None else 0 if waits else max(0, capacity - has)
        own = found.get(event)
        if own is None:
            found[event] = Room(left, waits, until)
        else:
            found[event] = Room(
                None if left is None or own.left is None else own.left + left,
                own.queued + waits,
                None if until is None or own.until is None else max(own.until, until),
            )
    return found


def winners_in(events: Collection[Event]) -> list[Winner]:
    """Who won each division of finished ``events``, in their order. Nobody is named who withdrew, shares the place or is not listed."""
    by_pk = {event.pk: event for event in events}
    stages = Stage.objects.filter(division__event__in=by_pk).select_related("division")
    last: dict[int, Stage] = {}
    for stage in stages.order_by("division__position", "division__pk", "position", "pk"):
        stage.division.event = by_pk[stage.division.event_id]
        last[stage.division_id] = stage
    if not last:
        return []
    places = places_in(last.values())
    first: Mapping[int, int] = {
        entry: pk
        for pk, own in places.items()
        for entry, place in own.items()
        if place.settled and place.first == place.last == 1
    }
    rows = (
        Entry.objects.filter(pk__in=first, status=EntryStatus.ACTIVE)
        .exclude(players__listed=False)
        .order_by()
    )
    names = {first[pk]: name for pk, name in rows.values_list("pk", "name")}
    found = [
        Winner(stage.division.event, stage.division.name, names[stage.pk])
        for stage in last.values()
        if stage.pk in names
    ]
    order = {event.pk: number for number, event in enumerate(events)}
    return sorted(found, key=lambda winner: order[winner.event.pk])
