"""The last day of a match is near, or the time that its two sides agreed on: both are told, once for each day and time."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from people.transactions import durable
from tournaments.engine.alerts import MeetingNear
from tournaments.engine.statuses import EventStatus
from tournaments.notices.services.notifying import notify
from tournaments.selectors.matches.arrangements import agreed_soon
from tournaments.selectors.notifications import deadlines_to_tell, meetings_notified, near_deadlines
from tournaments.store.lock import lock_event

BEFORE: Final = timedelta(days=1)  # a time that was agreed on


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


def tell_meetings(now: datetime | None = None) -> int:
    """Remind whoever has agreed, more than a day ago, to play within a day; how many matches that were. For the clock."""
    now = now or timezone.now()
    by_event: dict[int, list[MeetingNear]] = {}
    for one in agreed_soon(now, BEFORE):
        alert = MeetingNear(match=one.match, at=one.at.isoformat())
        by_event.setdefault(one.event, []).append(alert)
    return sum(_tell_meetings_of(event_id=pk, found=found) for pk, found in sorted(by_event.items()))


@durable
def _tell_meetings_of(*, event_id: int, found: list[MeetingNear]) -> int:
    event = lock_event(event_id)
    before = meetings_notified(event)
    new = [one for one in found if (one.match, one.at) not in before]
    for one in new:
        notify(event, one)
    return len(new)
