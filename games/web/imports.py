"""Pages of record imports for directors: upload an archive, its progress, and the reports of all files."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Fault, Missing, NotAllowed
from games.messages import UNREADABLE
from games.models import ImportedFile
from games.records.validation import VerdictDecision
from games.selectors import (
    clubs_of_director,
    import_files,
    import_progress,
    imported_file,
    imports_for,
    visible_import,
)
from games.services.archives import MAX_ARCHIVE_BYTES
from games.services.checking import check_with_limits
from games.services.imports import start_import
from games.web.held_analysis import file_analysis_context
from games.web.showing import length_label, viewer_context
from games.web.uploads import limit_upload
from games.web.viewing import build_record_view
from people.messages import describe, messages_by_field
from people.models import Club
from people.web.access import form_view, page_view, request_actor, request_user
from people.web.versioned import page_etag, versioned_response

PER_PAGE = 100
DECISION_LABELS: dict[VerdictDecision, str | Promise] = {
    VerdictDecision.ACCEPT: gettext_lazy("Valid"),
    VerdictDecision.ACCEPT_WITH_NOTES: gettext_lazy("Valid, with notes"),
    VerdictDecision.DOUBTFUL: gettext_lazy("Doubtful"),
    VerdictDecision.REJECT: gettext_lazy("Has errors"),
    VerdictDecision.UNREADABLE: gettext_lazy("Unreadable"),
}
FILTER_STATES = ("", *DECISION_LABELS)


class ArchiveForm(forms.Form):
    """An archive of records to be uploaded, and its club."""

    club = forms.ChoiceField(label=gettext_lazy("Club"))
    file = forms.FileField(
        label=gettext_lazy("Zip archive of game records"),
        allow_empty_file=True,
        max_length=1000,
        help_text=gettext_lazy(
            "Up to 40 MB and 5,000 files. Uploading the same archive twice opens the existing import."
        ),
    )

    def __init__(self, *args: Any, clubs: list[Club]) -> None:
        super().__init__(*args)
        club = self.fields["club"]
        assert isinstance(club, forms.ChoiceField)
        club.choices = [(item.public_id, item.name) for item in clubs]
        if len(clubs) == 1:
            club.initial = clubs[0].public_id


@limit_upload(MAX_ARCHIVE_BYTES)
@form_view
def imports(request: HttpRequest) -> HttpResponse:
    """Upload an archive of records, and list earlier imports of the user's clubs."""
    user = request_user(request)
    clubs = clubs_of_director(user)
    if not clubs:
        raise NotAllowed("people.not_director")
    form = ArchiveForm(*((request.POST, request.FILES) if request.method == "POST" else ()), clubs=clubs)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        club = next(item for item in clubs if item.public_id == form.cleaned_data["club"])
        try:
            started = start_import(
                actor=request_actor(request),
                club_id=club.pk,
                content=file.read(MAX_ARCHIVE_BYTES + 1),
                filename=file.name or "",
            )
        except CrawfordError as error:
            if isinstance(error, Missing | NotAllowed):
                raise
            for field, sentences in messages_by_field(error.faults).items():
                for sentence in sentences:
                    form.add_error(field if field in form.fields else None, sentence)
        else:
            if started.repeated:
                messages.info(request, _("This archive was already uploaded. The existing report is shown."))
            return redirect("games:import", started.batch.public_id)
    earlier = [{"batch": batch, "progress": import_progress(batch)} for batch in imports_for(user)[:20]]
    context = {"form": form, "earlier": earlier}
    return render(request, "games/imports.html", context, status=422 if form.errors else 200)


@page_view
def report(request: HttpRequest, batch: str) -> HttpResponse:
    """Show the import's progress and the report of every file; the page reloads until the import is done."""
    record_import = visible_import(request_user(request), batch)
    progress = import_progress(record_import)
    state = request.GET.get("show", "")
    state = state if state in FILTER_STATES else ""
    versions = [progress, record_import.finished_at]

    def draw() -> HttpResponse:
        files_page = Paginator(import_files(record_import, state), PER_PAGE).get_page(request.GET.get("page"))
        context = {
            "batch": record_import,
            "progress": progress,
            "etag": page_etag(request, versions),
            "page": files_page,
            "query": f"show={state}" if state else "",
            "files": [_file_context(file) for file in files_page],
            "tabs": [
                {"state": code, "words": label, "count": count, "current": code == state}
                for code, label, count in (
                    ("", _("All"), progress.done),
                    (VerdictDecision.ACCEPT.value, DECISION_LABELS[VerdictDecision.ACCEPT], progress.valid),
                    (
                        VerdictDecision.ACCEPT_WITH_NOTES.value,
                        DECISION_LABELS[VerdictDecision.ACCEPT_WITH_NOTES],
                        progress.noted,
                    ),
                    (
                        VerdictDecision.DOUBTFUL.value,
                        DECISION_LABELS[VerdictDecision.DOUBTFUL],
                        progress.doubtful,
                    ),
                    (VerdictDecision.REJECT.value, DECISION_LABELS[VerdictDecision.REJECT], progress.faulty),
                    (
                        VerdictDecision.UNREADABLE.value,
                        DECISION_LABELS[VerdictDecision.UNREADABLE],
                        progress.unreadable,
                    ),
                )
            ],
        }
        return render(request, "games/import.html", context)

    return versioned_response(request, versions, draw)


@page_view
def viewer(request: HttpRequest, batch: str, position: int) -> HttpResponse:
    """Show one record of an import in the viewer."""
    record_import = visible_import(request_user(request), batch)
    file = imported_file(record_import, position)
    assert file.record is not None
    check_result = check_with_limits(bytes(file.record.content), file.filename, with_analysis=True)
    record_view = build_record_view(check_result)
    if record_view is None:
        raise Missing("import.file_unknown")
    context = {
        **viewer_context(request, check_result, record_view),
        "filename": file.filename,
        "batch": record_import,
    }
    context |= file_analysis_context(check_result, record_view, context, request.GET)
    return render(request, "games/viewer.html", context)


def _file_context(file: ImportedFile) -> dict[str, Any]:
    return {
        "file": file,
        "words": DECISION_LABELS[VerdictDecision(file.decision)],
        "tone": {
            VerdictDecision.ACCEPT: "good",
            VerdictDecision.ACCEPT_WITH_NOTES: "info",
            VerdictDecision.DOUBTFUL: "warn",
        }.get(VerdictDecision(file.decision), "bad"),
        "refused": refusal_message(file),
        "length": length_label(file.length) if file.length is not None else "",
        "scored": file.score_left is not None,
        "viewable": file.record_id is not None and file.score_left is not None,
    }


def refusal_message(file: ImportedFile) -> str:
    """Return a message why no record could be read from a file; "" if one was."""
    if not file.refused:
        return ""
    message: str | Promise | None = UNREADABLE.get(file.refused)
    return describe(Fault(file.refused)) if message is None else str(message) % file.params
