"""Pages for a wrong match length (rule F9): of a match, the rest of its round, or a match that is over."""

from copy import copy
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError
from people.messages import describe_all
from people.web.access import request_actor
from tournaments.engine.matches.lengths import MAX_LENGTH
from tournaments.engine.statuses import OVER
from tournaments.hall.web.board import get_match_or_404
from tournaments.matches.web.director import match_url, result_form
from tournaments.matches.web.result_form import ResultForm
from tournaments.models import Event, Match
from tournaments.repairs.services.length import can_take_round_length, set_match_length, set_round_length
from tournaments.selectors.draws import DrawnMatch, drawn_match
from tournaments.selectors.matches.detail import matches_of_round
from tournaments.shared.fragments.cards import match_card
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.words.names import match_round_name, round_name_from_code


@event_form
def change_length(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Page to change the length of a match, or of all matches of its round that have not begun.

    For a match that is over the page has the form of a correction.
    """
    match_row = get_match_or_404(event, match)
    if request.method != "POST" or match_row.status in OVER:
        return length_page(request, event, match_row)
    new_length = read_number(request, "length") or 0
    whole_round = request.POST.get("scope") == "round"
    service_kwargs: dict[str, Any] = {
        "actor": request_actor(request),
        "event_id": event.pk,
        "length": new_length,
    }
    try:
        if whole_round:
            expected_version = read_number(request, "round_seen")
            set_round_length(
                **service_kwargs,
                stage_id=match_row.stage_id,
                number=match_row.round.number,
                seen=expected_version,
            )
        else:
            set_match_length(**service_kwargs, match_id=match_row.pk, seen=read_number(request, "seen"))
    except CrawfordError as error:
        if error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=match_url(event, match_row), match=match_row)
        typed = request.POST.get("length", "")[:9]
        return length_page(
            request,
            event,
            match_row,
            faults=describe_all(error),
            length=typed,
            status=INVALID_STATUS,
            whole_round=whole_round,
        )
    message = (
        _("The round is now played to %(length)s.")
        if whole_round
        else _("The match is now played to %(length)s.")
    )
    messages.success(request, message % {"length": new_length})
    return redirect(match_url(event, match_row))


def length_page(
    request: HttpRequest,
    event: Event,
    match: Match,
    *,
    form: ResultForm | None = None,
    faults: list[str] | None = None,
    length: str = "",
    whole_round: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Return the page; ``form``: result of a match that is over, checked against the new length.

    ``length``: as entered; ``faults``: messages about it; ``whole_round``: the round was chosen.
    """
    row = drawn_match(match)
    round_matches = matches_of_round(match.round)
    changing_count = sum(
        can_take_round_length(other_match) and other_match.status not in OVER for other_match in round_matches
    )
    unchanged_count = sum(not can_take_round_length(other_match) for other_match in round_matches)
    is_over = match.status in OVER
    context = {
        "match": match,
        "card": {**match_card(row), "url": "", "round_name": match_round_name(match)},
        "over": is_over,
        "bye": row.is_bye,
        "form": (form or _unbounded_result_form(event, match, row)) if is_over and not row.is_bye else None,
        "length": length or match.length,
        "most": MAX_LENGTH,
        "faults": faults or [],
        "whole_round": whole_round,
        "round_name": round_name_from_code(match.round.code),
        "round_seen": match.round.length,
        "follow": ngettext(
            "%(count)s match that has not started gets the new length.",
            "%(count)s matches that have not started get the new length.",
            changing_count,
        )
        % {"count": changing_count},
        "stay": ngettext(
            "%(count)s match has started or is over and does not change.",
            "%(count)s matches have started or are over and do not change.",
            unchanged_count,
        )
        % {"count": unchanged_count}
        if unchanged_count
        else "",
    }
    return render_event_page(request, "repairs/length.html", event, "matches", context, status=status)


def _unbounded_result_form(event: Event, match: Match, row: DrawnMatch) -> ResultForm:
    """Return a result form that accepts any score, for a match whose right length is not known yet."""
    longest_match = copy(match)
    longest_match.length = MAX_LENGTH
    form = result_form(event, longest_match, row)
    form.initial["score_a"], form.initial["score_b"] = match.score_a, match.score_b
    return form


def read_number(request: HttpRequest, name: str) -> int | None:
    """Return a small integer of the submitted form; None if missing, 0 if invalid."""
    text = request.POST.get(name, "").strip()
    if not text:
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
