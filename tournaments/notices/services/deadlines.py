"""The last day of a match is near: both sides are told, once for each day that is set."""

from datetime import datetime

from django.utils import timezone

from people.transactions import durable
from tournaments.engine.statuses import EventStatus
from tournaments.notices.services.notifying import notify
from tournaments.selectors.notifications import deadlines_to_tell, near_deadlines
from tournaments.store.lock import lock_event


def tell_deadlines(now: datetime | None = None) -> int:
    """Tell whoever has a match whose last day is near; how many matches that were. For the clock."""
    now = now or timezone.now()
    return sum(tell_deadlines_of(event_id=pk, now=now) for pk in near_deadlines(now))


@durable
def tell_deadlines_of(*, event_id: int, now: datetime) -> int:
    """Those of one event."""
    event = lock_event(event_id)
    found = deadlines_to_tell(event, now) if event.status == EventStatus.RUNNING else ()
    for one in found:
        notify(event, one)
    return len(found)
