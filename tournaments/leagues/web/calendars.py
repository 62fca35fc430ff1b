"""Agreed times for calendars (RFC 5545): a file of one match, and a feed of all matches of an entry.

The feed has its own address, which gives no other access, because calendars pass it on to other servers. It
ends with the personal link. Times are in UTC, so that calendars need not know the event's time zone.
"""

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from faults import Missing
from people.addresses import without_language
from people.snapshot import snapshot
from tournaments.selectors.access.links import entry_from_calendar_token, entry_from_token
from tournaments.selectors.matches.calendar import Meeting, meetings_of_entry
from tournaments.selectors.matches.player import my_match
from tournaments.shared.frames.calendars import calendar_response, calendar_uid, render_calendar
from tournaments.shared.frames.player import secret_view


@secret_view
@require_safe
@snapshot()
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:  # noqa: ARG001 (every view's)
    """Feed of all agreed times of an entry.

    Cancelled ones are marked as such for calendars that have them.
    """
    entry = entry_from_calendar_token(token)
    return _calendar_response(
        meetings_of_entry(entry), f"{entry.division.event.name} · {entry.name}", "matches.ics"
    )


@secret_view
@require_safe
@snapshot()
def match_calendar(request: HttpRequest, token: str, match: str) -> HttpResponse:  # noqa: ARG001
    """Calendar file with the agreed time of one match.

    Raises ``Missing`` (404) if no time was ever agreed.
    """
    entry = entry_from_token(token)
    own_match = my_match(entry, match)
    meetings = meetings_of_entry(entry, own_match.match) if own_match is not None else []
    if not meetings:
        raise Missing("match.unknown")
    return _calendar_response(meetings, "", f"match-{meetings[0].match}.ics")


def _calendar_response(meetings: Sequence[Meeting], name: str, file: str) -> HttpResponse:
    return calendar_response(render_calendar(map(_calendar_event, meetings), name), file)


def _calendar_event(meeting: Meeting) -> dict[str, Any]:
    params = {"me": meeting.own_name, "name": meeting.opponent, "length": meeting.length}
    properties = {
        "uid": calendar_uid(meeting.uid),
        "sequence": meeting.sequence,
        "dtstamp": meeting.changed.astimezone(UTC),
        "last-modified": meeting.changed.astimezone(UTC),
        "dtstart": meeting.begins.astimezone(UTC),
        "dtend": meeting.ends.astimezone(UTC),
        "summary": _("Backgammon: %(me)s – %(name)s, to %(length)s points") % params,
        "description": meeting.event,
        "status": "CANCELLED" if meeting.off else "CONFIRMED",
        "url": settings.SITE_URL + without_language(reverse("public:match", args=[meeting.match])),
    }
    return properties | ({"location": meeting.place} if meeting.place else {})
