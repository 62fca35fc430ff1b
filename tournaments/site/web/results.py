"""Pages and CSV file of the results of a club or a federation, for its directors."""

from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from faults import CrawfordError, Fault, Invalid, raise_faults
from people.models import Club
from people.pages import UncountedPage
from people.web.access import directed_club, page_view, render_refusal
from people.web.faults import add_faults
from people.web.forms import DateField
from people.web.versioned import versioned_response
from rating.selectors.results import ResultFilter
from rating.web.exports import csv_response
from tournaments.selectors.results import LocatedResult, LocatedResults, located_results_version
from tournaments.shared.words.names import result_kind_note, round_name_in_section

INVALID = 422
PER_PAGE = 100
CSV_COLUMNS = (
    "ledger_number played_at time_zone club_id club winner_id winner loser_id loser length winner_score loser_score kind"
    " discipline event_id event division section round match_id"
).split()


class ResultsForm(forms.Form):
    """Form for filtering results by date, club and player."""

    since = DateField(label=_("From"), required=False)
    until = DateField(
        label=_("To (inclusive)"),
        required=False,
    )
    club = forms.CharField(label=_("Club"), required=False, max_length=16, widget=forms.Select)
    q = forms.CharField(label=_("Player"), required=False, max_length=80)

    def asked(self) -> ResultFilter:
        """Return the filter that the user entered, or an empty filter if the form is unbound.

        Raises ``Invalid`` for invalid input.
        """
        if not self.is_bound:
            return ResultFilter()
        self.is_valid()
        raise_faults([Fault("filter.day", name) for name in ("since", "until") if name in self.errors])
        raise_faults([Fault("rating.results_club", "club") for _error in self.errors.get("club", ())])
        raise_faults([Fault("filter.text", "q", {"limit": 80}) for _error in self.errors.get("q", ())])
        clean = self.cleaned_data
        return ResultFilter(clean["since"], clean["until"], clean["club"], clean["q"])

    def offer(self, clubs: list[Club]) -> None:
        """Set the choices of the field ``club``: the federation itself and its members."""
        widget = self.fields["club"].widget
        assert isinstance(widget, forms.Select)
        widget.choices = [("", _("all clubs")), *((club.public_id, club.name) for club in clubs)]


@page_view
def results(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the results of a club or federation, newest first."""
    loaded_club, role = directed_club(request, club)
    form = ResultsForm(request.GET or None)
    status = 200
    try:
        rows = LocatedResults(loaded_club, form.asked(), inside=True)
    except Invalid as error:
        add_faults(form, error)
        rows, status = LocatedResults(loaded_club, ResultFilter(), inside=True), INVALID
    form.offer(list(rows.about.clubs.values()))
    results_page = UncountedPage[LocatedResult].of(
        rows if status == 200 else [], request.GET.get("page"), PER_PAGE
    )
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "club": loaded_club,
        "role": role,
        "tab": "results",
        "form": form,
        "page": results_page,
        "rows": [_result_row(row) for row in results_page],
        "query": query.urlencode(),
        "federation": len(rows.about.clubs) > 1,
        "zone": rows.about.zone.key,
        "wrong": status == INVALID,
    }
    with timezone.override(rows.about.zone):
        return render(request, "site/club_results.html", context, status=status)


def _result_row(row: LocatedResult) -> dict[str, Any]:
    result = row.result
    parts = [row.event_name, row.division, round_name_in_section(row.section, row.round) if row.round else ""]
    return {
        "result": result,
        "score": "" if result.winner_score is None else f"{result.winner_score}–{result.loser_score}",
        "note": result_kind_note(result.kind) if result.kind else "",
        "where": " · ".join(part for part in parts if part),
        "url": reverse("public:match", args=[row.match]) if row.match else "",
    }


@page_view
def results_csv(request: HttpRequest, club: str) -> HttpResponse:
    """Download of all results that match the filter as CSV, oldest first. The response is streamed."""
    loaded_club, _role = directed_club(request, club)
    try:
        rows = LocatedResults(loaded_club, ResultsForm(request.GET or None).asked(), inside=True)
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("director:club-results", args=[loaded_club.public_id])
        )
    zone = rows.about.zone

    def file() -> HttpResponse:
        return csv_response(f"results-{loaded_club.public_id}", CSV_COLUMNS, _csv_rows(rows, zone))  # type: ignore[return-value]

    return versioned_response(request, [*located_results_version(loaded_club, rows), zone.key], file)


def _csv_rows(rows: LocatedResults, zone: ZoneInfo) -> Iterator[tuple[Any, ...]]:
    for row in rows.every():
        result = row.result
        yield (
            result.number,
            result.played_at.astimezone(zone).isoformat(),
            zone.key,
            result.club.public_id,
            result.club.name,
            result.winner.public_id,
            result.winner.name,
            result.loser.public_id,
            result.loser.name,
            result.length,
            "" if result.winner_score is None else result.winner_score,
            "" if result.loser_score is None else result.loser_score,
            result.kind,
            result.discipline,
            row.event,
            row.event_name,
            row.division,
            row.section,
            row.round,
            row.match,
        )
