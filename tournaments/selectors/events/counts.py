"""Counts of an event that its directors' tabs and pages show."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Value

from tournaments.engine.statuses import ENTRY_UNCONFIRMED, OVER, EntryStatus, MatchStatus
from tournaments.engine.types import ResultKind
from tournaments.models import CheckIn, DeskNote, Entry, Event, Match, Objection
from tournaments.selectors.access.phones import pending_device_rows


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Counts of an event.

    ``entries``: active entries, and ``active_entries_by_division`` these by division id; ``expected``:
    entries pending approval; ``pending_devices``: devices pending access; ``matches``: match status to count;
    ``objections``: unsettled correction requests; ``has_check_in``: a division has a check-in; ``notes``:
    unfinished staff notes, ``for_helpers`` of them for assistants.
    """

    entries: int
    withdrawn: int
    expected: int = 0
    pending_devices: int = 0
    matches: dict[str, int] = field(default_factory=dict)
    objections: int = 0
    active_entries_by_division: dict[int, int] = field(default_factory=dict)
    has_check_in: bool = False
    notes: int = 0
    for_helpers: int = 0

    def of(self, *statuses: MatchStatus) -> int:
        return sum(self.matches.get(status, 0) for status in statuses)

    @property
    def disputed(self) -> int:
        return self.of(MatchStatus.DISPUTED)

    @property
    def reported_matches(self) -> int:
        return self.of(MatchStatus.REPORTED)

    @property
    def playing(self) -> int:
        return self.of(MatchStatus.CALLED, MatchStatus.PLAYING)

    @property
    def ready(self) -> int:
        return self.of(MatchStatus.READY)

    @property
    def unfinished_matches(self) -> int:
        """Number of matches that are not over."""
        return sum(times for status, times in self.matches.items() if status not in OVER)

    @property
    def urgent(self) -> int:
        """Number of results that wait for the director: reported, disputed or with a correction request."""
        return self.disputed + self.reported_matches + self.objections


def event_counts(event: Event) -> EventCounts:
    """Count the entries, matches and open requests of ``event``; three queries."""
    entries = list(
        Entry.objects.filter(division__event=event)
        .values_list("division", "status")
        .annotate(times=Count("pk"))
        .order_by()
    )
    active_by_division = {
        division: times for division, status, times in entries if status == EntryStatus.ACTIVE
    }
    matches = dict(
        Match.objects.filter(stage__division__event=event)
        .exclude(result_kind=ResultKind.BYE)
        .values_list("status")
        .annotate(times=Count("pk"))
        .order_by()
    )
    of_event = OuterRef("pk")
    open_notes = DeskNote.objects.filter(event=of_event, done_at=None)
    objections, phone_requests, checks_in, notes, for_helpers = Event.objects.values_list(
        _count_subquery(Objection.objects.filter(match__stage__division__event=of_event, settled_at=None)),
        _count_subquery(pending_device_rows().filter(entry__division__event=of_event)),
        Exists(CheckIn.objects.filter(division__event=of_event)),
        _count_subquery(open_notes),
        _count_subquery(open_notes.filter(for_helpers=True)),
    ).get(pk=event.pk)
    return EventCounts(
        entries=sum(active_by_division.values()),
        withdrawn=sum(times for _division, status, times in entries if status == EntryStatus.WITHDRAWN),
        expected=sum(times for _division, status, times in entries if status in ENTRY_UNCONFIRMED),
        matches=matches,
        objections=objections or 0,
        pending_devices=phone_requests or 0,
        has_check_in=checks_in,
        notes=notes or 0,
        for_helpers=for_helpers or 0,
        active_entries_by_division=active_by_division,
    )


def _count_subquery(rows: QuerySet[Any]) -> Subquery:
    """Subquery for the number of ``rows``; its value is None if there are no rows."""
    return Subquery(rows.order_by().values(one=Value(1)).annotate(times=Count("pk")).values("times"))
