"""The club's series and templates: all of them, one series with its table, one template and how its stages are played."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.messages import describe_all
from people.models import Club
from people.timezones import zones_in_words
from people.web.access import actor_of, directed_club, form_page, refused
from people.web.faults import add_faults
from tournaments.engine.series.points import MOST_COUNTED, MOST_POINTS, PointsRule, Scale, Sharing
from tournaments.events.web.fields import number_field, read_numbers
from tournaments.models import Series
from tournaments.selectors.series import all_series_of, series_view, series_with, templates_of
from tournaments.series.services.series import found_series, series_version, update_series
from tournaments.series.web.shapes import day_rows, table_shape
from tournaments.shared.frames.changed_since import is_changed
from tournaments.shared.frames.director import INVALID


class SeriesForm(forms.Form):
    """What a series is called, and what places are worth in it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    scale = forms.ChoiceField(
        label=gettext_lazy("Points"),
        widget=forms.RadioSelect,
        choices=[
            (Scale.LIST.value, gettext_lazy("by place, as entered below")),
            (
                Scale.HEADS.value,
                gettext_lazy(
                    "as many as the players in this place or below (with 12 players, the first gets 12)"
                ),
            ),
        ],
    )
    points = forms.CharField(
        label=gettext_lazy("Points for place 1, 2, 3 …"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Numbers separated by commas, for example 10, 8, 6, 5, 4, 3, 2, 1."),
    )
    rest = number_field(gettext_lazy("Points for every lower place"), 0, MOST_POINTS)
    ties = forms.ChoiceField(
        label=gettext_lazy("Shared places"),
        widget=forms.RadioSelect,
        choices=[
            (Sharing.SHARE.value, gettext_lazy("players share the points of all these places")),
            (Sharing.BETTER.value, gettext_lazy("every player gets the points of the best of these places")),
        ],
    )
    best = number_field(
        gettext_lazy("Number of events that count"),
        0,
        MOST_COUNTED,
        help_text=gettext_lazy("The best results of each player. Leave empty to count all."),
    )
    division = forms.CharField(
        label=gettext_lazy("Division"),
        required=False,
        max_length=80,
        help_text=gettext_lazy(
            "The division whose places count. Leave empty to use the first of each event."
        ),
    )
    archived = forms.BooleanField(
        label=gettext_lazy("Archived"),
        required=False,
        help_text=gettext_lazy("The series is no longer listed; its page stays."),
    )

    def clean_points(self) -> list[int]:
        return read_numbers(
            self.cleaned_data["points"], _("Enter numbers separated by commas, for example 10, 8, 6.")
        )

    def rule(self) -> PointsRule:
        data = self.cleaned_data
        return PointsRule(
            points=tuple(data["points"]),
            rest=data["rest"] or 0,
            scale=Scale(data["scale"]),
            ties=Sharing(data["ties"]),
            best=data["best"] or 0,
            division=" ".join(data["division"].split()),
        )


def _initial(series: Series) -> dict[str, Any]:
    rule = series.rule
    return {
        "name": series.name,
        "points": ", ".join(map(str, rule.points)),
        "rest": rule.rest,
        "scale": rule.scale.value,
        "ties": rule.ties.value,
        "best": rule.best or None,
        "division": rule.division,
        "archived": series.archived,
    }


@form_page
def all_series(request: HttpRequest, club: str) -> HttpResponse:
    """The series and templates of a club; a new series is founded by its name."""
    found, role = directed_club(request, club)
    faults: list[str] = []
    name = request.POST.get("name", "")
    if request.method == "POST":
        try:
            made = found_series(actor=actor_of(request), club_id=found.pk, name=name)
        except CrawfordError as error:
            faults = describe_all(error)
        else:
            return redirect("director:one-series", found.public_id, made.public_id)
    context = {
        "club": found,
        "role": role,
        "tab": "series",
        "series": all_series_of(found),
        "templates": templates_of(found, archived=True),
        "faults": faults,
        "typed": name,
    }
    return render(request, "series/club_series.html", context, status=INVALID if faults else 200)


@form_page
def one_series(request: HttpRequest, club: str, series: str) -> HttpResponse:
    """A series for its directors: every day of it, drafts too, the whole table, and what places are worth."""
    found, role = directed_club(request, club)
    wanted = series_with(found, series)
    form = SeriesForm(request.POST or None, initial=_initial(wanted))
    seen = request.POST.get("seen", "") or series_version(wanted)
    changed = False
    if request.method == "POST" and form.is_valid():
        try:
            update_series(
                actor=actor_of(request),
                club_id=found.pk,
                series_id=wanted.pk,
                name=form.cleaned_data["name"],
                rule=form.rule(),
                archived=form.cleaned_data["archived"],
                seen=seen,
            )
        except CrawfordError as error:
            if error.status not in {INVALID, 409}:
                return refused(request, error, back=_address(found, wanted))
            changed = is_changed(error)
            seen = series_version(wanted) if changed else seen
            add_faults(form, error)
        else:
            messages.success(request, _("Series saved."))
            return redirect(_address(found, wanted))
    view = series_view(series_with(found, series), directing=True)
    context = {
        "club": found,
        "role": role,
        "tab": "series",
        "series": wanted,
        "form": form,
        "seen": seen,
        "table": table_shape(view, directing=True),
        "coming": day_rows(view.coming, "director:event"),
        "running": day_rows(view.running, "director:event"),
        "over": day_rows(view.over, "director:event"),
        "latest": max(
            (*view.coming, *view.running, *view.over), key=lambda one: one.event.starts_on, default=None
        ),
        "zones": zones_in_words(get_language() or "en"),
    }
    status = 409 if changed else INVALID if form.errors else 200
    return render(request, "series/one_series.html", context, status=status)


def _address(club: Club, series: Series) -> str:
    return reverse("director:one-series", args=[club.public_id, series.public_id])
