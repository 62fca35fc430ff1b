"""Notifications that become due with time: of deadlines and of agreed times."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from tournaments.engine.alerts import AgreedTimeNear, DeadlineNear
from tournaments.engine.statuses import AWAITING_RESULT, STAGE_UNDER_WAY, EventStatus
from tournaments.models import Event, Match, Notification
from tournaments.selectors.event_dates import event_today

REMINDER_DAYS: Final = 2


def events_with_near_deadlines(now: datetime) -> list[int]:
    """Return the ids of running events that have an unfinished match with a near deadline.

    That is within ``REMINDER_DAYS`` days in any time zone.
    """
    first, last = (now - timedelta(days=1)).date(), (now + timedelta(days=REMINDER_DAYS + 1)).date()
    rows = Match.objects.filter(
        status__in=AWAITING_RESULT,
        round__deadline__range=(first, last),
        stage__status__in=STAGE_UNDER_WAY,
        stage__division__event__status=EventStatus.RUNNING,
    )
    return sorted(set(rows.order_by().values_list("stage__division__event", flat=True)))


def due_deadline_alerts(event: Event, now: datetime) -> Sequence[DeadlineNear]:
    """Return the notifications of near deadlines in ``event`` that were not sent for these dates before."""
    today = event_today(event, now)
    rows = Match.objects.filter(
        stage__division__event=event,
        stage__status__in=STAGE_UNDER_WAY,
        status__in=AWAITING_RESULT,
        round__deadline__range=(today, today + timedelta(days=REMINDER_DAYS)),
    )
    deadlines = rows.order_by("pk").values_list("pk", "round__deadline")
    due_alerts = [
        DeadlineNear(match=pk, day=deadline.isoformat()) for pk, deadline in deadlines if deadline is not None
    ]
    earlier_rows = Notification.objects.filter(event=event, kind=DeadlineNear.kind).order_by()
    already_notified = {
        (row.match_id, row.facts.get("day")) for row in earlier_rows.only("match_id", "facts")
    }
    return [alert for alert in due_alerts if (alert.match, alert.day) not in already_notified]


def notified_meetings(event: Event) -> set[tuple[int | None, str | None]]:
    """Return the agreed times of which players were reminded, as pairs of match id and time as text."""
    rows = Notification.objects.filter(event=event, kind=AgreedTimeNear.kind).order_by()
    return {(row.match_id, row.facts.get("at")) for row in rows.only("match_id", "facts")}
