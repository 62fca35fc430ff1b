"""Director's page of computer analyses: progress, requests, cancellation. Only players see the content."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from games.models import RecordAnalysis
from games.services.many_analyses import BulkRequestResult
from games.web.analysed import failure_message
from people.ids import parse_row_id
from people.web.access import request_actor
from tournaments.hall.web.board import get_match_or_404
from tournaments.matches.services.analyses import cancel_analyses, request_analyses
from tournaments.models import Event, Match
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.matches.analyses import analysis_of_match
from tournaments.selectors.matches.analysing import AnalysisProgress, analysis_progress
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import render_event_page, render_refused_action

State = RecordAnalysis.State
REFRESH_SECONDS: Final = 15  # seconds, while analyses are in progress


@event_form
def analyses(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the progress of the event's analyses. POST requests or cancels analyses.

    Field ``do``: ``ask`` or ``call-off``; with ``stage`` or ``match``, only those of this stage or match.
    """
    if request.method != "POST":
        return _page(request, event)
    back_url = request.path
    try:
        selection: dict[str, int] = {}
        if stage := request.POST.get("stage", ""):
            selection["stage_id"] = parse_row_id(stage)
        if public_id := request.POST.get("match", ""):
            selection["match_id"] = get_match_or_404(event, public_id).pk
            back_url = reverse("director:match", args=[event.public_id, public_id])
        message = _run_action(request, event, selection)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, message)
    return redirect(back_url)


def _run_action(request: HttpRequest, event: Event, selection: dict[str, int]) -> str:
    actor, action = request_actor(request), request.POST.get("do", "")
    if action == "ask":
        return _requested_message(request_analyses(actor=actor, event_id=event.pk, **selection))
    if action == "call-off":
        count = cancel_analyses(actor=actor, event_id=event.pk, **selection)
        return ngettext("%(count)s analysis cancelled.", "%(count)s analyses cancelled.", count) % {
            "count": count
        }
    raise Missing("analysis.unknown")


def _requested_message(bulk_result: BulkRequestResult) -> str:
    if not bulk_result.asked:
        return _("All matches are already analysed or waiting to be analysed.")
    return ngettext(
        "%(count)s match is waiting to be analysed.",
        "%(count)s matches are waiting to be analysed.",
        bulk_result.asked,
    ) % {"count": bulk_result.asked}


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    progress, stages = analysis_progress(event), linked_stages(event)
    total = sum(progress.values(), AnalysisProgress())
    context: dict[str, Any] = {
        "whole": total,
        "rows": [{"stage": stage, "far": progress[stage.pk]} for stage in stages if stage.pk in progress],
        "several": len(progress) > 1,
    }
    response = render_event_page(request, "matches/analyses.html", event, "analyses", context)
    if total.coming:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


def analysis_version(match: Match) -> str:
    """Return a string that changes whenever the result of `analysis_context` does."""
    match_analysis = analysis_of_match(match)
    if match_analysis is None or match_analysis.row is None:
        return ""
    return f"{match_analysis.row.pk} {match_analysis.row.state} {match_analysis.row.games_done} {match_analysis.row.behind}"


def analysis_context(match: Match) -> dict[str, Any] | None:
    """Return the template context with the progress of a match's analysis, for its director.

    None if there is no game record to analyse.
    """
    match_analysis = analysis_of_match(match)
    if match_analysis is None:
        return None
    row = match_analysis.row
    state = row.state if row is not None else ""
    message = {
        "": _("No analysis of this match has been requested."),
        State.WAITING: _("This match is waiting to be analysed."),
        State.DONE: _(
            "The analysis is ready. The two players can see it, and it becomes public when both agree."
        ),
    }.get(state, "")
    if row is not None and state == State.WORKING:
        message = _("Analysis in progress: %(done)s of %(games)s games done.") % {
            "done": row.games_done,
            "games": row.games,
        }
    if row is not None and state == State.FAILED:
        message = failure_message(row.failure)
    return {
        "words": message,
        "may_ask": state in {"", State.FAILED},
        "may_call_off": row is not None and state == State.WAITING and row.behind,
    }
