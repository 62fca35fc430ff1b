"""Pages for creating an event: the kinds of events as cards, then a short form with defaults."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import CrawfordError, Fault, Invalid
from people.models import Club
from people.timezones import zone_choices, zones_of_country
from people.web.access import directed_club, form_view, request_actor, request_user
from people.web.faults import add_faults
from rating.services import points_list_ids
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import create_event
from tournaments.events.services.templates import EventTemplate, event_template, event_templates
from tournaments.events.web.event_form import HOUR_FIELDS, EventForm
from tournaments.events.web.flight_fields import FLIGHT_FAULT_FIELDS
from tournaments.events.web.plan_forms import DivisionNamesForm, PlanForm
from tournaments.events.web.stage_forms import StageForm, stage_initial
from tournaments.models import Event
from tournaments.selectors.events.director import last_event_of_club
from tournaments.selectors.series import club_templates
from tournaments.shared.frames.director import INVALID_STATUS

DEFAULT_TEMPLATE = "knock_out"
_DAYS_BY_TEMPLATE = {"weekend": 1, "league": 90, "money": 90}
_STAGE_FIELD_RE = re.compile(r"division-\d+-stage-\d+-(\w+)")
_DIVISION_FIELD_RE = re.compile(r"division-\d+-name")


@form_view
def event_new(request: HttpRequest, club: str) -> HttpResponse:
    """Show the kinds of events or, for a chosen kind, its form; when the form is sent, create a draft."""
    loaded_club, role = directed_club(request, club)
    code = (
        request.POST.get("template", DEFAULT_TEMPLATE)
        if request.method == "POST"
        else request.GET.get("template", "")
    )
    if not code:
        context = {
            "club": loaded_club,
            "role": role,
            "templates": event_templates(),
            "own": club_templates(loaded_club),
        }
        return render(request, "events/event_kinds.html", context)
    template = event_template(code.replace("\0", ""))
    last_event = last_event_of_club(loaded_club)
    form_data = request.POST or None
    form = EventForm(form_data, initial=_initial(request, loaded_club, last_event, template))
    if not points_list_ids(loaded_club.pk):
        del form.fields["weight"]  # can be set later, in the settings
    for name in ("requires", "word_minutes", *HOUR_FIELDS):  # likewise
        del form.fields[name]
    form.fields["name"].widget.attrs["autofocus"] = True
    stage = template.stage
    stage_form = StageForm(form_data, initial=stage_initial(stage)) if stage is not None else None
    if stage_form is not None:
        del stage_form.fields["name"]  # the name on this page is that of the event
    names_form = DivisionNamesForm(form_data) if template.named else None
    plan_form = PlanForm(form_data, template=template) if stage is None else None
    page_forms = [
        page_form for page_form in (form, stage_form, names_form, plan_form) if page_form is not None
    ]
    if request.method == "POST" and all(page_form.is_valid() for page_form in page_forms):
        divisions = _chosen_divisions(template, stage_form, names_form, plan_form)
        event = _create_event(request, loaded_club, form, divisions, page_forms, plan_form)
        if event is not None:
            messages.success(
                request, _("%(name)s has been created as a draft. Only you can see it.") % {"name": event}
            )
            return redirect("director:event", event.public_id)
    context = {
        "club": loaded_club,
        "role": role,
        "template": template,
        "form": form,
        "stage_form": stage_form,
        "names_form": names_form,
        "plan_form": plan_form,
        "zones": zone_choices(get_language() or "en"),
        "guess_zone": form_data is None and _known_zone(request, last_event) is None,
    }
    status = INVALID_STATUS if any(page_form.errors for page_form in page_forms) else 200
    return render(request, "events/event_new.html", context, status=status)


def _initial(
    request: HttpRequest, club: Club, last_event: Event | None, template: EventTemplate
) -> dict[str, Any]:
    """Return initial values of the form, with the place, time zone and tables of the club's last event."""
    zone = _known_zone(request, last_event) or next(iter(zones_of_country(club.country)), "UTC")
    today = timezone.localdate(timezone=ZoneInfo(zone))
    return {
        "starts_on": today,
        "ends_on": today + timedelta(days=_DAYS_BY_TEMPLATE.get(template.code, 0)),
        "timezone": zone,
        "place": last_event.place if last_event is not None else "",
        "tables": last_event.tables if last_event is not None else 16,
        "visibility": Event.Visibility.PUBLIC,
        "weight": 1,
    }


def _known_zone(request: HttpRequest, last_event: Event | None) -> str | None:
    """Return the time zone of the club's last event, or of the director if there was none.

    None for UTC, which is only a default.
    """
    zone = last_event.timezone if last_event is not None else request_user(request).timezone
    return zone if zone and zone != "UTC" else None


def _chosen_divisions(
    template: EventTemplate,
    stage_form: StageForm | None,
    names_form: DivisionNamesForm | None,
    plan_form: PlanForm | None,
) -> list[DivisionDetails]:
    if plan_form is not None:
        return plan_form.divisions()
    assert stage_form is not None
    names = names_form.names() if names_form is not None else []
    stages = (stage_form.details(template.stage),)
    return [
        DivisionDetails(
            name=division.name,
            moving=division.moving if names else 0,
            stages=stages,
        )
        for division in template.make_divisions(names)
    ]


def _create_event(
    request: HttpRequest,
    club: Club,
    form: EventForm,
    divisions: list[DivisionDetails],
    page_forms: Sequence[forms.Form],
    plan_form: PlanForm | None,
) -> Event | None:
    """Create the event and return it, or None, with each error at the field of its form."""
    try:
        return create_event(
            actor=request_actor(request), club_id=club.pk, details=form.details(), divisions=divisions
        )
    except CrawfordError as error:
        for fault in error.faults:
            field = _form_field(fault, plan_form)
            target_form = next((page_form for page_form in page_forms if field in page_form.fields), form)
            add_faults(target_form, Invalid(faults=[fault.at(field)]))
        return None


def _form_field(fault: Fault, plan_form: PlanForm | None) -> str:
    """Return the name of the form field for the field of a service's error."""
    field = fault.field or ""
    if plan_form is not None:  # the service does not count divisions that were not chosen
        parts = field.split("-")
        if len(parts) > 1 and parts[1].isdecimal():
            parts[1] = str(plan_form.places()[int(parts[1]) - 1])
        elif field:
            parts = ["division", str(plan_form.places()[0]), "stage", "1", field]
        return "-".join(parts) if "-".join(parts) in plan_form.fields else field
    if _DIVISION_FIELD_RE.fullmatch(field):
        return "divisions"
    match = _STAGE_FIELD_RE.fullmatch(field)
    field = match[1] if match else field
    return FLIGHT_FAULT_FIELDS.get(field, field)
