"""Pages of table imports: first a check that lists every error, then all rows are imported or nothing."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing, NotAllowed
from people.messages import describe
from people.models import Club
from people.web.access import directed_club, form_view, request_actor
from people.web.faults import add_faults
from rating.models import RatingList
from rating.selectors.lists import club_lists
from rating.selectors.tables import open_table_import
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.plans import ImportSummary
from rating.services.result_tables import Weight
from rating.services.table_jobs import UploadedTable, start_import
from rating.services.tables import decode_table
from rating.web.director.access import INVALID, directed_list, render_list_page
from rating.web.director.forms import OpeningForm, ResultsForm, TableForm
from rating.web.frame import club_zone

MAX_LISTED_FAULTS = 200
MAX_INLINE_ROWS = (
    2_000  # lines that are checked, and taken in, while somebody waits for the page; more are a worker's
)


@form_view
def openings(request: HttpRequest, list_id: str) -> HttpResponse:
    """Check and import a table of opening ratings of a list."""
    rating_list = directed_list(request, list_id)
    form = OpeningForm(request.POST or None, request.FILES or None)
    return _table_page(
        request,
        form,
        template="import_openings",
        title=_("Opening ratings"),
        subject=rating_list,
        run_check=lambda text, create_unknown: check_openings(
            rating_list=rating_list,
            text=text,
            as_of=form.moment(),
            create_unknown=create_unknown,
            same=form.same,
        ),
        run_import=lambda text, create_unknown: import_openings(
            actor=request_actor(request),
            list_id=rating_list.pk,
            text=text,
            as_of=form.moment(),
            create_unknown=create_unknown,
            again=form.cleaned_data["again"],
            same=form.same,
            public_page=form.public_page_choice,
        ),
        on_success=lambda: redirect("rating_director:list", rating_list.public_id),
        build_upload=lambda content, name: UploadedTable(
            content,
            name,
            form.cleaned_data["create_unknown"],
            rating_list.public_id,
            form.moment(),
            form.same,
            form.public_page_choice,
        ),
    )


@form_view
def results(request: HttpRequest, club: str) -> HttpResponse:
    """Check and import a table of old results of a club."""
    club_object, _role = directed_club(request, club)
    lists = club_lists(club_object.pk)
    form = ResultsForm(request.POST or None, request.FILES or None, lists=lists)
    return _table_page(
        request,
        form,
        template="import_results",
        title=_("Earlier results"),
        subject=club_object,
        run_check=lambda text, create_unknown: check_results(
            club=club_object,
            text=text,
            create_unknown=create_unknown,
            openings_to=form.list_for_openings,
            same=form.same,
        ),
        run_import=lambda text, create_unknown: import_results(
            actor=request_actor(request),
            club_id=club_object.pk,
            text=text,
            create_unknown=create_unknown,
            again=form.cleaned_data["again"],
            same=form.same,
            public_page=form.public_page_choice,
            openings_to=None if form.list_for_openings is None else form.list_for_openings.pk,
        ),
        on_success=lambda: redirect("rating_director:home", club_object.public_id),
        build_upload=lambda content, name: UploadedTable(
            content,
            name,
            form.cleaned_data["create_unknown"],
            form.cleaned_data["openings_to"],
            None,
            form.same,
            form.public_page_choice,
        ),
    )


RunImport = Callable[[str, bool], ImportSummary]


def _table_page(
    request: HttpRequest,
    form: TableForm,
    *,
    template: str,
    title: str,
    subject: RatingList | Club,
    run_check: RunImport,
    run_import: RunImport,
    on_success: Callable[[], HttpResponse],
    build_upload: Callable[[bytes, str], UploadedTable],
) -> HttpResponse:
    report: ImportSummary | None = None
    text = ""
    club = subject.club if isinstance(subject, RatingList) else subject
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        try:
            content = cleaned["file"].read() if cleaned["file"] else cleaned["text"].encode()
            text = decode_table(content) if cleaned["file"] else cleaned["text"]
            if text.count("\n") > MAX_INLINE_ROWS:
                uploaded = build_upload(content, cleaned["file"].name if cleaned["file"] else "")
                job = start_import(actor=request_actor(request), club_id=club.pk, handed=uploaded)
                return redirect("rating_director:import", club.public_id, job.public_id)
            if "take" in request.POST:
                summary = run_import(text, cleaned["create_unknown"])
                messages.success(
                    request,
                    ngettext("%(count)s row imported.", "%(count)s rows imported.", summary.new)
                    % {"count": summary.new},
                )
                if summary.filled:
                    messages.success(
                        request,
                        ngettext(
                            "Score added to %(count)s match.",
                            "Scores added to %(count)s matches.",
                            summary.filled,
                        )
                        % {"count": summary.filled},
                    )
                if summary.taken_back:
                    messages.warning(
                        request,
                        ngettext(
                            "%(count)s row skipped because its entry was removed earlier.",
                            "%(count)s rows skipped because their entries were removed earlier.",
                            summary.taken_back,
                        )
                        % {"count": summary.taken_back},
                    )
                return on_success()
            report = run_check(text, cleaned["create_unknown"])
        except (Missing, NotAllowed):
            raise
        except CrawfordError as error:
            add_faults(form, error)
            text = ""
    faults = [describe(fault) for fault in report.faults] if report else []
    notes = [describe(note) for note in report.notes] if report else []
    return render_list_page(
        request,
        template,
        title,
        subject,
        {
            "form": form,
            "zone": club_zone(club.pk).key,
            "running": open_table_import(club.pk),
            "report": report,
            "faults": faults[:MAX_LISTED_FAULTS],
            "more_faults": max(0, len(faults) + (report.more_faults if report else 0) - MAX_LISTED_FAULTS),
            "notes": notes[:MAX_LISTED_FAULTS],
            "more_notes": max(0, len(notes) + (report.more_notes if report else 0) - MAX_LISTED_FAULTS),
            "weights": weight_texts(report.weights if report else ()),
            "text": text,
        },
        INVALID if form.errors or faults else 200,
    )


def weight_texts(weights: Sequence[tuple[Weight, int]]) -> list[str]:
    """Return texts on how many rows have each weight for master points; empty if all have the default."""
    if all(weight == Weight() for weight, _rows in weights):
        return []
    return [
        ngettext(
            "× %(weight)s, division %(rank)s: %(count)s row",
            "× %(weight)s, division %(rank)s: %(count)s rows",
            rows,
        )
        % {"weight": f"{weight.event:g}", "rank": weight.division_rank, "count": rows}
        for weight, rows in weights
    ]
