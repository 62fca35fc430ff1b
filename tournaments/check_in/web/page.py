"""The staff's list of checked-in and missing players.

It has a key or tap for each player, a scanner field, and “all but these”.
"""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_time
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import Invalid
from people.web.versioned import page_etag, versioned_response
from tournaments.engine.check_in import CheckInState, current_check_in_day
from tournaments.engine.statuses import EVENT_OVER
from tournaments.engine.trail.check_in import EntriesCheckedOut
from tournaments.models import CheckIn, Event, Here
from tournaments.selectors.access.links import event_today
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.check_in import (
    CheckInRow,
    accepted_codes,
    check_in_counts,
    check_in_rows,
    check_ins_by_day,
    last_attendance_action,
)
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.returning import withdrawn_entries
from tournaments.shared.frames.access import is_helper, staff_page
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division
from tournaments.shared.words.names import clock_time

CONFIRM_ABOVE = 3  # undoing more names at once needs confirmation


def check_in_url(event: Event, switch: DivisionSwitch, day: date | None) -> str:
    """Return the address of the list of a division on a date."""
    parts = [f"division={switch.division.pk}"] if switch.several else []
    parts += [f"day={day.isoformat()}"] if day is not None else []
    url = reverse("director:check-in", args=[event.public_id])
    return f"{url}?{'&'.join(parts)}" if parts else url


def requested_date(request: HttpRequest) -> date | None:
    """Return the date in the address or the form; None if there is none or it is invalid."""
    given = (request.GET.get("day") or request.POST.get("day", ""))[:10]
    try:
        return parse_date(given)
    except ValueError:
        return None


@staff_page
def check_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the list of a division on a date."""
    return render_check_in(request, event)


def render_check_in(
    request: HttpRequest, event: Event, faults: Sequence[str] = (), typed: dict[str, str] | None = None
) -> HttpResponse:
    """Render the list. ``faults`` and ``typed``: errors and values of a rejected form."""
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    today, now = event_today(event), timezone.now()
    days = check_ins_by_day([switch.division.pk])[switch.division.pk]
    wanted = requested_date(request)
    day = wanted if wanted in days else current_check_in_day(days, today)
    found = days.get(day) if day is not None else None
    stands = [one.stand(now) for one in days.values()]
    versions = [event.version, event.club.version, names_version(), today, *stands]

    def draw() -> HttpResponse:
        context = {
            "divisions": switch.links(event, "check-in"),
            "division": switch.division,
            "query": switch.query,
            "today": today,
            "days": [
                {"day": one.day, "url": check_in_url(event, switch, one.day), "current": one is found}
                for one in days.values()
            ]
            if len(days) > 1
            else [],
            "check_in": found,
            "over": event.status in EVENT_OVER,
            "faults": list(faults),
            "form": _form_values(event, found, typed),
            "scheme_is_safe": request.is_secure(),
            "etag": page_etag(request, versions),
            **(_list_context(request, event, found, now) if found is not None else {}),
        }
        return render_event_page(
            request,
            "check_in/check_in.html",
            event,
            "check-in",
            context,
            stages=stages,
            status=INVALID_STATUS if faults else 200,
        )

    return draw() if faults else versioned_response(request, versions, draw)


def _list_context(request: HttpRequest, event: Event, found: CheckIn, now: datetime) -> dict[str, Any]:
    guests = check_in_rows(found, contacts=not is_helper(request))
    here, of = check_in_counts([found])[found.pk]
    stand = found.stand(now)
    return {
        "stand": stand.value,
        "opens": clock_time(found.opens_at, event),
        "closes": clock_time(found.closes_at, event),
        "code": accepted_codes(found, now)[0] if stand is CheckInState.OPEN else "",
        "here": here,
        "of": of,
        "missing": [_row(event, guest) for guest in guests if not guest.here],
        "present": [_row(event, guest) for guest in guests if guest.here],
        "undo": _undo_context(found),
        "withdrawn": [] if is_helper(request) else withdrawn_entries(found.division),
    }


def _row(event: Event, guest: CheckInRow) -> dict[str, Any]:
    about = []
    if guest.here:
        about = [clock_time(guest.since, event), str(Here.Way(guest.way).label), guest.by]
    return {
        "id": guest.public_id,
        "name": guest.name,
        "expected": guest.unconfirmed,
        "waits": guest.queues,
        "about": " · ".join(part for part in about if part),
        "phones": guest.phones,
        "several": len(guest.phones) > 1,
    }


def _undo_context(found: CheckIn) -> dict[str, Any] | None:
    """Return the last action that can be undone, with its label; ``names`` if it needs confirmation.

    None without one.
    """
    last = last_attendance_action(found)
    if last is None:
        return None
    row, action = last
    names = [one.name for one in action.entries]
    several = len(names) > CONFIRM_ABOVE
    what: dict[str, object] = {"count": len(names), "names": ", ".join(names)}
    if isinstance(action, EntriesCheckedOut):
        words = (
            ngettext("Undo: %(count)s marked absent", "Undo: %(count)s marked absent", len(names))
            if several
            else _("Undo: %(names)s marked absent")
        )
    else:
        words = (
            ngettext("Undo: %(count)s marked present", "Undo: %(count)s marked present", len(names))
            if several
            else _("Undo: %(names)s marked present")
        )
    return {"pk": row.pk, "words": words % what, "names": what["names"] if several else ""}


def _form_values(event: Event, found: CheckIn | None, typed: dict[str, str] | None) -> dict[str, str]:
    """Return the values of the fields for the times."""
    if typed is not None:
        return typed
    zone = ZoneInfo(event.timezone)
    if found is None:
        day = max(event.starts_on, event_today(event))
        return {"day": day.isoformat(), "opens": "", "closes": ""}
    closes = found.closes_at.astimezone(zone).strftime("%H:%M") if found.closes_at else ""
    opens = found.opens_at.astimezone(zone).strftime("%H:%M")
    return {"day": found.day.isoformat(), "opens": opens, "closes": closes}


def typed_times(request: HttpRequest) -> dict[str, str]:
    """Return the posted values of the fields for the times."""
    return {
        name: request.POST.get(name, "").replace("\0", "")[:20].strip() for name in ("day", "opens", "closes")
    }


def parse_times(event: Event, typed: dict[str, str]) -> tuple[date, datetime, datetime | None]:
    """Return date, opening and closing from the form, in the event's time zone.

    Raises ``Invalid`` if they cannot be read.
    """
    zone = ZoneInfo(event.timezone)
    try:
        day = parse_date(typed["day"])
        opens, closes = (parse_time(typed[name]) if typed[name] else None for name in ("opens", "closes"))
    except ValueError:
        day = opens = closes = None
    if day is None or opens is None or (typed["closes"] and closes is None):
        raise Invalid("check_in.times_odd", field="opens")
    return (
        day,
        datetime.combine(day, opens, zone),
        datetime.combine(day, closes, zone) if isinstance(closes, time) else None,
    )
