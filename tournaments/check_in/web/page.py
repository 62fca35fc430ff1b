"""The staff's page with checked-in and missing players.

It has a key or button for each player, a scanner field, and “all but these”.
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
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.check_in import (
    CheckInRow,
    accepted_codes,
    check_in_counts,
    check_in_rows,
    check_ins_by_day,
    last_attendance_action,
)
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.returning import withdrawn_entries
from tournaments.shared.frames.access import is_helper, staff_page
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division
from tournaments.shared.words.names import clock_time

CONFIRM_ABOVE = 3  # undoing more names at once needs confirmation


def check_in_url(event: Event, switch: DivisionSwitch, day: date | None) -> str:
    """Return the address of the check-in page of a division on a date; None: today's."""
    parts = [f"division={switch.division.pk}"] if switch.has_several_divisions else []
    parts += [f"day={day.isoformat()}"] if day is not None else []
    url = reverse("director:check-in", args=[event.public_id])
    return f"{url}?{'&'.join(parts)}" if parts else url


def requested_date(request: HttpRequest) -> date | None:
    """Return the date in the address or the form; None if it is missing or invalid."""
    posted = (request.GET.get("day") or request.POST.get("day", ""))[:10]
    try:
        return parse_date(posted)
    except ValueError:
        return None


@staff_page
def check_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of the check-in of a division on a date."""
    return render_check_in(request, event)


def render_check_in(
    request: HttpRequest, event: Event, faults: Sequence[str] = (), typed: dict[str, str] | None = None
) -> HttpResponse:
    """Render the check-in page. ``faults`` and ``typed``: messages and values of a rejected form."""
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    today, now = event_today(event), timezone.now()
    days = check_ins_by_day([switch.division.pk])[switch.division.pk]
    requested_day = requested_date(request)
    day = requested_day if requested_day in days else current_check_in_day(days, today)
    day_check_in = days.get(day) if day is not None else None
    states = [other.stand(now) for other in days.values()]
    versions = [event.version, event.club.version, names_version(), today, *states]

    def draw() -> HttpResponse:
        context = {
            "divisions": switch.links(event, "check-in"),
            "division": switch.division,
            "query": switch.query,
            "today": today,
            "days": [
                {
                    "day": other.day,
                    "url": check_in_url(event, switch, other.day),
                    "current": other is day_check_in,
                }
                for other in days.values()
            ]
            if len(days) > 1
            else [],
            "check_in": day_check_in,
            "over": event.status in EVENT_OVER,
            "faults": list(faults),
            "form": _form_values(event, day_check_in, typed),
            "scheme_is_safe": request.is_secure(),
            "etag": page_etag(request, versions),
            **(_list_context(request, event, day_check_in, now) if day_check_in is not None else {}),
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


def _list_context(request: HttpRequest, event: Event, day_check_in: CheckIn, now: datetime) -> dict[str, Any]:
    rows = check_in_rows(day_check_in, with_phone_numbers=not is_helper(request))
    present_count, total = check_in_counts([day_check_in])[day_check_in.pk]
    state = day_check_in.stand(now)
    return {
        "stand": state.value,
        "opens": clock_time(day_check_in.opens_at, event),
        "closes": clock_time(day_check_in.closes_at, event),
        "code": accepted_codes(day_check_in, now)[0] if state is CheckInState.OPEN else "",
        "here": present_count,
        "of": total,
        "missing": [_row(event, row) for row in rows if not row.is_checked_in],
        "present": [_row(event, row) for row in rows if row.is_checked_in],
        "undo": _undo_context(day_check_in),
        "withdrawn": [] if is_helper(request) else withdrawn_entries(day_check_in.division),
    }


def _row(event: Event, row: CheckInRow) -> dict[str, Any]:
    parts = []
    if row.is_checked_in:
        parts = [clock_time(row.since, event), str(Here.Way(row.channel).label), row.by]
    return {
        "id": row.public_id,
        "name": row.name,
        "expected": row.is_pending,
        "waits": row.is_waiting,
        "about": " · ".join(part for part in parts if part),
        "phones": row.phones,
        "several": len(row.phones) > 1,
    }


def _undo_context(day_check_in: CheckIn) -> dict[str, Any] | None:
    """Return the context of the last action that can be undone, with its label; None without one.

    ``names`` is set if the undo needs confirmation.
    """
    last = last_attendance_action(day_check_in)
    if last is None:
        return None
    row, action = last
    names = [entry.name for entry in action.entries]
    needs_confirmation = len(names) > CONFIRM_ABOVE
    params: dict[str, object] = {"count": len(names), "names": ", ".join(names)}
    if isinstance(action, EntriesCheckedOut):
        text = (
            ngettext("Undo: %(count)s marked absent", "Undo: %(count)s marked absent", len(names))
            if needs_confirmation
            else _("Undo: %(names)s marked absent")
        )
    else:
        text = (
            ngettext("Undo: %(count)s marked present", "Undo: %(count)s marked present", len(names))
            if needs_confirmation
            else _("Undo: %(names)s marked present")
        )
    return {"pk": row.pk, "words": text % params, "names": params["names"] if needs_confirmation else ""}


def _form_values(event: Event, day_check_in: CheckIn | None, typed: dict[str, str] | None) -> dict[str, str]:
    """Return the values of the form fields for the times, keyed by field."""
    if typed is not None:
        return typed
    zone = ZoneInfo(event.timezone)
    if day_check_in is None:
        day = max(event.starts_on, event_today(event))
        return {"day": day.isoformat(), "opens": "", "closes": ""}
    closes = day_check_in.closes_at.astimezone(zone).strftime("%H:%M") if day_check_in.closes_at else ""
    opens = day_check_in.opens_at.astimezone(zone).strftime("%H:%M")
    return {"day": day_check_in.day.isoformat(), "opens": opens, "closes": closes}


def typed_times(request: HttpRequest) -> dict[str, str]:
    """Return the posted values of the fields for the times, keyed by field."""
    return {
        name: request.POST.get(name, "").replace("\0", "")[:20].strip() for name in ("day", "opens", "closes")
    }


def parse_times(event: Event, typed: dict[str, str]) -> tuple[date, datetime, datetime | None]:
    """Return date, opening and closing time from the form, in the event's time zone.

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
