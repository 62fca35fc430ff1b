"""The page on which a director sets the columns of an event's own."""

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
from people.ids import row_number
from people.messages import by_field
from people.web.access import actor_of
from tournaments.engine.columns import MOST_COLUMNS, ColumnKind, ColumnSettings
from tournaments.events.services.columns import set_columns
from tournaments.events.services.divisions import FIRST_YEAR, LAST_YEAR
from tournaments.models import Event, EventColumn
from tournaments.selectors.columns import columns_of, columns_version
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID, not_done, show

LONGEST: Final = 600
STAMP: Final = "%Y-%m-%dT%H:%M"
BLANK: Final = 2  # rows for new columns


@event_form
def columns(request: HttpRequest, event: Event) -> HttpResponse:
    """All columns at once; a row without a name is no column, and one whose name is emptied is gone."""
    faults: dict[str, list[str]] = {}
    rows = [one.settings for one in columns_of(event)]
    seen, zone = columns_version(event), ZoneInfo(event.timezone)
    until = event.columns_until.astimezone(zone).strftime(STAMP) if event.columns_until is not None else ""
    if request.method == "POST":
        rows = _typed(request, {one.pk for one in rows})
        seen = request.POST.get("seen", "")[:LONGEST]
        try:
            until = _text(request, "until")
            set_columns(
                actor=actor_of(request),
                event_id=event.pk,
                columns=rows,
                seen=seen,
                until=_moment(until, zone),
            )
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=request.path)
            faults = by_field(error.faults)
        else:
            messages.success(request, _("Custom fields saved."))
            return redirect(reverse("director:matrix", args=[event.public_id]))
    shown = [*rows, *[ColumnSettings("")] * max(0, min(BLANK, MOST_COLUMNS - len(rows)))]
    context = {
        "seen": seen,
        "until": until,
        "until_odd": "until" in faults,
        "kinds": EventColumn.Kind.choices,
        "rows": [_row(number, one, faults) for number, one in enumerate(shown, start=1)],
        "faults": sorted({words for found in faults.values() for words in found}),
    }
    return show(request, "events/columns.html", event, "columns", context, status=INVALID if faults else 200)


def _moment(text: str, zone: ZoneInfo) -> datetime | None:
    """What was typed, where the event takes place."""
    try:
        found = parse_datetime(text) if text else None
    except ValueError:
        found = None
    if text and (found is None or not FIRST_YEAR <= found.year <= LAST_YEAR):
        raise Invalid("column.until_odd", field="until")
    return found.replace(tzinfo=zone) if found is not None else None


def _row(number: int, column: ColumnSettings, faults: dict[str, list[str]]) -> dict[str, Any]:
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


def _typed(request: HttpRequest, known: set[int]) -> list[ColumnSettings]:
    found: list[ColumnSettings] = []
    for number in range(1, MOST_COLUMNS + BLANK + 1):
        name = _text(request, f"name-{number}")
        if not name:
            continue
        pk, kind = row_number(_text(request, f"pk-{number}")), _text(request, f"kind-{number}")
        choices = tuple(one.strip() for one in _text(request, f"choices-{number}").split(",") if one.strip())
        found.append(
            ColumnSettings(
                name,
                ColumnKind(kind) if kind in set(ColumnKind) else ColumnKind.TEXT,
                choices,
                f"asked-{number}" in request.POST,
                f"printed-{number}" in request.POST,
                pk if pk in known else 0,
            )
        )
    return found


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\0", "")[:LONGEST].strip()
