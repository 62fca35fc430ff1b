"""The ledger as directors see it: look results up, correct those that came by import, take it home as a file."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from people.errors import CrawfordError, Missing
from people.models import search_key
from people.text import one_line
from people.web.access import action, actor_of, form_page, page, refused
from people.web.faults import add_faults
from rating.models import Fact, FactKind, RatingList
from rating.selectors import effects_of_correction
from rating.selectors.changes import changes_on
from rating.services.corrections import correct_fact, kept_here, void_fact
from rating.store.reading import clubs_counted, counted, moment_of
from rating.web.director.access import directed_list
from rating.web.director.forms import CorrectForm, LedgerFilter
from rating.web.exports import csv_response

INVALID = 422
PER_PAGE = 50
EFFECTS_SHOWN = 40


def _facts(rating_list: RatingList) -> QuerySet[Fact]:
    return (
        counted(rating_list, clubs_counted(rating_list.club_id))
        .select_related("winner", "loser")
        .prefetch_related(Prefetch("later", queryset=Fact.objects.only("pk", "target_id", "kind")))
    )


@page
def ledger(request: HttpRequest, list_id: str) -> HttpResponse:
    """All facts that the list counts, newest first."""
    found = directed_list(request, list_id)
    form = LedgerFilter(request.GET or None)
    facts = _facts(found).order_by("-moment", "-pk")
    if form.is_bound and form.is_valid():
        for word in search_key(form.cleaned_data["q"]).split():
            facts = facts.filter(Q(winner__search_name__contains=word) | Q(loser__search_name__contains=word))
        if start := form.start():
            facts = facts.filter(moment__gte=moment_of(start))
    shown = Paginator(facts, PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    changes = changes_on(found, shown.object_list)
    rows = [
        {
            "fact": fact,
            "change": changes.get(fact.pk),
            "taken_back": bool(fact.later.all()),
            "may_correct": kept_here(fact) and not fact.later.all(),
            "is_opening": fact.kind == FactKind.OPENING,
        }
        for fact in shown.object_list
    ]
    return render(
        request,
        "rating/director/ledger.html",
        {"list": found, "form": form, "page": shown, "rows": rows, "query": query.urlencode()},
    )


def _fact(rating_list: RatingList, number: int) -> Fact:
    fact = _facts(rating_list).filter(pk=number).exclude(kind=FactKind.VOID).first()
    if fact is None:
        raise Missing("rating.fact_unknown")
    return fact


@form_page
def correct(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """See what a correction would do, then make it."""
    found = directed_list(request, list_id)
    fact = _fact(found, number)
    if fact.winner is None or fact.loser is None:
        raise Missing("rating.fact_unknown")
    players = {p.public_id: p for p in (fact.winner, fact.loser)}
    form = CorrectForm(request.POST or None, initial={"winner": fact.winner.public_id, "length": fact.length})
    form.fields["winner"].choices = [(pk, player.name) for pk, player in players.items()]  # type: ignore[attr-defined]
    effects: list[Any] | None = None
    taken_back = fact.later.exists()
    if request.method == "POST" and form.is_valid() and not taken_back:
        winner = players[form.cleaned_data["winner"]]
        loser = next(player for player in players.values() if player != winner)
        length = form.cleaned_data["length"]
        if "apply" not in request.POST:
            effects = effects_of_correction(
                source_key=fact.source_key, winner_id=winner.pk, loser_id=loser.pk, length=length
            )
        else:
            try:
                new = correct_fact(
                    actor=actor_of(request),
                    number=fact.pk,
                    winner=winner.public_id,
                    loser=loser.public_id,
                    length=length,
                    reason=form.cleaned_data["reason"],
                )
            except CrawfordError as error:
                add_faults(form, error)
            else:
                messages.success(request, _("The result is corrected; the ratings follow in a moment."))
                return redirect("rating:why", found.public_id, new.pk)
    return render(
        request,
        "rating/director/correct.html",
        {
            "list": found,
            "fact": fact,
            "form": form,
            "may_correct": kept_here(fact) and not taken_back,
            "taken_back": taken_back,
            "effects": effects[:EFFECTS_SHOWN] if effects is not None else None,
            "effects_total": len(effects) if effects is not None else 0,
        },
        status=INVALID if form.errors else 200,
    )


@action
def void(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Take a fact back."""
    found = directed_list(request, list_id)
    fact = _fact(found, number)
    try:
        reason = one_line(request.POST.get("reason", "")[:200])
        void_fact(actor=actor_of(request), number=fact.pk, reason=reason)
    except CrawfordError as error:
        return refused(request, error, back=reverse("rating_director:ledger", args=[found.public_id]))
    messages.success(
        request,
        _("The opening rating is taken back; the ratings follow in a moment.")
        if fact.kind == FactKind.OPENING
        else _("The result is taken back; the ratings follow in a moment."),
    )
    return redirect("rating_director:ledger", found.public_id)


_COLUMNS = (
    "ledger_number kind played_at winner_id winner loser_id loser length winner_score loser_score result_kind event"
    " taken_back source_key"
).split()


def _export(rating_list: RatingList) -> Iterator[tuple[Any, ...]]:
    for fact in _facts(rating_list).order_by("moment", "pk").iterator(chunk_size=2000):
        yield (
            fact.pk,
            FactKind(fact.kind).name.lower(),
            fact.played_at.isoformat(),
            fact.winner.public_id if fact.winner else "",
            fact.winner.name if fact.winner else "",
            fact.loser.public_id if fact.loser else "",
            fact.loser.name if fact.loser else "",
            fact.length or "",
            fact.winner_score,
            fact.loser_score,
            fact.result_kind,
            fact.event_name,
            "yes" if fact.later.all() else "no",
            fact.source_key,
        )


@page
def ledger_csv(request: HttpRequest, list_id: str) -> HttpResponse:
    """The ledger as CSV."""
    found = directed_list(request, list_id)
    return csv_response(f"ledger-{found.public_id}", _COLUMNS, _export(found))  # type: ignore[return-value]


@page
def ledger_json(request: HttpRequest, list_id: str) -> HttpResponse:
    """The ledger as JSON."""
    found = directed_list(request, list_id)
    facts = [dict(zip(_COLUMNS, row, strict=True)) for row in _export(found)]
    return JsonResponse({"list": found.public_id, "version": found.version, "facts": facts})
