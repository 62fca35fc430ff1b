"""The dates of a series for calendars: a file, and an address to subscribe to, which follows every change.

A day without an hour is a whole day; else it begins when play does, in UTC, so that no calendar has to know the zone of the event.
"""

from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from people import versions
from people.addresses import bare
from people.web.versioned import versioned
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import topics_of_lists, version_of
from tournaments.selectors.series import days_of, visible_series
from tournaments.shared.frames.calendars import as_file, calendar, uid
from tournaments.shared.frames.public import public_view

EVENING: Final = timedelta(hours=4)  # where nobody said when no match begins any more


@public_view
def dates(request: HttpRequest, series: str) -> HttpResponse:
    """Listed days alone, also those that are over; called-off ones say so, for whoever has them in a calendar."""
    visible = visible_series(request.user, series)
    found, club = visible.series, visible.series.club

    def draw() -> HttpResponse:
        days = [_meeting(event, f"{found.name}, {club.name}") for event in days_of(found)]
        return as_file(calendar(days, f"{found.name} · {club.name}"), f"series-{found.public_id}.ics")

    seen = [version_of(*topics_of_lists(club), versions.club(club.pk))]
    role = "director" if visible.inside else ""
    return versioned(request, seen, draw, role=role, everybody=not role)


def _meeting(event: Event, series: str) -> dict[str, Any]:
    begins, ends = _when(event)
    parts = {
        "uid": uid(f"event-{event.public_id}"),
        "sequence": event.version,
        "dtstamp": event.created_at.astimezone(UTC),
        "dtstart": begins,
        "dtend": ends,
        "summary": event.name,
        "description": series,
        "status": "CANCELLED" if event.status == EventStatus.CANCELLED else "CONFIRMED",
        "url": settings.SITE_URL + bare(reverse("public:event", args=[event.public_id])),
    }
    return parts | ({"location": event.place} if event.place else {})


def _when(event: Event) -> tuple[Any, Any]:
    """From when to when; of whole days the end is the day after, as calendars have it."""
    if event.opens_at is None:
        return event.starts_on, event.ends_on + timedelta(days=1)
    zone = ZoneInfo(event.timezone)
    begins = datetime.combine(event.starts_on, event.opens_at, zone)
    last = datetime.combine(event.ends_on, event.closes_at or time.min, zone)
    if event.closes_at is None:
        last = datetime.combine(event.ends_on, event.opens_at, zone) + EVENING
    elif event.closes_at <= event.opens_at:  # after midnight
        last += timedelta(days=1)
    return begins.astimezone(UTC), last.astimezone(UTC)
