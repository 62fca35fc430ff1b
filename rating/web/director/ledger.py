"""The ledger for directors: search results, correct imported ones, and download the ledger as a file."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from people.models import Player
from people.text import clean_line
from people.web.access import action_view, form_view, page_view, render_refusal, request_actor
from people.web.faults import add_faults
from rating.models import Fact, FactKind, RatingList
from rating.outside import event_source
from rating.selectors import CorrectionPreview, preview_correction
from rating.selectors.changes import changes_by_fact
from rating.selectors.ledger import (
    CHUNK,
    all_facts,
    apply_visible_names,
    fact_of_list,
    is_superseded,
    ledger_page,
    merges_in_ledger,
    removal_reason,
    superseding_fact,
)
from rating.services.corrections import can_be_corrected, correct_fact, void_fact
from rating.store.spans import clubs_ever_counted
from rating.web.director.access import INVALID, directed_list, render_list_page
from rating.web.director.forms import CorrectionForm, LedgerFilter
from rating.web.exports import csv_response


@page_view
def ledger(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show all facts that the list counts, newest first."""
    rating_list = directed_list(request, list_id)
    form = LedgerFilter(request.GET or None)
    is_filtered = form.is_bound and form.is_valid()
    facts_page = ledger_page(
        rating_list,
        request.GET.get("page"),
        text=form.cleaned_data["q"] if is_filtered else "",
        since=form.start() if is_filtered else None,
    )
    query = request.GET.copy()
    query.pop("page", None)
    changes = changes_by_fact(rating_list, facts_page.object_list)
    names = _EventNames(rating_list)
    rows = [
        {
            "fact": fact,
            "event": event,
            "change": changes.get(fact.pk),
            "taken_back": is_superseded(fact),
            "may_correct": can_be_corrected(fact) and not is_superseded(fact),
            "is_opening": fact.kind == FactKind.OPENING,
        }
        for fact, event in names.with_event_names(apply_visible_names(rating_list, facts_page.object_list))
    ]
    return render_list_page(
        request,
        "ledger",
        _("Ledger"),
        rating_list,
        {"form": form, "page": facts_page, "rows": rows, "query": query.urlencode()},
    )


class _EventNames:
    """Finds the present names of the facts' events, except events of member clubs that are not public."""

    def __init__(self, rating_list: RatingList) -> None:
        self._list = rating_list
        self._clubs = clubs_ever_counted(rating_list.club_id)
        self._known: dict[str, str] = {"": ""}

    def with_event_names(self, facts: Iterable[Fact]) -> list[tuple[Fact, str]]:
        facts = list(facts)
        keys = {fact.event_key for fact in facts} - self._known.keys()
        if keys:
            event_choices = event_source().choices(self._clubs, own=self._list.club_id, keys=keys)
            self._known |= dict.fromkeys(keys, "") | {choice.key: choice.name for choice in event_choices}
        return [(fact, self._known[fact.event_key] or _imported_name(fact)) for fact in facts]


def _imported_name(fact: Fact) -> str:
    return "" if fact.event_key else fact.event_name


@form_view
def correct(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Preview the correction or the removal of a result, or correct it."""
    rating_list = directed_list(request, list_id)
    fact = fact_of_list(rating_list, number)
    if fact.winner is None or fact.loser is None:
        raise Missing("rating.fact_unknown")
    apply_visible_names(rating_list, [fact], hide_ids=False)
    is_removal = "without" in request.POST
    form = CorrectionForm(None if is_removal else request.POST or None, fact=fact)
    effects: CorrectionPreview | None = None
    taken_back = is_superseded(fact)
    if is_removal or (request.method == "POST" and form.is_valid()):
        try:
            if "apply" in request.POST and not is_removal:
                replacement = correct_fact(actor=request_actor(request), number=fact.pk, **form.values())
                messages.success(request, _("Result corrected. The ratings will be updated shortly."))
                return redirect("rating:why", rating_list.public_id, replacement.pk)
            if taken_back:
                raise Conflict("rating.taken_back")
            preview_kwargs: dict[str, Any] = {"void": True} if is_removal else form.preview_arguments()
            effects = preview_correction(source_key=fact.source_key, **preview_kwargs)
        except Conflict as conflict:
            return _render_superseded(request, rating_list, fact, conflict)
        except CrawfordError as error:
            add_faults(form, error)
    return render_list_page(
        request,
        "correct",
        _("Correct result"),
        rating_list,
        {
            "fact": fact,
            "event": _EventNames(rating_list).with_event_names([fact])[0][1],
            "form": form,
            "may_correct": can_be_corrected(fact) and not taken_back,
            "taken_back": taken_back,
            "effects": effects,
            "effects_title": _("Effect of removing this result") if is_removal else "",
        },
        INVALID if form.errors else 200,
    )


def _render_superseded(
    request: HttpRequest, rating_list: RatingList, fact: Fact, conflict: CrawfordError
) -> HttpResponse:
    """Show that a result was superseded meanwhile, with the fact that supersedes it."""
    successor = superseding_fact(fact)
    apply_visible_names(rating_list, [successor] if successor is not None else [])
    return render_refusal(
        request,
        conflict,
        back_url=reverse("rating_director:ledger", args=[rating_list.public_id]),
        template="rating/director/taken_back.html",
        list=rating_list,
        later=successor,
    )


@action_view
def void(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Remove a fact from the ledger by a void."""
    rating_list = directed_list(request, list_id)
    fact = fact_of_list(rating_list, number)
    try:
        reason = clean_line(request.POST.get("reason", "")[:200])
        void_fact(actor=request_actor(request), number=fact.pk, reason=reason)
    except CrawfordError as error:
        return _render_superseded(request, rating_list, fact, error)
    messages_by_kind = {
        FactKind.OPENING: _("Opening rating removed. The ratings will be updated shortly."),
        FactKind.PLACE: _("Place removed. The points will be updated shortly."),
    }
    messages.success(
        request,
        messages_by_kind.get(FactKind(fact.kind), _("Result removed. The ratings will be updated shortly.")),
    )
    return redirect("rating_director:ledger", rating_list.public_id)


COLUMNS = (
    "ledger_number kind played_at winner_id winner loser_id loser length winner_score loser_score result_kind"
    " discipline event event_weight division_rank place tied field opening_rating opening_deviation"
    " opening_experience winner_pr loser_pr target taken_back reason source_key taken_back_reason"
).split()


def ledger_rows(rating_list: RatingList) -> Iterator[tuple[Any, ...]]:
    """Yield the list's ledger as rows with ``COLUMNS``: merges first, then all facts in rating order.

    A merge has the remaining player as ``winner`` and the merged one as ``loser``.
    """
    for merged, survivor in merges_in_ledger(rating_list):
        if not merged.public_id:  # a private player is not mentioned separately
            continue
        cells = dict.fromkeys(COLUMNS, "") | {
            "kind": "merge",
            "winner_id": survivor.public_id,
            "winner": survivor.name,
            "loser_id": merged.public_id,
            "loser": merged.name,
        }
        yield tuple(cells.values())
    names = _EventNames(rating_list)
    facts = all_facts(rating_list)
    for batch in iter(lambda: list(islice(facts, CHUNK)), []):
        for fact, event in names.with_event_names(apply_visible_names(rating_list, batch)):
            yield (
                fact.pk,
                FactKind(fact.kind).name.lower(),
                fact.played_at.isoformat(),
                *_id_and_name(fact.winner),
                *_id_and_name(fact.loser),
                fact.length or "",
                fact.winner_score,
                fact.loser_score,
                fact.result_kind,
                fact.discipline,
                event,
                fact.event_weight,
                fact.division_rank,
                fact.place or "",
                fact.tied or "",
                fact.field or "",
                *_opening_cells(fact),
                "" if fact.winner_pr is None else fact.winner_pr,
                "" if fact.loser_pr is None else fact.loser_pr,
                fact.target_id or "",
                "yes" if is_superseded(fact) else "no",
                fact.reason,
                fact.source_key,
                removal_reason(fact),
            )


def _id_and_name(player: Player | None) -> tuple[str, str]:
    """Return (public id, name) of a player; two empty texts for a private player or None."""
    return (player.public_id, player.name) if player is not None and player.public_id else ("", "")


def _opening_cells(fact: Fact) -> tuple[float | str, float | str, int | str]:
    if fact.opening_rating is None:
        return "", "", ""
    return fact.opening_rating, fact.opening_deviation or "", fact.opening_experience


@page_view
def ledger_csv(request: HttpRequest, list_id: str) -> HttpResponse:
    """Return the list's ledger as a CSV file."""
    rating_list = directed_list(request, list_id)
    return csv_response(f"ledger-{rating_list.public_id}", COLUMNS, ledger_rows(rating_list))  # type: ignore[return-value]


@page_view
def ledger_json(request: HttpRequest, list_id: str) -> HttpResponse:
    """Return the list's ledger as a JSON file."""
    rating_list = directed_list(request, list_id)
    return StreamingHttpResponse(_json_lines(rating_list), content_type="application/json")  # type: ignore[return-value]


def _json_lines(rating_list: RatingList) -> Iterator[str]:
    """Yield the JSON file fact by fact: a ledger of a million facts is never loaded at once."""
    head = {"list": rating_list.public_id, "version": rating_list.version}
    yield json.dumps(head)[:-1] + ', "facts": ['
    separator = ""
    for row in ledger_rows(rating_list):
        yield separator + json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
        separator = ",\n"
    yield "]}"
