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
    """All agreed times of an entry; cancelled ones are marked as such for calendars that have them."""
    entry = entry_from_calendar_token(token)
    return _calendar_response(
        meetings_of_entry(entry), f"{entry.division.event.name} · {entry.name}", "matches.ics"
    )


@secret_view
@require_safe
@snapshot()
def match_calendar(request: HttpRequest, token: str, match: str) -> HttpResponse:  # noqa: ARG001
    """The agreed time of one match. Raises ``Missing`` (404) if no time was ever agreed."""
    entry = entry_from_token(token)
    mine = my_match(entry, match)
    found = meetings_of_entry(entry, mine.match) if mine is not None else []
    if not found:
        raise Missing("match.unknown")
    return _calendar_response(found, "", f"match-{found[0].match}.ics")


def _calendar_response(meetings: Sequence[Meeting], name: str, file: str) -> HttpResponse:
    return calendar_response(render_calendar(map(_calendar_event, meetings), name), file)


def _calendar_event(one_of: Meeting) -> dict[str, Any]:
    words = {"me": one_of.me, "name": one_of.opponent, "length": one_of.length}
    parts = {
        "uid": calendar_uid(one_of.uid),
        "sequence": one_of.sequence,
        "dtstamp": one_of.changed.astimezone(UTC),
        "last-modified": one_of.changed.astimezone(UTC),
        "dtstart": one_of.begins.astimezone(UTC),
        "dtend": one_of.ends.astimezone(UTC),
        "summary": _("Backgammon: %(me)s – %(name)s, to %(length)s points") % words,
        "description": one_of.event,
        "status": "CANCELLED" if one_of.off else "CONFIRMED",
        "url": settings.SITE_URL + without_language(reverse("public:match", args=[one_of.match])),
    }
    return parts | ({"location": one_of.place} if one_of.place else {})
