"""The page of a table import that a worker processes.

Progress, problems found, and the director's decision.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import Conflict, Invalid
from people.messages import describe, describe_all
from people.models import Club
from people.web.access import directed_club, form_view, request_actor
from people.web.forms import posted_public_page
from people.web.versioned import page_etag, versioned_response
from rating.models import TableImport
from rating.models.imports import Step
from rating.selectors.tables import import_report, table_import
from rating.services.import_reports import UNKNOWN_PLAYER_CODE
from rating.services.result_tables import Weight
from rating.services.table_jobs import confirm_import, recheck_import, stop_import
from rating.web.director.access import render_list_page
from rating.web.director.forms import TableForm, chosen_players
from rating.web.director.imports import weight_texts

PHASE_LABELS = {
    "reading": gettext_lazy("Reading rows"),
    "comparing": gettext_lazy("Comparing with the ledger"),
    "writing": gettext_lazy("Writing to the ledger"),
}


@form_view
def table_job(request: HttpRequest, club: str, number: str) -> HttpResponse:
    """Show the progress of an import, the problems found and the choices.

    The page reloads while a worker is active.
    """
    club_object, _role = directed_club(request, club)
    job = table_import(number, club_id=club_object.pk)
    if request.method == "POST":
        return _decide(request, club_object, job)
    versions = [job.public_id, job.changed_at.isoformat(), job.state]
    return versioned_response(
        request, versions, lambda: _render_import(request, club_object, job, page_etag(request, versions))
    )


def _decide(request: HttpRequest, club: Club, job: TableImport) -> HttpResponse:
    actor, decision = request_actor(request), request.POST.get("act")
    try:
        if decision == "take":
            confirm_import(actor=actor, import_id=job.pk, again=bool(request.POST.get("again")))
        elif decision == "check":
            recheck_import(
                actor=actor,
                import_id=job.pk,
                create_unknown=bool(request.POST.get("create_unknown")),
                same=chosen_players(request.POST),
                public_page=posted_public_page(request.POST),
            )
        elif decision == "stop":
            stopped = stop_import(actor=actor, import_id=job.pk)
            if not stopped.is_open:
                messages.success(request, _("Nothing was imported. The file was deleted."))
        else:
            raise Invalid("request.odd", field="act")
    except (Conflict, Invalid) as error:
        for sentence in describe_all(error):
            messages.error(request, sentence)
    return redirect("rating_director:import", club.public_id, job.public_id)


def _render_import(request: HttpRequest, club: Club, job: TableImport, etag: str) -> HttpResponse:
    report = import_report(job)
    is_done = job.state == Step.DONE
    context = {
        "job": job,
        "etag": etag,
        "phase": PHASE_LABELS.get(job.phase, _("Waiting to be processed")),
        "percent": 100 * job.done // job.total if job.total else 0,
        "report": report,
        "table_form": TableForm(initial={"public_page": job.public_page}),
        # Unknown players are listed by name instead of line by line.
        "faults": [describe(fault) for fault in report.faults if fault.code != UNKNOWN_PLAYER_CODE]
        if report
        else [],
        "more_faults": report.fault_count - len(report.faults)
        if report is not None and all(fault.code != UNKNOWN_PLAYER_CODE for fault in report.faults)
        else 0,
        "notes": [describe(note) for note in report.notes] if report else [],
        "more_notes": report.note_count - len(report.notes) if report else 0,
        "more_unknown": report.unknown_count - len(report.unknown) if report else 0,
        "more_players": report.player_count - len(report.players) if report else 0,
        "weights": weight_texts(
            [(Weight(event, rank), rows) for event, rank, rows in report.weights] if report else []
        ),
        "can_take": job.state == Step.ASKED
        and report is not None
        and not report.fault_count
        and (report.anything or report.taken_back),
        "done": is_done,
    }
    title = _("Opening ratings") if job.as_of is not None else _("Earlier results")
    return render_list_page(request, "import", title, club, context)
