"""Dates in the time zone of an event."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from tournaments.models import Event


def event_date(event: Event, at: datetime) -> date:
    """Return the date of a point in time in the event's time zone."""
    return at.astimezone(ZoneInfo(event.timezone)).date()


def event_today(event: Event, now: datetime | None = None) -> date:
    """Return today's date in the event's time zone."""
    return event_date(event, now or timezone.now())
