"""Page on which a director sets the custom fields of an event."""

from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from faults import CrawfordError, Invalid
from people.ids import parse_row_id
from people.messages import messages_by_field
from people.web.access import request_actor
from tournaments.engine.columns import MAX_CUSTOM_FIELDS, CustomField, CustomFieldKind
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import FIRST_YEAR, LAST_YEAR
from tournaments.models import Event, EventColumn
from tournaments.selectors.columns import custom_fields_version, event_custom_fields
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action

MAX_TEXT_LENGTH: Final = 600
DATETIME_FORMAT: Final = "%Y-%m-%dT%H:%M"
BLANK_ROWS: Final = 2  # rows for new columns


@event_form
def custom_fields(request: HttpRequest, event: Event) -> HttpResponse:
    """Show and save all custom fields of the event.

    Rows without a name are ignored; a field whose name is cleared is deleted with its values.
    """
    faults: dict[str, list[str]] = {}
    rows = [custom_field.settings for custom_field in event_custom_fields(event)]
    expected_version, zone = custom_fields_version(event), ZoneInfo(event.timezone)
    until = (
        event.columns_until.astimezone(zone).strftime(DATETIME_FORMAT)
        if event.columns_until is not None
        else ""
    )
    if request.method == "POST":
        rows = _parse_rows(request, {custom_field.pk for custom_field in rows})
        expected_version = request.POST.get("seen", "")[:MAX_TEXT_LENGTH]
        try:
            until = _posted_text(request, "until")
            set_custom_fields(
                actor=request_actor(request),
                event_id=event.pk,
                columns=rows,
                seen=expected_version,
                until=_parse_moment(until, zone),
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=request.path)
            faults = messages_by_field(error.faults)
        else:
            messages.success(request, _("Custom fields saved."))
            return redirect(reverse("director:matrix", args=[event.public_id]))
    form_rows = [*rows, *[CustomField("")] * max(0, min(BLANK_ROWS, MAX_CUSTOM_FIELDS - len(rows)))]
    context = {
        "seen": expected_version,
        "until": until,
        "until_odd": "until" in faults,
        "kinds": EventColumn.Kind.choices,
        "rows": [
            _row(number, custom_field, faults) for number, custom_field in enumerate(form_rows, start=1)
        ],
        "faults": sorted({fault for field_faults in faults.values() for fault in field_faults}),
    }
    return render_event_page(
        request, "events/columns.html", event, "columns", context, status=INVALID_STATUS if faults else 200
    )


def _parse_moment(text: str, zone: ZoneInfo) -> datetime | None:
    """Parse a typed date and time in the event's time zone; None if empty.

    Raises ``Invalid`` for other text.
    """
    try:
        moment = parse_datetime(text) if text else None
    except ValueError:
        moment = None
    if text and (moment is None or not FIRST_YEAR <= moment.year <= LAST_YEAR):
        raise Invalid("column.until_odd", field="until")
    return moment.replace(tzinfo=zone) if moment is not None else None


def _row(number: int, column: CustomField, faults: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "number": number,
        "pk": column.pk,
        "name": column.name,
        "kind": column.kind.value,
        "choices": ", ".join(column.choices),
        "asked": column.asked,
        "printed": column.printed,
        "odd": f"name-{number}" in faults or f"choices-{number}" in faults,
    }


def _parse_rows(request: HttpRequest, known_ids: set[int]) -> list[CustomField]:
    parsed_fields: list[CustomField] = []
    for number in range(1, MAX_CUSTOM_FIELDS + BLANK_ROWS + 1):
        name = _posted_text(request, f"name-{number}")
        if not name:
            continue
        pk, kind = (
            parse_row_id(_posted_text(request, f"pk-{number}")),
            _posted_text(request, f"kind-{number}"),
        )
        choices = tuple(
            choice.strip()
            for choice in _posted_text(request, f"choices-{number}").split(",")
            if choice.strip()
        )
        parsed_fields.append(
            CustomField(
                name,
                CustomFieldKind(kind) if kind in set(CustomFieldKind) else CustomFieldKind.TEXT,
                choices,
                f"asked-{number}" in request.POST,
                f"printed-{number}" in request.POST,
                pk if pk in known_ids else 0,
            )
        )
    return parsed_fields


def _posted_text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\0", "")[:MAX_TEXT_LENGTH].strip()
