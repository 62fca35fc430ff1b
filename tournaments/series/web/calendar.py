"""Calendar of a series: a file, also for subscriptions, which follow every change.

An event without a start time covers whole days. Other times are in UTC, so that no calendar needs to know the
event's time zone.
"""

from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from people import versions
from people.addresses import without_language
from people.web.versioned import versioned_response
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import event_list_topics, topics_version
from tournaments.selectors.series import series_events, visible_series
from tournaments.shared.frames.calendars import calendar_response, calendar_uid, render_calendar
from tournaments.shared.frames.public import public_view

DEFAULT_DURATION: Final = timedelta(hours=4)  # for events without a closing time


@public_view
def series_calendar(request: HttpRequest, series: str) -> HttpResponse:
    """Calendar file of the listed events, including past ones; cancelled ones are marked, for subscribers."""
    visible = visible_series(request.user, series)
    found_series, club = visible.series, visible.series.club

    def draw() -> HttpResponse:
        entries = [
            _calendar_entry(event, f"{found_series.name}, {club.name}")
            for event in series_events(found_series)
        ]
        return calendar_response(
            render_calendar(entries, f"{found_series.name} · {club.name}"),
            f"series-{found_series.public_id}.ics",
        )

    page_versions = [topics_version(*event_list_topics(club), versions.club_topic(club.pk))]
    role = "director" if visible.is_staff_only else ""
    return versioned_response(request, page_versions, draw, role=role, everybody=not role)


def _calendar_entry(event: Event, series: str) -> dict[str, Any]:
    start, end = _start_and_end(event)
    properties = {
        "uid": calendar_uid(f"event-{event.public_id}"),
        "sequence": event.version,
        "dtstamp": event.created_at.astimezone(UTC),
        "dtstart": start,
        "dtend": end,
        "summary": event.name,
        "description": series,
        "status": "CANCELLED" if event.status == EventStatus.CANCELLED else "CONFIRMED",
        "url": settings.SITE_URL + without_language(reverse("public:event", args=[event.public_id])),
    }
    return properties | ({"location": event.place} if event.place else {})


def _start_and_end(event: Event) -> tuple[Any, Any]:
    """Return start and end of an event: times in UTC, or dates for whole days.

    The end date is then the following day, as RFC 5545 defines.
    """
    if event.opens_at is None:
        return event.starts_on, event.ends_on + timedelta(days=1)
    zone = ZoneInfo(event.timezone)
    start = datetime.combine(event.starts_on, event.opens_at, zone)
    end = datetime.combine(event.ends_on, event.closes_at or time.min, zone)
    if event.closes_at is None:
        end = datetime.combine(event.ends_on, event.opens_at, zone) + DEFAULT_DURATION
    elif event.closes_at <= event.opens_at:  # after midnight
        end += timedelta(days=1)
    return start.astimezone(UTC), end.astimezone(UTC)
