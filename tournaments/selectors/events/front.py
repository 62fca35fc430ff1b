"""Facts for front pages beside the events: free places of upcoming events, winners of finished ones."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone

from people.models import Club
from tournaments.engine.standings.leaving import WithdrawnRights, places_without
from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, ENTRY_ON_WAITING_LIST, EntryStatus, StageStatus
from tournaments.models import Division, Entry, Event, Stage
from tournaments.selectors.access.visibility import listed_events, site_events
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.standings.tables import withdrawal_rule


@dataclass(frozen=True, slots=True)
class OpenPlaces:
    """Free places for registration.

    ``left`` (None: without limit), ``queued``: entries on waiting lists, ``until``: the last closing time.
    """

    left: int | None
    queued: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner of a division; ``division`` is its name if the event has several."""

    event: Event
    division: str
    name: str


def open_places_by_event(events: Collection[Event]) -> dict[int, OpenPlaces]:
    """Open places by event id, for events that accept entries on their pages. One query."""
    drawn = Stage.objects.filter(division=OuterRef("pk")).exclude(status=StageStatus.SETUP)
    held = Count("entries", filter=Q(entries__status__in=ENTRY_HOLDS_PLACE))
    queued = Count("entries", filter=Q(entries__status__in=ENTRY_ON_WAITING_LIST))
    asked = Q(entries_until=None) | Q(entries_until__gte=timezone.now())
    rows = Division.objects.filter(asked, ~Exists(drawn), event__in=events, event__registration_open=True)
    counted = rows.annotate(held=held, queued=queued).order_by("event", "position")
    found: dict[int, OpenPlaces] = {}
    for event, capacity, until, has, waits in counted.values_list(
        "event", "capacity", "entries_until", "held", "queued"
    ):
        left = None if capacity is None else 0 if waits else max(0, capacity - has)
        own = found.get(event)
        if own is None:
            found[event] = OpenPlaces(left, waits, until)
        else:
            found[event] = OpenPlaces(
                None if left is None or own.left is None else own.left + left,
                own.queued + waits,
                None if until is None or own.until is None else max(own.until, until),
            )
    return found


def next_entry_deadline(club: Club | None = None) -> datetime | None:
    """When entries of a listed event, of ``club`` or of any, close next; None if none do. One query."""
    events = site_events() if club is None else listed_events().filter(club=club)
    ahead = Division.objects.filter(
        event__in=events, event__registration_open=True, entries_until__gt=timezone.now()
    )
    found: datetime | None = ahead.aggregate(next=Min("entries_until"))["next"]
    return found


def event_winners(events: Collection[Event]) -> list[Winner]:
    """The winner of each division of finished ``events``, in order.

    Shared first places and unlisted winners are left out; where players who withdrew keep no prize
    (``standings.tables.withdrawal_rule``), the best of those who stayed.
    """
    by_pk = {event.pk: event for event in events}
    stages = Stage.objects.filter(division__event__in=by_pk).select_related("division")
    last: dict[int, Stage] = {}
    for stage in stages.order_by("division__position", "division__pk", "position", "pk"):
        stage.division.event = by_pk[stage.division.event_id]
        last[stage.division_id] = stage
    if not last:
        return []
    places = places_by_stage(last.values())
    drawn = {stage.pk: stage for stage in last.values()}
    left = set(
        Entry.objects.filter(division__in=last, status=EntryStatus.WITHDRAWN).values_list("pk", flat=True)
    )
    first: dict[int, int] = {}
    for pk, own in places.items():
        settled = {entry: (place.first, place.last) for entry, place in own.items() if place.settled}
        out = {
            entry
            for entry in settled
            if entry in left and withdrawal_rule(drawn[pk]) is not WithdrawnRights.KEEP
        }
        first |= {entry: pk for entry, (_best, worst) in places_without(settled, out).items() if worst == 1}
    rows = Entry.objects.filter(pk__in=first).exclude(players__listed=False).order_by()
    names = {first[pk]: name for pk, name in rows.values_list("pk", "name")}
    found = [
        Winner(stage.division.event, stage.division.name, names[stage.pk])
        for stage in last.values()
        if stage.pk in names
    ]
    order = {event.pk: number for number, event in enumerate(events)}
    return sorted(found, key=lambda winner: order[winner.event.pk])
