"""The page on which an event is made once more: on which day, with whom."""

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
from people.web.access import actor_of
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.series.days import same_weekday
from tournaments.models import Division, Event
from tournaments.selectors.copying import days_of, regulars_of
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.selectors.series import series_of_club, series_with, template_of_club, templates_of
from tournaments.series.services.copying import Copied, copy_event
from tournaments.series.services.series import put_in_series
from tournaments.series.services.templates import save_template
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import INVALID, not_done, show


class CopyForm(forms.Form):
    """When, under which name, which divisions, with their people or without."""

    starts_on = DateField(label=gettext_lazy("First day"))
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    divisions = forms.MultipleChoiceField(
        label=gettext_lazy("Divisions"), widget=forms.CheckboxSelectMultiple
    )
    people = forms.BooleanField(required=False)

    def __init__(self, data: Any, *, divisions: Sequence[Division], people: int, **more: Any) -> None:
        super().__init__(data, **more)
        several = len(divisions) > 1
        if several:
            field = self.fields["divisions"]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(str(one.pk), str(one)) for one in divisions]
        else:
            del self.fields["divisions"]
        people_field(self, people)

    def chosen(self) -> list[int] | None:
        return [int(pk) for pk in self.cleaned_data["divisions"]] if "divisions" in self.fields else None


def people_field(form: forms.Form, people: int) -> None:
    """The tick at the people who come along, so many; none where there is nobody."""
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
def again(request: HttpRequest, event: Event) -> HttpResponse:
    """An event once more: the day that comes next is filled in, Enter is enough."""
    divisions = divisions_in(event)
    regulars = regulars_of(event, divisions)
    form = CopyForm(
        request.POST or None,
        divisions=divisions,
        people=regulars.count,
        initial={
            "name": event.name,
            "starts_on": next_day(event),
            "divisions": [str(one.pk) for one in divisions],
            "people": True,
        },
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = copy_event(
                actor=actor_of(request),
                event_id=event.pk,
                name=form.cleaned_data["name"],
                starts_on=form.cleaned_data["starts_on"],
                people=form.cleaned_data.get("people", False),
                divisions=form.chosen(),
            )
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=reverse("director:again", args=[event.public_id]))
            add_faults(form, error)
        else:
            tell(request, made)
            return redirect(where_next(made))
    context = {
        "form": form,
        "left_out": regulars.left_out,
        "series": event.series,
        "all_series": series_of_club(event.club),
        "templates": templates_of(event.club),
    }
    return show(request, "series/again.html", event, "again", context, status=INVALID if form.errors else 200)


@event_action
def series_of(request: HttpRequest, event: Event) -> HttpResponse:
    """To which series the event belongs, or to none."""
    back = reverse("director:again", args=[event.public_id])
    asked = request.POST.get("series", "").replace("\0", "")[:16]
    try:
        found = series_with(event.club, asked) if asked else None
        put_in_series(
            actor=actor_of(request), event_id=event.pk, series_id=found.pk if found is not None else None
        )
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(
        request,
        _("Part of the series %(series)s.") % {"series": found.name}
        if found is not None
        else _("The event does not belong to a series."),
    )
    return redirect(back)


@event_action
def template_of(request: HttpRequest, event: Event) -> HttpResponse:
    """What is set here, as a template of the club: a new one, or in the place of one that is there."""
    back = reverse("director:again", args=[event.public_id])
    over = request.POST.get("over", "").replace("\0", "")[:16]
    try:
        made = save_template(
            actor=actor_of(request),
            event_id=event.pk,
            name="" if over else request.POST.get("name", ""),
            over=template_of_club(event.club, over).pk if over else None,
        )
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, _("Template %(name)s saved.") % {"name": made.name})
    return redirect("director:template", event.club.public_id, made.public_id)


def next_day(event: Event) -> date:
    """The next day of the same weekday on which the club has no event of that name."""
    return same_weekday(event.starts_on, today_at(event), days_of(event.club, event.name, event.series_id))


def tell(request: HttpRequest, made: Copied) -> None:
    """What was made, and what did not come along."""
    messages.success(
        request, _("%(name)s has been created as a draft. Only you can see it.") % {"name": made.event}
    )
    if made.left_out:
        words = ngettext(
            "%(count)s entry is not copied: one of its players is no longer in the player lists.",
            "%(count)s entries are not copied: each has a player who is no longer in the player lists.",
            made.left_out,
        )
        messages.warning(request, words % {"count": made.left_out})
    if made.open_ended:
        messages.warning(
            request,
            _(
                "The closing time for late entries would already be over, so none is set. You can set one "
                "under “Divisions and format”."
            ),
        )


def where_next(made: Copied) -> str:
    """To those who are expected, where there are any; else to the overview."""
    if not made.people:
        return reverse("director:event", args=[made.event.public_id])
    return reverse("director:entries", args=[made.event.public_id])
