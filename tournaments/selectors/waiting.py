"""Waiting lists of divisions: their entries in order, and free places of divisions."""

from collections.abc import Collection, Iterable
from typing import Final

from django.db.models import Count, Max, Q

from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, ENTRY_ON_WAITING_LIST, EntryStatus
from tournaments.models import Division, Entry, Event

QUEUE_ORDER: Final = ("queue_number", "pk")  # who waits longest first


def waiting_names(divisions: Iterable[int]) -> dict[int, list[str]]:
    """Return the names on the waiting lists in order, keyed by division id, without pending entries."""
    names_by_division: dict[int, list[str]] = {}
    rows = Entry.objects.filter(division__in=list(divisions), status=EntryStatus.WAITING).order_by(
        *QUEUE_ORDER
    )
    for division, name in rows.values_list("division_id", "name"):
        names_by_division.setdefault(division, []).append(name)
    return names_by_division


def place_in_queue(entry: Entry) -> int | None:
    """Return the place of ``entry`` on its waiting list, from 1; None if it is not on a waiting list."""
    if entry.status not in ENTRY_ON_WAITING_LIST:
        return None
    return count_ahead(entry) + 1


def count_ahead(entry: Entry) -> int:
    """Return the number of entries ahead of ``entry`` on its waiting list."""
    is_ahead = Q(queue_number__lt=entry.queue_number) | Q(queue_number=entry.queue_number, pk__lt=entry.pk)
    return Entry.objects.filter(
        is_ahead, division=entry.division_id, status__in=ENTRY_ON_WAITING_LIST
    ).count()


def next_queue_number(division: Division) -> int:
    """Return the ``Entry.queue_number`` that puts an entry at the end of the waiting list of ``division``."""
    last: int | None = Entry.objects.filter(division=division).aggregate(last=Max("queue_number"))["last"]
    return 1 + (last or 0)


def full_divisions(divisions: Collection[Division]) -> set[int]:
    """Return the ids of those ``divisions`` whose next entry goes to the waiting list."""
    capacities = {division.pk: division.capacity for division in divisions if division.capacity is not None}
    if not capacities:
        return set()
    rows = Entry.objects.filter(division__in=capacities)
    entry_counts = dict(
        rows.filter(status__in=ENTRY_HOLDS_PLACE)
        .values_list("division")
        .annotate(times=Count("pk"))
        .order_by()
    )
    with_queue = set(rows.filter(status__in=ENTRY_ON_WAITING_LIST).values_list("division", flat=True))
    return with_queue | {pk for pk, capacity in capacities.items() if entry_counts.get(pk, 0) >= capacity}


def place_counts_by_division(event: Event) -> dict[int, tuple[int, int]]:
    """Return the numbers of entries with a place and on the waiting list, keyed by division id; one query.

    Divisions without entries are left out.
    """
    rows = Entry.objects.filter(
        division__event=event, status__in=(*ENTRY_HOLDS_PLACE, *ENTRY_ON_WAITING_LIST)
    ).order_by()
    held_count, queued_count = (
        Count("pk", filter=Q(status__in=ENTRY_HOLDS_PLACE)),
        Count("pk", filter=Q(status__in=ENTRY_ON_WAITING_LIST)),
    )
    count_rows = rows.values_list("division").annotate(held=held_count, queued=queued_count)
    return {division: (placed, waiting) for division, placed, waiting in count_rows}


def place_counts(division: Division) -> tuple[int, int]:
    """Return the numbers of entries of ``division`` with a place and on the waiting list."""
    rows = list(Entry.objects.filter(division=division).values_list("status", flat=True))
    return sum(status in ENTRY_HOLDS_PLACE for status in rows), sum(
        status in ENTRY_ON_WAITING_LIST for status in rows
    )
