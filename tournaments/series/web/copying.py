"""Page to duplicate an event, assign it to a series, and save it as a template."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from faults import CrawfordError
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.series.days import next_same_weekday
from tournaments.models import Division, Event
from tournaments.selectors.copying import entries_to_copy, event_start_dates
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.series import active_series, club_templates, get_club_template, get_series
from tournaments.series.services.copying import CopyResult, copy_event
from tournaments.series.services.series import set_event_series
from tournaments.series.services.templates import save_template
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action


class CopyForm(forms.Form):
    """Form with date, name, divisions, and whether to copy the entries."""

    starts_on = DateField(label=gettext_lazy("First day"))
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    divisions = forms.MultipleChoiceField(
        label=gettext_lazy("Divisions"), widget=forms.CheckboxSelectMultiple
    )
    people = forms.BooleanField(required=False)

    def __init__(self, data: Any, *, divisions: Sequence[Division], people: int, **form_options: Any) -> None:
        super().__init__(data, **form_options)
        has_several = len(divisions) > 1
        if has_several:
            field = self.fields["divisions"]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(str(division.pk), str(division)) for division in divisions]
        else:
            del self.fields["divisions"]
        people_field(self, people)

    def chosen(self) -> list[int] | None:
        return [int(pk) for pk in self.cleaned_data["divisions"]] if "divisions" in self.fields else None


def people_field(form: forms.Form, people: int) -> None:
    """Set label and help of the checkbox for copying ``people`` entries; remove it if there are none."""
    if not people:
        del form.fields["people"]
        return
    form.fields["people"].label = ngettext(
        "%(count)s entry, pending approval", "%(count)s entries, pending approval", people
    ) % {"count": people}
    form.fields["people"].help_text = _(
        "Players of this event are entered as pending approval. They are not public, and you approve "
        "those who come at the desk. Phone numbers, addresses and links are not copied."
    )


@event_form
def duplicate_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Page to duplicate an event. The next free date is filled in."""
    divisions = divisions_in(event)
    copied_entries = entries_to_copy(event, divisions)
    form = CopyForm(
        request.POST or None,
        divisions=divisions,
        people=copied_entries.count,
        initial={
            "name": event.name,
            "starts_on": next_free_date(event),
            "divisions": [str(division.pk) for division in divisions],
            "people": True,
        },
    )
    if request.method == "POST" and form.is_valid():
        try:
            copy_result = copy_event(
                actor=request_actor(request),
                event_id=event.pk,
                name=form.cleaned_data["name"],
                starts_on=form.cleaned_data["starts_on"],
                people=form.cleaned_data.get("people", False),
                divisions=form.chosen(),
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(
                    request, error, back=reverse("director:again", args=[event.public_id])
                )
            add_faults(form, error)
        else:
            add_copy_messages(request, copy_result)
            return redirect(next_url(copy_result))
    context = {
        "form": form,
        "left_out": copied_entries.left_out,
        "series": event.series,
        "all_series": active_series(event.club),
        "templates": club_templates(event.club),
    }
    return render_event_page(
        request, "series/again.html", event, "again", context, status=INVALID_STATUS if form.errors else 200
    )


@event_action
def set_series(request: HttpRequest, event: Event) -> HttpResponse:
    """Assign the event to a series, or remove it from its series."""
    back_url = reverse("director:again", args=[event.public_id])
    series_id = request.POST.get("series", "").replace("\0", "")[:16]
    try:
        series = get_series(event.club, series_id) if series_id else None
        set_event_series(
            actor=request_actor(request),
            event_id=event.pk,
            series_id=series.pk if series is not None else None,
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(
        request,
        _("Part of the series %(series)s.") % {"series": series.name}
        if series is not None
        else _("The event does not belong to a series."),
    )
    return redirect(back_url)


@event_action
def save_as_template(request: HttpRequest, event: Event) -> HttpResponse:
    """Save the event's settings as a template of the club, new or in place of an existing one."""
    back_url = reverse("director:again", args=[event.public_id])
    replaced_id = request.POST.get("over", "").replace("\0", "")[:16]
    try:
        template = save_template(
            actor=request_actor(request),
            event_id=event.pk,
            name="" if replaced_id else request.POST.get("name", ""),
            replaced_id=get_club_template(event.club, replaced_id).pk if replaced_id else None,
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, _("Template %(name)s saved.") % {"name": template.name})
    return redirect("director:template", event.club.public_id, template.public_id)


def next_free_date(event: Event) -> date:
    """Return the next date on the same weekday on which the club has no event of that name."""
    return next_same_weekday(
        event.starts_on, event_today(event), event_start_dates(event.club, event.name, event.series_id)
    )


def add_copy_messages(request: HttpRequest, copy_result: CopyResult) -> None:
    """Show messages about the copy and what was not copied."""
    messages.success(
        request, _("%(name)s has been created as a draft. Only you can see it.") % {"name": copy_result.event}
    )
    if copy_result.left_out:
        message = ngettext(
            "%(count)s entry is not copied: one of its players is no longer in the player lists.",
            "%(count)s entries are not copied: each has a player who is no longer in the player lists.",
            copy_result.left_out,
        )
        messages.warning(request, message % {"count": copy_result.left_out})
    if copy_result.is_cutoff_dropped:
        messages.warning(
            request,
            _(
                "The closing time for late entries would already be over, so none is set. You can set one "
                "under “Divisions and format”."
            ),
        )


def next_url(copy_result: CopyResult) -> str:
    """Return the address of the copy's entries if it has any, otherwise of its overview."""
    if not copy_result.people:
        return reverse("director:event", args=[copy_result.event.public_id])
    return reverse("director:entries", args=[copy_result.event.public_id])
