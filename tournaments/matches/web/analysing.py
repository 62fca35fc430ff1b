"""Analyses for a director: how many matches have one, have the rest made, call off what waits. What an engine thinks is for the players to see."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from games.models import RecordAnalysis
from games.services.many_analyses import Wished
from games.web.analysed import failure_words
from people.ids import row_number
from people.web.access import actor_of
from tournaments.hall.web.board import match_or_missing
from tournaments.matches.services.analyses import ask_for_analyses, call_analyses_off
from tournaments.models import Event, Match
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.matches.analyses import analysis_of_match
from tournaments.selectors.matches.analysing import HowFar, how_far
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import not_done, show

State = RecordAnalysis.State
LOOKED_AFTER: Final = 15  # seconds, while something is made


@event_form
def analyses(request: HttpRequest, event: Event) -> HttpResponse:
    """``do``: ask, or call-off; of a ``stage`` or a ``match``, else of the event."""
    if request.method != "POST":
        return _page(request, event)
    back = request.path
    try:
        which: dict[str, int] = {}
        if stage := request.POST.get("stage", ""):
            which["stage_id"] = row_number(stage)
        if public_id := request.POST.get("match", ""):
            which["match_id"] = match_or_missing(event, public_id).pk
            back = reverse("director:match", args=[event.public_id, public_id])
        words = _done(request, event, which)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, words)
    return redirect(back)


def _done(request: HttpRequest, event: Event, which: dict[str, int]) -> str:
    actor, do = actor_of(request), request.POST.get("do", "")
    if do == "ask":
        return _asked_words(ask_for_analyses(actor=actor, event_id=event.pk, **which))
    if do == "call-off":
        count = call_analyses_off(actor=actor, event_id=event.pk, **which)
        return ngettext("%(count)s analysis cancelled.", "%(count)s analyses cancelled.", count) % {
            "count": count
        }
    raise Missing("analysis.unknown")


def _asked_words(wished: Wished) -> str:
    if not wished.asked:
        return _("All matches are already analysed or waiting to be analysed.")
    return ngettext(
        "%(count)s match is waiting to be analysed.",
        "%(count)s matches are waiting to be analysed.",
        wished.asked,
    ) % {"count": wished.asked}


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    far, stages = how_far(event), stages_of(event)
    whole = sum(far.values(), HowFar())
    context: dict[str, Any] = {
        "whole": whole,
        "rows": [{"stage": stage, "far": far[stage.pk]} for stage in stages if stage.pk in far],
        "several": len(far) > 1,
    }
    response = show(request, "matches/analyses.html", event, "analyses", context)
    if whole.coming:
        response["Refresh"] = str(LOOKED_AFTER)
    return response


def version_for_desk(match: Match) -> str:
    """Another text when `for_desk` has something else to show."""
    found = analysis_of_match(match)
    if found is None or found.row is None:
        return ""
    return f"{found.row.pk} {found.row.state} {found.row.games_done} {found.row.behind}"


def for_desk(match: Match) -> dict[str, Any] | None:
    """How far the analysis of one match is, for its director; None where there is nothing to analyse."""
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
        words = failure_words(row.failure)
    return {
        "words": words,
        "may_ask": state in {"", State.FAILED},
        "may_call_off": row is not None and state == State.WAITING and row.behind,
    }
