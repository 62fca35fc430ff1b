"""Public pages of a rating list. Thin: selectors know, templates show."""

from typing import Any

from csp.decorators import csp
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse

from people.errors import Missing
from people.models import Player, search_key
from people.permissions import may_direct
from rating.formulas import system_named
from rating.models import RatingList, Standing
from rating.selectors import expected, leaderboard, player_section, why
from rating.selectors.leaderboard import clubs_on
from rating.selectors.players import career, versus
from rating.web.chart import draw_chart
from rating.web.explain import reasons, system_words
from rating.web.forms import FilterForm, WhatIfForm
from rating.web.frame import page, people_version, public_view, shown_list, shown_player

FOUND = 12


@public_view
def leaderboard_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """The list with its filters."""
    rating_list = shown_list(list_id)
    directs = may_direct(request.user, rating_list.club)

    def context() -> dict[str, Any]:
        form = FilterForm(request.GET or None, clubs=clubs_on(rating_list))
        query = request.GET.copy()
        query.pop("page", None)
        return {
            "list": rating_list,
            "form": form,
            "page": leaderboard(rating_list, form.filters, request.GET.get("page") or 1),
            "query": query.urlencode(),
            "filtered": bool(query),
            "system": system_words(rating_list),
            "periodic": system_named(rating_list.system).periodic,
            "directs": directs,
        }

    return page(
        request,
        "rating/list.html",
        context,
        versions=[rating_list.version, rating_list.club.version, people_version()],
        role="director" if directs else "",
    )


@public_view
def why_page(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """One change with its working."""
    rating_list = shown_list(list_id)

    def context() -> dict[str, Any]:
        found = why(rating_list, number)
        return {
            "list": rating_list,
            "why": found,
            "reasons": reasons(found),
            "system": system_words(rating_list),
        }

    return page(request, "rating/why.html", context, versions=[rating_list.version, people_version()])


@public_view
def player_page(request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """A player on this list."""
    rating_list, player = shown_list(list_id), shown_player(player_id)

    def context() -> dict[str, Any]:
        return {"list": rating_list, "player": player, **player_section(player, rating_list.public_id)}

    return page(request, "rating/player.html", context, versions=[rating_list.version, people_version()])


@public_view
def versus_page(request: HttpRequest, list_id: str, player_id: str, other_id: str) -> HttpResponse:
    """All matches of two players."""
    rating_list = shown_list(list_id)
    player, other = shown_player(player_id), shown_player(other_id)

    def context() -> dict[str, Any]:
        rows = versus(rating_list, player, other)
        return {
            "list": rating_list,
            "player": player,
            "other": other,
            "rows": rows,
            "won": sum(1 for row in rows if row.won),
            "lost": sum(1 for row in rows if not row.won),
        }

    return page(request, "rating/versus.html", context, versions=[rating_list.version, people_version()])


@csp({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]
@public_view
def chart(request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """The chart as a picture of its own: what it needs of style is inside and reaches no page."""
    rating_list, player = shown_list(list_id), shown_player(player_id)
    found = career(rating_list, player)
    if found is None:
        raise Missing("rating.player_unknown")
    drawn = draw_chart(player.name, found.points, narrow="narrow" in request.GET)
    response = HttpResponse(drawn, content_type="image/svg+xml")
    # Its address carries the list's version, so a copy stays right as long as anybody asks for it.
    response["Cache-Control"] = "public, max-age=86400" if request.GET.get("v") else "no-cache"
    return response


@public_view
def what_if_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """What a match would change."""
    rating_list = shown_list(list_id)

    def context() -> dict[str, Any]:
        form = WhatIfForm({"length": request.GET.get("length", 7)})
        first = _chosen(request.GET.get("a", ""), request.GET.get("first", ""))
        second = _chosen(request.GET.get("b", ""), request.GET.get("second", ""))
        answer = None
        if first is not None and second is not None and first != second and form.is_valid():
            answer = expected(rating_list.pk, first.pk, second.pk, form.cleaned_data["length"])
        return {
            "list": rating_list,
            "form": form,
            "answer": answer,
            "first": first,
            "second": second,
            "same": first is not None and first == second,
        }

    return page(request, "rating/what_if.html", context, versions=[rating_list.version, people_version()])


def _chosen(public_id: str, name: str) -> Player | None:
    """The player picked from the list of suggestions, or, without scripts, the only one of that very name."""
    shown = Player.objects.filter(listed=True, merged_into=None)
    if public_id:
        return None if "\0" in public_id else shown.filter(public_id=public_id).first()
    key = search_key(name[:120])
    found = list(shown.filter(search_name=key)[:2]) if key else []
    return found[0] if len(found) == 1 else None


@public_view
def find_players(request: HttpRequest, list_id: str) -> HttpResponse:
    """Listed players whose name has all the words asked for: those on the list first."""
    rating_list = shown_list(list_id)
    words = search_key(request.GET.get("q", "")[:80]).split()
    if not words:
        return JsonResponse({"results": []})
    found: QuerySet[Player] = Player.objects.filter(listed=True, merged_into=None)
    for word in words:
        found = found.filter(search_name__contains=word)
    on_list = set(
        Standing.objects.on(rating_list).filter(player__in=found).values_list("player_id", flat=True)[:500]
    )
    players = sorted(
        found.select_related("home_club").order_by("name", "pk")[: FOUND * 8],
        key=lambda player: player.pk not in on_list,
    )
    return JsonResponse({"results": [_result(rating_list, player) for player in players[:FOUND]]})


def _result(rating_list: RatingList, player: Player) -> dict[str, str]:
    return {
        "id": player.public_id,
        "text": player.name,
        "note": player.home_club.name if player.home_club else "",
        "url": reverse("rating:player", args=[rating_list.public_id, player.public_id]),
    }
