"""Extra facts for events on front pages: free places of upcoming events, winners of finished events."""

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
    """The free places of an event that registration is open for.

    ``left``: number of free places, None without a limit; ``waiting_entries``: entries on waiting lists;
    ``until``: when registration for the last division closes, None if for one it does not close.
    """

    left: int | None
    waiting_entries: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner of a division. ``division``: the division's name, empty if it has none."""

    event: Event
    division: str
    name: str


def open_places_by_event(events: Collection[Event]) -> dict[int, OpenPlaces]:
    """Return the free places of ``events`` whose registration is open, keyed by event id; one query.

    Divisions that are drawn or whose registration has closed do not count.
    """
    drawn_stages = Stage.objects.filter(division=OuterRef("pk")).exclude(status=StageStatus.SETUP)
    held_count = Count("entries", filter=Q(entries__status__in=ENTRY_HOLDS_PLACE))
    queued_count = Count("entries", filter=Q(entries__status__in=ENTRY_ON_WAITING_LIST))
    is_open = Q(entries_until=None) | Q(entries_until__gte=timezone.now())
    rows = Division.objects.filter(
        is_open, ~Exists(drawn_stages), event__in=events, event__registration_open=True
    )
    count_rows = rows.annotate(held=held_count, queued=queued_count).order_by("event", "position")
    open_places: dict[int, OpenPlaces] = {}
    for event, capacity, deadline, placed, waiting in count_rows.values_list(
        "event", "capacity", "entries_until", "held", "queued"
    ):
        places_left = None if capacity is None else 0 if waiting else max(0, capacity - placed)
        event_places = open_places.get(event)
        if event_places is None:
            open_places[event] = OpenPlaces(places_left, waiting, deadline)
        else:
            open_places[event] = OpenPlaces(
                None if places_left is None or event_places.left is None else event_places.left + places_left,
                event_places.waiting_entries + waiting,
                None if deadline is None or event_places.until is None else max(event_places.until, deadline),
            )
    return open_places


def next_entry_deadline(club: Club | None = None) -> datetime | None:
    """Return when registration for a listed event of ``club`` (None: of any club) closes next, or None.

    One query.
    """
    events = site_events() if club is None else listed_events().filter(club=club)
    open_divisions = Division.objects.filter(
        event__in=events, event__registration_open=True, entries_until__gt=timezone.now()
    )
    deadline: datetime | None = open_divisions.aggregate(next=Min("entries_until"))["next"]
    return deadline


def event_winners(events: Collection[Event]) -> list[Winner]:
    """Return the winners of the divisions of finished ``events``, in the order of ``events``.

    Shared first places and unlisted winners are left out. Where players who withdrew win no prize
    (``standings.tables.withdrawal_rule``), the best of the other entries is the winner.
    """
    by_pk = {event.pk: event for event in events}
    stages = Stage.objects.filter(division__event__in=by_pk).select_related("division")
    last_stages: dict[int, Stage] = {}
    for stage in stages.order_by("division__position", "division__pk", "position", "pk"):
        stage.division.event = by_pk[stage.division.event_id]
        last_stages[stage.division_id] = stage
    if not last_stages:
        return []
    places = places_by_stage(last_stages.values())
    stage_by_id = {stage.pk: stage for stage in last_stages.values()}
    withdrawn_ids = set(
        Entry.objects.filter(division__in=last_stages, status=EntryStatus.WITHDRAWN).values_list(
            "pk", flat=True
        )
    )
    stage_by_winner: dict[int, int] = {}
    for pk, stage_places in places.items():
        settled = {entry: (place.first, place.last) for entry, place in stage_places.items() if place.settled}
        without_prize = {
            entry
            for entry in settled
            if entry in withdrawn_ids and withdrawal_rule(stage_by_id[pk]) is not WithdrawnRights.KEEP
        }
        stage_by_winner |= {
            entry: pk
            for entry, (_best, worst) in places_without(settled, without_prize).items()
            if worst == 1
        }
    rows = Entry.objects.filter(pk__in=stage_by_winner).exclude(players__listed=False).order_by()
    names = {stage_by_winner[pk]: name for pk, name in rows.values_list("pk", "name")}
    winners = [
        Winner(stage.division.event, stage.division.name, names[stage.pk])
        for stage in last_stages.values()
        if stage.pk in names
    ]
    event_order = {event.pk: number for number, event in enumerate(events)}
    return sorted(winners, key=lambda winner: event_order[winner.event.pk])
