"""Page to withdraw an entry after the draw: how its present match ends, which results count, consequences."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.brackets.correction import absence_result
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.types import Claim, ResultKind, Score
from tournaments.matches.services.reports import submit_report
from tournaments.models import Entry, Event
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.repairs.web.length import read_number
from tournaments.repairs.web.preview_words import cascade_context
from tournaments.selectors.entries import get_entry
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.repairs.withdrawals import (
    StageWithdrawal,
    WithdrawalPreview,
    section_after_walkover,
    withdrawal_preview,
)
from tournaments.shared.fragments.cards import match_card
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import division_page_url, stage_name
from tournaments.shared.words.flights import section_name

MAX_VERSION_LENGTH = 64


@event_form
def withdraw_entry(request: HttpRequest, event: Event, entry: str) -> HttpResponse:
    """Page to decide and preview a withdrawal; with ``apply`` withdraw the entry."""
    entry_row = get_entry(event, entry)
    if request.method == "POST" and "only" in request.POST:
        return _lose_present_match(request, event, entry_row)
    claims = _claims_from_form(request, withdrawal_preview(entry_row)) if request.method == "POST" else {}
    leaving = _leaving_from_form(request)
    if request.method != "POST" or "apply" not in request.POST:
        return _page(request, event, entry_row, claims, leaving)
    try:
        withdraw_after_draw(
            actor=request_actor(request),
            event_id=event.pk,
            entry_id=entry_row.pk,
            claims=claims,
            leaving=leaving,
            seen=request.POST.get("seen", "")[:MAX_VERSION_LENGTH],
        )
    except CrawfordError as error:
        is_outdated = isinstance(error, Conflict) and error.code == "correction.changed_meanwhile"
        if not is_outdated and error.status != INVALID_STATUS:
            return render_refused_action(
                request, error, back=reverse("director:entries", args=[event.public_id])
            )
        return _page(request, event, entry_row, claims, leaving, error)
    messages.success(request, _("%(name)s is withdrawn.") % {"name": entry_row.name})
    return redirect(division_page_url(event, "entries", entry_row.division_id))


def _lose_present_match(request: HttpRequest, event: Event, entry: Entry) -> HttpResponse:
    """Record a walkover in the entry's present match only; the entry plays on in the losers' section."""
    preview = withdrawal_preview(entry)
    stage_id = request.POST["only"]
    stage = next(
        (withdrawal for withdrawal in preview.now if str(withdrawal.draw.stage.pk) == stage_id), None
    )
    section = section_after_walkover(stage, entry) if stage is not None else None
    if stage is None or stage.now is None or not section:
        raise Missing("match.unknown")
    match, slot = stage.now, stage.now.side_of(entry.pk)
    assert slot is not None
    try:
        if request.POST.get("seen", "")[:MAX_VERSION_LENGTH] != preview.version:
            raise Conflict("correction.changed_meanwhile", present={"status": match.status.value})
        submit_report(
            actor=request_actor(request),
            match_id=match.pk,
            entry=None,
            claim=absence_result(match.length, Score(*match.start), [slot.side]),
            submission_key=f"only-{match.public_id}-{match.version}",
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=request.path)
    messages.success(
        request,
        _("%(name)s loses this match by a walkover and continues in: %(section)s.")
        % {"name": entry.name, "section": section_name(section)},
    )
    return redirect("director:board", event.public_id)


@snapshot()
def _page(
    request: HttpRequest,
    event: Event,
    found: Entry,
    claims: Mapping[int, Claim],
    leaving: WithdrawnResults | None,
    error: CrawfordError | None = None,
) -> HttpResponse:
    preview = withdrawal_preview(found)
    leaving = leaving or preview.default_rule
    if claims or leaving is not None:  # a second preview of a large bracket costs 0.1 s
        preview = withdrawal_preview(found, claims=claims, results_rule=leaving)
    stages = linked_stages(event)
    context: dict[str, Any] = {
        "entry": found,
        "now": [_present_match_context(stage, found, claims) for stage in preview.now],
        "leaving": leaving.value if leaving is not None else "",
        "usual": preview.default_rule.value if preview.default_rule is not None else "",
        "stages": [
            {
                "name": stage_name(stage.draw.stage, stages),
                "cascade": cascade_context(stage.cascade, stage.draw),
                "struck": len(stage.struck_match_numbers),
            }
            for stage in preview.stages
        ],
        "several": len(preview.stages) > 1,
        "asks": bool(preview.now or preview.default_rule),
        "seen": preview.version,
        "sentences": describe_all(error) if error is not None else [],
    }
    status = error.status if error is not None else 200
    return render_event_page(
        request, "repairs/leave.html", event, "entries", context, stages=stages, status=status
    )


def _present_match_context(
    stage: StageWithdrawal, entry: Entry, claims: Mapping[int, Claim]
) -> dict[str, Any]:
    """Return the template context of the match that the entry would have to play now, and of how it ends."""
    match, pk = stage.now, stage.draw.stage.pk
    assert match is not None
    claim = claims.get(pk)
    section = section_after_walkover(stage, entry)
    return {
        "plays_on": section_name(section) if section else "",
        "out": section == "",
        "stage": pk,
        "card": {**match_card(match), "url": ""},
        "names": [side.name for side in match.sides],
        "length": match.length,
        "retired": claim is not None,
        "a": claim.score_a if claim is not None else match.start[0],
        "b": claim.score_b if claim is not None else match.start[1],
        "begun": match.status.value not in {"ready", "called"},
    }


def _claims_from_form(request: HttpRequest, preview: WithdrawalPreview) -> dict[int, Claim]:
    """Return the scores of present matches that were given up, as results keyed by stage id.

    Other present matches become walkovers.
    """
    claims: dict[int, Claim] = {}
    for stage in preview.now:
        pk, match = stage.draw.stage.pk, stage.now
        if match is None or request.POST.get(f"end-{pk}") != "retired":
            continue
        slot = match.side_of(preview.entry.pk)
        if slot is not None:
            a, b = read_number(request, f"a-{pk}") or 0, read_number(request, f"b-{pk}") or 0
            claims[pk] = Claim(a, b, ResultKind.RETIRED, slot.side.other)
    return claims


def _leaving_from_form(request: HttpRequest) -> WithdrawnResults | None:
    results_code = request.POST.get("leaving", "")
    return WithdrawnResults(results_code) if results_code in set(WithdrawnResults) else None
