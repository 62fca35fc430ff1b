"""Corrections of confirmed results: preview of the consequences, then the chosen repair."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.types import Claim
from tournaments.hall.web.board import get_match_or_404
from tournaments.matches.web.director import match_page, match_url, result_form
from tournaments.matches.web.result_form import ResultForm
from tournaments.models import Event, Match
from tournaments.repairs.services.correct import Correction, check_correction, correct_result
from tournaments.repairs.web.length import length_page, read_number
from tournaments.repairs.web.preview_words import cascade_context, keep_message, repair_label_and_hint
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.repairs.corrections import correction_preview, rating_effects
from tournaments.shared.fragments.cards import match_card
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.changed_since import expected_version_from
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.words.names import match_round_name, result_kind_note

# Faults after which the director gets a new preview and chooses again.
PREVIEW_AGAIN_CODES = {
    "correction.not_seen",
    "correction.changed_meanwhile",
    "correction.choose_repair",
    "correction.repair_gone",
}


@event_action
def correct(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Page with the preview of what another result would change; with ``apply`` make the correction."""
    match_row = get_match_or_404(event, match)
    length = read_number(request, "length")
    form = result_form(event, _match_with_length(match_row, length), drawn_match(match_row), request.POST)
    continues_play = length is not None and "play_on" in request.POST
    if not form.is_valid() and not continues_play:
        return _redisplay_form(request, event, match_row, form, length)
    correction_request = CorrectionRequest(match_row, form, None if continues_play else form.claim(), length)
    try:
        check_correction(match=match_row, claim=correction_request.claim, length=length)
        if "apply" not in request.POST:
            return _preview(request, event, correction_request)
        correction = _apply_correction(request, event, correction_request)
    except CrawfordError as error:
        if isinstance(error, Conflict) and error.code in PREVIEW_AGAIN_CODES:
            return _preview(
                request, event, replace(correction_request, match=get_match_or_404(event, match)), error
            )
        if error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=match_url(event, match_row), match=match_row)
        add_faults(form, error)
        return _redisplay_form(request, event, match_row, form, length)
    messages.success(request, _success_message(correction))
    return redirect(match_url(event, match_row))


@dataclass(frozen=True, slots=True)
class CorrectionRequest:
    """A correction as requested by the form; ``match`` is the match as it was read.

    ``claim``: None if the match is played on to another length.
    """

    match: Match
    form: ResultForm
    claim: Claim | None
    length: int | None


def _match_with_length(match: Match, length: int | None) -> Match:
    """Return a copy of the match with the right length, for the form that checks its score."""
    changed_match = copy(match)
    changed_match.length = length or match.length
    return changed_match


def _redisplay_form(
    request: HttpRequest, event: Event, match: Match, form: ResultForm, length: int | None
) -> HttpResponse:
    """Return the page from which the form was sent, with its errors."""
    if length is not None:
        return length_page(request, event, match, form=form, length=str(length), status=INVALID_STATUS)
    return match_page(request, event, match, form, INVALID_STATUS)


def _apply_correction(
    request: HttpRequest, event: Event, correction_request: CorrectionRequest
) -> Correction:
    data, repair_code = correction_request.form.cleaned_data, request.POST.get("repair", "")
    expected_version = expected_version_from(request)
    if not expected_version:
        raise Conflict("correction.not_seen", present={"version": correction_request.match.version})
    return correct_result(
        actor=request_actor(request),
        event_id=event.pk,
        match_id=correction_request.match.pk,
        claim=correction_request.claim,
        submission_key=data.get("submission_key", ""),
        note=data.get("note", ""),
        played_at=data.get("played_at"),
        seen=expected_version,
        repair=Repair(repair_code) if repair_code in set(Repair) else None,
        length=correction_request.length,
    )


@snapshot()
def _preview(
    request: HttpRequest, event: Event, correction_request: CorrectionRequest, error: Conflict | None = None
) -> HttpResponse:
    match, claim, length = correction_request.match, correction_request.claim, correction_request.length
    preview = correction_preview(match, claim, length)
    carried_fields = [
        (name, correction_request.form.data.get(name, "")) for name in correction_request.form.fields
    ]
    carried_fields += [(name, request.POST[name]) for name in ("length", "play_on") if name in request.POST]
    context: dict[str, Any] = {
        "match": match,
        "card": {**match_card(preview.match), "url": "", "round_name": match_round_name(match)},
        "now": _score_label(match.score_a, match.score_b, match.result_kind),
        "then": _("play continues")
        if claim is None
        else _score_label(claim.score_a, claim.score_b, claim.kind),
        "lengths": (match.length, length) if length not in (None, match.length) else None,
        "repairs": [
            {
                "code": repair.value,
                "name": repair_label_and_hint(repair)[0],
                "means": repair_label_and_hint(repair)[1],
                "cascade": cascade_context(cascade, preview.draw),
                "stay": keep_message(preview.match) if repair is Repair.KEEP else "",
                "effects": rating_effects(match, claim, length, cascade),
            }
            for repair, cascade in preview.repairs.items()
        ],
        "kept": [*carried_fields, ("seen", preview.version)],
        "moved_on": describe_all(error) if error is not None else [],
    }
    return render_event_page(
        request, "repairs/correction.html", event, "matches", context, status=error.status if error else 200
    )


def _score_label(a: int | None, b: int | None, kind: str) -> str:
    note = result_kind_note(kind)
    return f"{a}–{b} ({note})" if note else f"{a}–{b}"


def _success_message(correction: Correction) -> str:
    if not correction.has_winner_changed:
        return _("Result corrected.")
    if correction.repair is Repair.VOID:
        return _("Result corrected. Matches that depended on it are replayed.")
    if correction.repair is Repair.KEEP:
        return _("Result corrected. The draw does not change.")
    return _("Result corrected. The other player advances.")
