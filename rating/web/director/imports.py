"""Take tables in: first a dry run that names every fault, then all or nothing."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from people.errors import CrawfordError
from people.messages import describe
from people.web.access import actor_of, directed_club, form_page
from people.web.faults import add_faults
from rating.services.imports import (
    Imported,
    check_openings,
    check_results,
    import_openings,
    import_results,
)
from rating.services.tables import decode
from rating.web.director.access import directed_list
from rating.web.director.forms import OpeningForm, TableForm

INVALID = 422
FAULTS_SHOWN = 200


@form_page
def openings(request: HttpRequest, list_id: str) -> HttpResponse:
    """Opening ratings of a list."""
    found = directed_list(request, list_id)
    form = OpeningForm(request.POST or None, request.FILES or None)
    return _table_page(
        request,
        form,
        template="rating/director/import_openings.html",
        context={"list": found, "club": found.club},
        check=lambda text, new: check_openings(
            rating_list=found, text=text, as_of=form.moment(), create_unknown=new
        ),
        take=lambda text, new: import_openings(
            actor=actor_of(request),
            list_id=found.pk,
            text=text,
            as_of=form.moment(),
            create_unknown=new,
        ),
        then=lambda: redirect("rating_director:list", found.public_id),
    )


@form_page
def results(request: HttpRequest, club: str) -> HttpResponse:
    """Old results of a club."""
    found, _role = directed_club(request, club)
    form = TableForm(request.POST or None, request.FILES or None)
    return _table_page(
        request,
        form,
        template="rating/director/import_results.html",
        context={"club": found},
        check=lambda text, new: check_results(club=found, text=text, create_unknown=new),
        take=lambda text, new: import_results(
            actor=actor_of(request), club_id=found.pk, text=text, create_unknown=new
        ),
        then=lambda: redirect("rating_director:home", found.public_id),
    )


Run = Callable[[str, bool], Imported]


def _table_page(
    request: HttpRequest,
    form: TableForm,
    *,
    template: str,
    context: dict[str, Any],
    check: Run,
    take: Run,
    then: Callable[[], HttpResponse],
) -> HttpResponse:
    report: Imported | None = None
    text = ""
    if request.method == "POST" and form.is_valid():
        clean = form.cleaned_data
        try:
            text = decode(clean["file"].read()) if clean["file"] else clean["text"]
            if "take" in request.POST:
                done = take(text, clean["create_unknown"])
                messages.success(
                    request,
                    ngettext("%(count)s row is taken in.", "%(count)s rows are taken in.", done.new)
                    % {"count": done.new},
                )
                return then()
            report = check(text, clean["create_unknown"])
        except CrawfordError as error:
            add_faults(form, error, {"file": "file"})
    faults = [describe(fault) for fault in report.faults] if report else []
    return render(
        request,
        template,
        {
            **context,
            "form": form,
            "report": report,
            "faults": faults[:FAULTS_SHOWN],
            "more_faults": max(0, len(faults) - FAULTS_SHOWN),
            "text": text,
        },
        status=INVALID if form.errors or faults else 200,
    )
