"""Calendar files (RFC 5545), rendered by a library because folding and escaping are error-prone."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse

CONTENT_TYPE: Final = "text/calendar; charset=utf-8"
PRODUCT_ID: Final = "-//Crawford//Backgammon//EN"
REFRESH_INTERVAL: Final = timedelta(hours=1)


def render_calendar(meetings: Iterable[Mapping[str, Any]], name: str = "") -> bytes:
    """Return an iCalendar file with one entry for each of ``meetings``.

    Each meeting is a dictionary of iCalendar property names and values. ``name``: title of a calendar that
    programs subscribe to and fetch again every hour.
    """
    from icalendar import Calendar, Event  # noqa: PLC0415 (an eighth of a second, and only who asks for a calendar needs it)

    calendar = Calendar()
    calendar.add("prodid", PRODUCT_ID)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    for meeting in meetings:
        event = Event()
        for key, value in meeting.items():
            event.add(key, value)
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def calendar_uid(name: str) -> str:
    """Return the globally unique UID of the calendar entry ``name``.

    The same name always gives the same UID.
    """
    return f"{name}@{urlsplit(settings.SITE_URL).hostname or 'crawford'}"


def calendar_response(body: bytes, file: str) -> HttpResponse:
    """Return the response that downloads a calendar under the file name ``file``."""
    response = HttpResponse(body, content_type=CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{file}"'
    return response
