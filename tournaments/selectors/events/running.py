"""Running events with current activity, to be checked before maintenance of the site."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Max, Q

from people.models import AuditEntry
from tournaments.engine.statuses import PLAYERS_BUSY, EventStatus
from tournaments.models import Event

# An event without actions for this long, and without a match at a table, is idle.
IDLE_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class EventInPlay:
    """A running event that is not idle.

    ``playing``: number of matches that have begun and are not over; ``last``: time of the last action.
    """

    public_id: str
    name: str
    club: str
    playing: int
    last: datetime | None


def events_in_play(now: datetime) -> list[EventInPlay]:
    """Return the running events that are not idle, most matches at tables first; two queries.

    An event is idle without a match at a table and without an action for ``IDLE_AFTER``.
    """
    playing_count = Count(
        "divisions__stages__matches", filter=Q(divisions__stages__matches__status__in=PLAYERS_BUSY)
    )
    events = (
        Event.objects.filter(status=EventStatus.RUNNING)
        .select_related("club")
        .annotate(playing=playing_count)
    )
    event_by_scope = {f"event:{event.pk}": event for event in events}
    last_times = (
        AuditEntry.objects.filter(scope__in=event_by_scope)
        .order_by()
        .values_list("scope")
        .annotate(last=Max("at"))
    )
    last_by_scope = dict(last_times)
    in_play = [
        EventInPlay(event.public_id, event.name, event.club.name, event.playing, last_by_scope.get(scope))
        for scope, event in event_by_scope.items()
        if event.playing or (scope in last_by_scope and now - last_by_scope[scope] < IDLE_AFTER)
    ]
    return sorted(in_play, key=lambda event: (-event.playing, event.name))
