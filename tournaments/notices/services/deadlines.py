"""Reminders before the last day of a match and before an agreed time, sent once for each day or time."""

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

    Called by a periodic task, with one transaction for each event.
    """
    now = now or timezone.now()
    return sum(notify_event_deadlines(event_id=pk, now=now) for pk in events_with_near_deadlines(now))


@durable
def notify_event_deadlines(*, event_id: int, now: datetime) -> int:
    """Notify the players of matches of one event whose last day is near. Return the number of matches."""
    event = lock_event(event_id)
    alerts = due_deadline_alerts(event, now) if event.status == EventStatus.RUNNING else ()
    for alert in alerts:
        notify(event, alert)
    return len(alerts)


def notify_meetings(now: datetime | None = None) -> int:
    """Remind players of agreed match times that begin within a day.

    Times agreed less than a day ago are left out.

    Returns the number of matches. Called by a periodic task, with one transaction for each event.
    """
    now = now or timezone.now()
    by_event: dict[int, list[AgreedTimeNear]] = {}
    for agreed in agreed_matches_soon(now, REMINDER_PERIOD):
        alert = AgreedTimeNear(match=agreed.match, at=agreed.at.isoformat())
        by_event.setdefault(agreed.event, []).append(alert)
    return sum(_notify_event_meetings(event_id=pk, alerts=alerts) for pk, alerts in sorted(by_event.items()))


@durable
def _notify_event_meetings(*, event_id: int, alerts: list[AgreedTimeNear]) -> int:
    event = lock_event(event_id)
    notified = notified_meetings(event)
    new_alerts = [alert for alert in alerts if (alert.match, alert.at) not in notified]
    for alert in new_alerts:
        notify(event, alert)
    return len(new_alerts)
