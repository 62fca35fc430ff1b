"""Director's pages of the divisions and stages of an event: an overview, and a page to change each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.selectors import refresh_row
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.statuses import StageStatus
from tournaments.events.services.divisions import (
    add_division,
    division_settings_version,
    move_division,
    next_division_name,
    open_next_division,
    remove_division,
    update_division,
)
from tournaments.events.services.stages import (
    MAX_STAGES,
    StageDetails,
    add_stage,
    details_of_stage,
    is_event_changeable,
    remove_stage,
    stage_settings_version,
    update_stage,
)
from tournaments.events.services.templates import event_template
from tournaments.events.web.division_forms import TEAM_SIZES, DivisionForm, NewDivisionForm
from tournaments.events.web.feed_fields import default_feed
from tournaments.events.web.stage_forms import StageForm, stage_initial
from tournaments.models import Event, Stage
from tournaments.selectors.entries import divisions_with_entries
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.standings.sources import feeds_among
from tournaments.shared.frames.access import event_action, event_form, event_page
from tournaments.shared.frames.changed_since import (
    conflict_context,
    expected_version_from,
    is_settings_conflict,
    response_status,
)
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import division_page_url, stage_contexts
from tournaments.shared.frames.last_changes import last_saved_settings
from tournaments.shared.words.limits import limit_label
from tournaments.shared.words.names import date_and_time


@event_page
def divisions(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the divisions of the event with their stages, in order."""
    stages = linked_stages(event)
    all_contexts = stage_contexts(stages)
    divisions_by_id = {stage.division_id: stage.division for stage in stages}
    ids_with_entries = divisions_with_entries(event)
    feeding_ids = {feeder.pk for stage in stages for feeder, _source in feeds_among(stage, stages)}
    rows = []
    for index, (pk, division) in enumerate(divisions_by_id.items()):
        own_contexts = [
            stage_context for stage_context in all_contexts if stage_context["stage"].division_id == pk
        ]
        is_drawn = any(stage_context["stage"].status != StageStatus.SETUP for stage_context in own_contexts)
        rows.append(
            {
                "division": division,
                "stages": [
                    {
                        **stage_context,
                        "open": stage_context["stage"].status == StageStatus.SETUP,
                        "removable": len(own_contexts) > 1
                        and stage_context["stage"].status == StageStatus.SETUP
                        and stage_context["stage"].pk not in feeding_ids,
                    }
                    for stage_context in own_contexts
                ],
                "team": dict(TEAM_SIZES)[division.team_size] if division.team_size > 1 else "",
                "until": date_and_time(division.entries_until, event),
                "limit": limit_label(division),
                "up": index > 0,
                "down": index < len(divisions_by_id) - 1,
                "removable": len(divisions_by_id) > 1 and not is_drawn and pk not in ids_with_entries,
                "room": len(own_contexts) < MAX_STAGES,
                # A side event: one bracket, without a season.
                "next": next_division_name(
                    division.name or event.name, [other.name for other in divisions_by_id.values()]
                )
                if is_drawn
                and len(own_contexts) == 1
                and own_contexts[0]["stage"].system in Stage.ELIMINATIONS
                and is_event_changeable(event)
                else "",
            }
        )
    return render_event_page(
        request, "events/divisions.html", event, "divisions", {"rows": rows}, stages=stages
    )


@event_form
def division_new(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the form of a new division; when it is sent, add the division."""
    stages = linked_stages(event)
    form = NewDivisionForm(request.POST or None, event=event, stages=stages)
    if request.method == "POST" and form.is_valid():
        try:
            created = add_division(
                actor=request_actor(request),
                event_id=event.pk,
                division=form.details(stages),
                first_name=form.cleaned_data.get("first_name", ""),
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_divisions_url(event))
            add_faults(form, error)
        else:
            messages.success(request, _("%(name)s has been added.") % {"name": created.name})
            return redirect(_divisions_url(event))
    return _render_division_form(request, event, stages, form, _("New division"), _("Add division"))


@event_form
def division(request: HttpRequest, event: Event, division: int) -> HttpResponse:
    """Show and change the settings of a division; ``division`` is its id."""
    stages = linked_stages(event)
    loaded_division = next((stage.division for stage in stages if stage.division_id == division), None)
    if loaded_division is None:
        raise Missing("division.unknown")
    form = DivisionForm(request.POST or None, division=loaded_division, event=event, stages=stages)
    context: dict[str, Any] = {
        "seen": expected_version_from(request) or division_settings_version(loaded_division)
    }
    if request.method == "POST" and form.is_valid():
        try:
            update_division(
                actor=request_actor(request),
                event_id=event.pk,
                division_id=loaded_division.pk,
                division=form.details(),
                seen=expected_version_from(request),
            )
        except CrawfordError as error:
            if not is_settings_conflict(error):
                add_faults(form, error)
            else:
                loaded_division = refresh_row(loaded_division)
                form = DivisionForm(request.POST, division=loaded_division, event=event, stages=stages)
                context = conflict_context(
                    request,
                    error,
                    form,
                    division_settings_version(loaded_division),
                    last_saved_settings(event, loaded_division),
                )
        else:
            messages.success(request, _("Division saved."))
            return redirect(_divisions_url(event))
    title = loaded_division.name or _("Entries of the event")
    return _render_division_form(request, event, stages, form, title, _("Save"), context)


@event_form
def stage_new(request: HttpRequest, event: Event, division: int) -> HttpResponse:
    """Show the form of a new stage at the end of a division; when it is sent, add the stage.

    The form proposes an earlier stage that feeds it, if possible.
    """
    stages = linked_stages(event)
    division_stages = [stage for stage in stages if stage.division_id == division]
    if not division_stages:
        raise Missing("division.unknown")
    sources = division_stages
    default_stage = event_template("knock_out").stage or StageDetails()
    initial = {**stage_initial(default_stage), "name": _("Knockout"), **default_feed(division_stages)}
    form = StageForm(request.POST or None, initial=initial, sources=sources)
    if request.method == "POST" and form.is_valid():
        try:
            add_stage(
                actor=request_actor(request), event_id=event.pk, division_id=division, stage=form.details()
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_divisions_url(event))
            add_faults(form, error, form.fault_fields)
        else:
            messages.success(request, _("Stage added."))
            return redirect(_divisions_url(event))
    return _render_stage_form(request, event, stages, form, _("New stage"), _("Add stage"))


@event_form
def stage(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Show and change the settings of a stage that is not drawn; ``stage`` is its id."""
    stages = linked_stages(event)
    stage_row = next((candidate for candidate in stages if candidate.pk == stage), None)
    if stage_row is None:
        raise Missing("stage.unknown")
    if stage_row.status != StageStatus.SETUP and request.method != "POST":
        return redirect(_divisions_url(event))
    division_stages = [candidate for candidate in stages if candidate.division_id == stage_row.division_id]
    current_details = details_of_stage(stage_row)
    sources = division_stages[: division_stages.index(stage_row)]
    form = StageForm(request.POST or None, initial=stage_initial(current_details), sources=sources)
    context: dict[str, Any] = {"seen": expected_version_from(request) or stage_settings_version(stage_row)}
    if request.method == "POST" and form.is_valid():
        try:
            update_stage(
                actor=request_actor(request),
                event_id=event.pk,
                stage_id=stage_row.pk,
                stage=form.details(current_details),
                seen=expected_version_from(request),
            )
        except CrawfordError as error:
            if is_settings_conflict(error):
                stage_row = refresh_row(stage_row)
                form = StageForm(
                    request.POST, initial=stage_initial(details_of_stage(stage_row)), sources=sources
                )
                context = conflict_context(
                    request,
                    error,
                    form,
                    stage_settings_version(stage_row),
                    last_saved_settings(event, stage_row),
                )
            elif error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_divisions_url(event))
            else:
                add_faults(form, error, form.fault_fields)
        else:
            messages.success(request, _("Stage saved."))
            return redirect(_divisions_url(event))
    return _render_stage_form(request, event, stages, form, str(stage_row), _("Save"), context)


@event_action
def change_division(request: HttpRequest, event: Event, division: int) -> HttpResponse:
    """Move a division up or down, remove it, or open another division like it; ``division`` is its id."""
    requested_action = request.POST.get("do", "")
    actor = request_actor(request)
    if division not in {stage.division_id for stage in linked_stages(event)}:
        raise Missing("division.unknown")
    try:
        if requested_action in {"up", "down"}:
            places = -1 if requested_action == "up" else 1
            move_division(actor=actor, event_id=event.pk, division_id=division, places=places)
        elif requested_action == "remove":
            remove_division(actor=actor, event_id=event.pk, division_id=division)
            messages.success(request, _("Division removed."))
        elif requested_action == "next":
            next_division = open_next_division(actor=actor, event_id=event.pk, division_id=division)
            messages.success(request, _("%(name)s is open for entries.") % {"name": next_division.name})
            return redirect(division_page_url(event, "entries", next_division.pk))
        else:
            raise Missing("division.action_unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=_divisions_url(event))
    return redirect(_divisions_url(event))


@event_action
def stage_remove(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Remove the stage with the id ``stage``."""
    if stage not in {candidate.pk for candidate in linked_stages(event)}:
        raise Missing("stage.unknown")
    try:
        remove_stage(actor=request_actor(request), event_id=event.pk, stage_id=stage)
    except CrawfordError as error:
        return render_refused_action(request, error, back=_divisions_url(event))
    messages.success(request, _("Stage removed."))
    return redirect(_divisions_url(event))


@snapshot()
def _render_division_form(
    request: HttpRequest,
    event: Event,
    stages: list[Stage],
    form: forms.Form,
    title: str,
    button: str,
    extra_context: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    context = {"form": form, "title": title, "button": button, **extra_context}
    status = response_status(context, form)
    return render_event_page(
        request, "events/division_form.html", event, "divisions", context, stages=stages, status=status
    )


@snapshot()
def _render_stage_form(
    request: HttpRequest,
    event: Event,
    stages: list[Stage],
    form: StageForm,
    title: str,
    button: str,
    extra_context: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    context = {"stage_form": form, "title": title, "button": button, "staged": True, **extra_context}
    status = response_status(context, form)
    return render_event_page(
        request, "events/stage_form.html", event, "divisions", context, stages=stages, status=status
    )


def _divisions_url(event: Event) -> str:
    return reverse("director:divisions", args=[event.public_id])
