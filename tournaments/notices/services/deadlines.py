"""Reminders before the last day of a match and before an agreed time, once for each day and time."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from people.transactions import durable
from tournaments.engine.alerts import AgreedTimeNear
from tournaments.engine.statuses import EventStatus
from tournaments.notices.services.notifying import notify
from tournaments.selectors.matches.arrangements import agreed_matches_soon
from tournaments.selectors.notifications import (
    due_deadline_alerts,
    events_with_near_deadlines,
    notified_meetings,
)
from tournaments.store.lock import lock_event

REMINDER_PERIOD: Final = timedelta(days=1)  # before an agreed time


def notify_deadlines(now: datetime | None = None) -> int:
    """Notify the players of matches whose last day is near. Return the number of matches.

    A periodic task calls it.
    """
    now = now or timezone.now()
    return sum(notify_event_deadlines(event_id=pk, now=now) for pk in events_with_near_deadlines(now))


@durable
def notify_event_deadlines(*, event_id: int, now: datetime) -> int:
    """Notify the players of such matches in one event. Return the number of matches."""
    event = lock_event(event_id)
    found = due_deadline_alerts(event, now) if event.status == EventStatus.RUNNING else ()
    for one in found:
        notify(event, one)
    return len(found)


def notify_meetings(now: datetime | None = None) -> int:
    """Remind players of times within a day that were agreed more than a day ago.

    Returns the number of matches. A periodic task calls it.
    """
    now = now or timezone.now()
    by_event: dict[int, list[AgreedTimeNear]] = {}
    for one in agreed_matches_soon(now, REMINDER_PERIOD):
        alert = AgreedTimeNear(match=one.match, at=one.at.isoformat())
        by_event.setdefault(one.event, []).append(alert)
    return sum(_notify_event_meetings(event_id=pk, found=found) for pk, found in sorted(by_event.items()))


@durable
def _notify_event_meetings(*, event_id: int, found: list[AgreedTimeNear]) -> int:
    event = lock_event(event_id)
    before = notified_meetings(event)
    new = [one for one in found if (one.match, one.at) not in before]
    for one in new:
        notify(event, one)
    return len(new)
