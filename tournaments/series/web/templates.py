"""Pages of a club's templates: change a template or its stages, and create an event from it."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.models import Club, Role
from people.timezones import zone_choices
from people.web.access import directed_club, form_view, render_refusal, request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.events.services.plan_json import plan_from_json, unsaved_stages
from tournaments.events.services.plans import EventPlan
from tournaments.events.services.stages import StageDetails
from tournaments.events.web.event_form import EventForm
from tournaments.events.web.stage_forms import StageForm, stage_initial
from tournaments.models import ClubTemplate, Stage
from tournaments.selectors.series import get_club_template, today_in_zone
from tournaments.series.services.templates import (
    create_from_template,
    stage_of_plan,
    update_template,
    update_template_stage,
)
from tournaments.shared.frames.changed_since import is_settings_conflict
from tournaments.shared.frames.director import INVALID_STATUS
from tournaments.shared.words.names import lengths_label

CONFLICT_STATUS = 409


class TemplateForm(EventForm):
    """Form with the settings of a template's events, and its name; dates are chosen for each event."""

    field_order = ("name", "sentence")

    sentence = forms.CharField(
        label=gettext_lazy("Purpose"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("One sentence, shown next to the name when an event is created."),
    )
    archived = forms.BooleanField(
        label=gettext_lazy("Archived"),
        required=False,
        help_text=gettext_lazy("The template is no longer offered. Events created from it stay."),
    )

    def __init__(self, *args: Any, **form_options: Any) -> None:
        super().__init__(*args, **form_options)
        del self.fields["starts_on"], self.fields["ends_on"]


class UseForm(forms.Form):
    """Form with date and name of the new event."""

    starts_on = DateField(label=gettext_lazy("First day"))
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)


@form_view
def template(request: HttpRequest, club: str, template: str) -> HttpResponse:
    """Page to change the settings of a template, with links to its stages."""
    found_club, role = directed_club(request, club)
    found_template = get_club_template(found_club, template)
    plan, error = _load_plan(found_template)
    if plan is None:
        assert error is not None
        return render_refusal(
            request, error, back_url=reverse("director:series", args=[found_club.public_id])
        )
    current_values = {name: getattr(plan.details, name) for name in EventForm.base_fields}
    initial = {
        **current_values,
        "name": found_template.name,
        "sentence": found_template.sentence,
        "archived": found_template.archived,
    }
    form = TemplateForm(request.POST or None, initial=initial)
    expected_version, status = _expected_version(request, found_template), 200
    if request.method == "POST" and form.is_valid():
        data = dict(form.cleaned_data)
        template_values = {name: data.pop(name) for name in ("name", "sentence", "archived")}
        try:
            update_template(
                actor=request_actor(request),
                club_id=found_club.pk,
                template_id=found_template.pk,
                details=replace(plan.details, **data),
                seen=expected_version,
                **template_values,
            )
        except CrawfordError as refusal:
            expected_version, status = _add_refusal(
                form, refusal, get_club_template(found_club, template), expected_version
            )
        else:
            messages.success(request, _("Template %(name)s saved.") % {"name": template_values["name"]})
            return redirect("director:series", found_club.public_id)
    context = {
        **_frame_context(found_club, role, found_template),
        "form": form,
        "seen": expected_version,
        "parts": _stage_rows(plan),
        "zones": zone_choices(get_language() or "en"),
    }
    return render(
        request,
        "series/template.html",
        context,
        status=status if status != 200 or not form.errors else INVALID_STATUS,
    )


@form_view
def template_stage(
    request: HttpRequest, club: str, template: str, division: int, number: int
) -> HttpResponse:
    """Page to change the settings of a stage of a template."""
    found_club, role = directed_club(request, club)
    found_template = get_club_template(found_club, template)
    plan, error = _load_plan(found_template)
    if plan is None:
        assert error is not None
        return render_refusal(
            request, error, back_url=reverse("director:series", args=[found_club.public_id])
        )
    current_stage = stage_of_plan(plan, division, number)
    sources = unsaved_stages(plan.divisions[division - 1].details.stages)[: number - 1]
    form = StageForm(request.POST or None, initial=stage_initial(current_stage), sources=sources)
    expected_version, status = _expected_version(request, found_template), 200
    if request.method == "POST" and form.is_valid():
        try:
            update_template_stage(
                actor=request_actor(request),
                club_id=found_club.pk,
                template_id=found_template.pk,
                division=division,
                number=number,
                stage=form.details(current_stage),
                seen=expected_version,
            )
        except CrawfordError as refusal:
            expected_version, status = _add_refusal(
                form, refusal, get_club_template(found_club, template), expected_version, form.fault_fields
            )
        else:
            messages.success(request, _("Stage saved."))
            return redirect("director:template", found_club.public_id, found_template.public_id)
    context = {
        **_frame_context(found_club, role, found_template),
        "stage_form": form,
        "staged": True,
        "seen": expected_version,
        "title": current_stage.name or str(Stage(system=current_stage.system)),
    }
    status = status if status != 200 or not form.errors else INVALID_STATUS
    return render(request, "series/template_stage.html", context, status=status)


@form_view
def use_template(request: HttpRequest, club: str, template: str) -> HttpResponse:
    """Page to create an event from a template, with date and name."""
    found_club, role = directed_club(request, club)
    found_template = get_club_template(found_club, template)
    plan, error = _load_plan(found_template)
    if plan is None:
        assert error is not None
        return render_refusal(
            request, error, back_url=reverse("director:series", args=[found_club.public_id])
        )
    form = UseForm(
        request.POST or None,
        initial={"name": found_template.name, "starts_on": today_in_zone(plan.details.timezone)},
    )
    if request.method == "POST" and form.is_valid():
        try:
            created_event = create_from_template(
                actor=request_actor(request),
                club_id=found_club.pk,
                template_id=found_template.pk,
                starts_on=form.cleaned_data["starts_on"],
                name=form.cleaned_data["name"],
            )
        except CrawfordError as refusal:
            add_faults(form, refusal)
        else:
            message = _("%(name)s has been created as a draft. Only you can see it.")
            messages.success(request, message % {"name": created_event.name})
            return redirect("director:event", created_event.public_id)
    context = {**_frame_context(found_club, role, found_template), "form": form, "parts": _stage_rows(plan)}
    return render(request, "series/use_template.html", context, status=INVALID_STATUS if form.errors else 200)


def _load_plan(template: ClubTemplate) -> tuple[EventPlan | None, CrawfordError | None]:
    """Return the settings of a template and None; or None and the error if this release cannot read them."""
    try:
        return plan_from_json(template.plan), None
    except CrawfordError as error:
        return None, error


def _frame_context(club: Club, role: Role, template: ClubTemplate) -> dict[str, Any]:
    return {"club": club, "role": role, "tab": "series", "template": template, "now": timezone.now()}


def _stage_rows(plan: EventPlan) -> list[dict[str, Any]]:
    """Return the template context of each stage: numbers, name and format."""
    return [
        {
            "division": division_number,
            "number": number,
            "of": division.details.name if len(plan.divisions) > 1 else "",
            "name": stage.name or str(Stage(system=stage.system)),
            "about": " · ".join(_stage_labels(stage)),
        }
        for division_number, division in enumerate(plan.divisions, start=1)
        for number, stage in enumerate(division.details.stages, start=1)
    ]


def _stage_labels(stage: StageDetails) -> list[str]:
    system = [str(Stage(system=stage.system))] if stage.name else []
    return [*system, lengths_label(stage.lengths)] if stage.lengths else system


def _expected_version(request: HttpRequest, template: ClubTemplate) -> int:
    posted = request.POST.get("seen", "")
    return int(posted) if posted.isascii() and posted.isdecimal() and len(posted) < 9 else template.version


def _add_refusal(
    form: forms.Form,
    error: CrawfordError,
    current_template: ClubTemplate,
    expected_version: int,
    field_names: Any = None,
) -> tuple[int, int]:
    """Add the error to the form; return the version to send next time and the status of the page."""
    if error.status not in {INVALID_STATUS, CONFLICT_STATUS}:
        raise error
    add_faults(form, error, field_names)
    return (
        (current_template.version, CONFLICT_STATUS)
        if is_settings_conflict(error)
        else (expected_version, error.status)
    )
