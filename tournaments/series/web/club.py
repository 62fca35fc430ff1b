"""Pages of a club's series and templates: the list, and one series with its table and settings."""

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
from people.timezones import zone_choices
from people.web.access import directed_club, form_view, render_refusal, request_actor
from people.web.faults import add_faults
from tournaments.engine.series.points import (
    MAX_COUNTED_EVENTS,
    MAX_POINTS,
    PointsRule,
    PointsScale,
    SharedPlacePoints,
)
from tournaments.events.web.fields import number_field, parse_numbers
from tournaments.models import Series
from tournaments.selectors.series import club_series, club_templates, get_series, series_view
from tournaments.series.services.series import create_series, series_version, update_series
from tournaments.series.web.shapes import day_rows, table_context
from tournaments.shared.frames.changed_since import is_settings_conflict
from tournaments.shared.frames.director import INVALID_STATUS


class SeriesForm(forms.Form):
    """Form with name, points and options of a series."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    scale = forms.ChoiceField(
        label=gettext_lazy("Points"),
        widget=forms.RadioSelect,
        choices=[
            (PointsScale.LIST.value, gettext_lazy("by place, as entered below")),
            (
                PointsScale.HEADS.value,
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
    rest = number_field(gettext_lazy("Points for every lower place"), 0, MAX_POINTS)
    ties = forms.ChoiceField(
        label=gettext_lazy("Shared places"),
        widget=forms.RadioSelect,
        choices=[
            (SharedPlacePoints.SHARE.value, gettext_lazy("players share the points of all these places")),
            (
                SharedPlacePoints.BETTER.value,
                gettext_lazy("every player gets the points of the best of these places"),
            ),
        ],
    )
    best = number_field(
        gettext_lazy("Number of events that count"),
        0,
        MAX_COUNTED_EVENTS,
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
        return parse_numbers(
            self.cleaned_data["points"], _("Enter numbers separated by commas, for example 10, 8, 6.")
        )

    def rule(self) -> PointsRule:
        data = self.cleaned_data
        return PointsRule(
            points=tuple(data["points"]),
            rest=data["rest"] or 0,
            scale=PointsScale(data["scale"]),
            ties=SharedPlacePoints(data["ties"]),
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


@form_view
def all_series(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the series and templates of a club, with a form to create a series by name."""
    found_club, role = directed_club(request, club)
    faults: list[str] = []
    name = request.POST.get("name", "")
    if request.method == "POST":
        try:
            created = create_series(actor=request_actor(request), club_id=found_club.pk, name=name)
        except CrawfordError as error:
            faults = describe_all(error)
        else:
            return redirect("director:one-series", found_club.public_id, created.public_id)
    context = {
        "club": found_club,
        "role": role,
        "tab": "series",
        "series": club_series(found_club),
        "templates": club_templates(found_club, archived=True),
        "faults": faults,
        "typed": name,
    }
    return render(request, "series/club_series.html", context, status=INVALID_STATUS if faults else 200)


@form_view
def one_series(request: HttpRequest, club: str, series: str) -> HttpResponse:
    """Page of a series for its directors: all events including drafts, the whole table, and its settings."""
    found_club, role = directed_club(request, club)
    found_series = get_series(found_club, series)
    form = SeriesForm(request.POST or None, initial=_initial(found_series))
    expected_version = request.POST.get("seen", "") or series_version(found_series)
    is_conflict = False
    if request.method == "POST" and form.is_valid():
        try:
            update_series(
                actor=request_actor(request),
                club_id=found_club.pk,
                series_id=found_series.pk,
                name=form.cleaned_data["name"],
                rule=form.rule(),
                archived=form.cleaned_data["archived"],
                seen=expected_version,
            )
        except CrawfordError as error:
            if error.status not in {INVALID_STATUS, 409}:
                return render_refusal(request, error, back_url=_series_url(found_club, found_series))
            is_conflict = is_settings_conflict(error)
            expected_version = series_version(found_series) if is_conflict else expected_version
            add_faults(form, error)
        else:
            messages.success(request, _("Series saved."))
            return redirect(_series_url(found_club, found_series))
    view = series_view(get_series(found_club, series), directing=True)
    context = {
        "club": found_club,
        "role": role,
        "tab": "series",
        "series": found_series,
        "form": form,
        "seen": expected_version,
        "table": table_context(view, directing=True),
        "coming": day_rows(view.coming, "director:event"),
        "running": day_rows(view.running, "director:event"),
        "over": day_rows(view.over, "director:event"),
        "latest": max(
            (*view.coming, *view.running, *view.over), key=lambda row: row.event.starts_on, default=None
        ),
        "zones": zone_choices(get_language() or "en"),
    }
    status = 409 if is_conflict else INVALID_STATUS if form.errors else 200
    return render(request, "series/one_series.html", context, status=status)


def _series_url(club: Club, series: Series) -> str:
    return reverse("director:one-series", args=[club.public_id, series.public_id])
