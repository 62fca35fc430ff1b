"""Analyses for a director: progress, requests, cancellation. Their content is for the players."""

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
    """The progress page. ``do``: ask, or call-off; of a ``stage`` or a ``match``, else of the event."""
    if request.method != "POST":
        return _page(request, event)
    back = request.path
    try:
        which: dict[str, int] = {}
        if stage := request.POST.get("stage", ""):
            which["stage_id"] = parse_row_id(stage)
        if public_id := request.POST.get("match", ""):
            which["match_id"] = get_match_or_404(event, public_id).pk
            back = reverse("director:match", args=[event.public_id, public_id])
        words = _run_action(request, event, which)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back)
    messages.success(request, words)
    return redirect(back)


def _run_action(request: HttpRequest, event: Event, which: dict[str, int]) -> str:
    actor, do = request_actor(request), request.POST.get("do", "")
    if do == "ask":
        return _requested_message(request_analyses(actor=actor, event_id=event.pk, **which))
    if do == "call-off":
        count = cancel_analyses(actor=actor, event_id=event.pk, **which)
        return ngettext("%(count)s analysis cancelled.", "%(count)s analyses cancelled.", count) % {
            "count": count
        }
    raise Missing("analysis.unknown")


def _requested_message(wished: BulkRequestResult) -> str:
    if not wished.asked:
        return _("All matches are already analysed or waiting to be analysed.")
    return ngettext(
        "%(count)s match is waiting to be analysed.",
        "%(count)s matches are waiting to be analysed.",
        wished.asked,
    ) % {"count": wished.asked}


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    far, stages = analysis_progress(event), linked_stages(event)
    whole = sum(far.values(), AnalysisProgress())
    context: dict[str, Any] = {
        "whole": whole,
        "rows": [{"stage": stage, "far": far[stage.pk]} for stage in stages if stage.pk in far],
        "several": len(far) > 1,
    }
    response = render_event_page(request, "matches/analyses.html", event, "analyses", context)
    if whole.coming:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


def analysis_version(match: Match) -> str:
    """Return a text that changes whenever the content of `analysis_context` does."""
    found = analysis_of_match(match)
    if found is None or found.row is None:
        return ""
    return f"{found.row.pk} {found.row.state} {found.row.games_done} {found.row.behind}"


def analysis_context(match: Match) -> dict[str, Any] | None:
    """Return the progress of a match's analysis for its director; None if there is nothing to analyse."""
    found = analysis_of_match(match)
    if found is None:
        return None
    row = found.row
    state = row.state if row is not None else ""
    words = {
        "": _("No analysis of this match has been requested."),
        State.WAITING: _("This match is waiting to be analysed."),
        State.DONE: _(
            "The analysis is ready. The two players can see it, and it becomes public when both agree."
        ),
    }.get(state, "")
    if row is not None and state == State.WORKING:
        words = _("Analysis in progress: %(done)s of %(games)s games done.") % {
            "done": row.games_done,
            "games": row.games,
        }
    if row is not None and state == State.FAILED:
        words = failure_message(row.failure)
    return {
        "words": words,
        "may_ask": state in {"", State.FAILED},
        "may_call_off": row is not None and state == State.WAITING and row.behind,
    }
