"""Public pages of a rating list; selectors read the data, templates show it."""

from dataclasses import dataclass
from typing import Any

from csp.decorators import csp
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Missing
from names.folding import search_key
from people.models import Player
from people.selectors import listed_player, listed_players_by_name
from people.text import clean_line
from rating.formulas import get_system
from rating.models import RatingList
from rating.selectors import explain_change, leaderboard, player_context, preview_match
from rating.selectors.leaderboard import home_clubs_on_list
from rating.selectors.official import current_issue
from rating.selectors.players import matches_between, opponents, player_career
from rating.selectors.ranking import current_rules, ranking_rules
from rating.selectors.ranking_words import rule_texts
from rating.selectors.shown import number_label
from rating.selectors.visibility import suggested_players, visible_list, visible_player
from rating.web.chart import draw_chart
from rating.web.explain import change_working, describe_system
from rating.web.explain_period import describe_period
from rating.web.forms import FilterForm, PointsForm, WhatIfForm
from rating.web.frame import public_view, render_list_page

NAME_LIMIT = 120


@public_view
def leaderboard_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show the leaderboard of the list with its filters."""
    rating_list = visible_list(list_id)

    def context() -> dict[str, Any]:
        form = FilterForm(request.GET or None, clubs=home_clubs_on_list(rating_list))
        query = request.GET.copy()
        query.pop("page", None)
        page = leaderboard(rating_list, form.filters, request.GET.get("page") or 1)
        unranked = [row.player.public_id for row in page if row.why] if form.filters.order == "rating" else []
        several_clubs = len({row.club for row in page}) > 1
        periodic = get_system(rating_list.system).is_periodic
        return {
            "form": form,
            "page": page,
            "several_clubs": several_clubs,
            "columns": 7 + several_clubs + periodic,
            "unranked_from": unranked[0] if unranked else None,
            "rules": rule_texts(ranking_rules(rating_list)),
            "query": query.urlencode(),
            "filtered": bool(query),
            "narrowed": any(query.get(name) for name in ("club", "since", "experience", "ranked")),
            "system": describe_system(rating_list),
            "periodic": periodic,
            "rating_word": number_label(rating_list),
            "official": current_issue(rating_list) is not None,
        }

    return render_list_page(
        request,
        "rating/list.html",
        context,
        about=rating_list,
        versions=[rating_list.club.version, current_rules(rating_list).stamp],
    )


@public_view
def why_page(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Show one rating change with its explanation."""
    rating_list = visible_list(list_id)

    def context() -> dict[str, Any]:
        explanation = explain_change(rating_list, number)
        working = change_working(explanation)
        return {
            "why": explanation,
            "reasons": working.steps,
            "sides": working.sides,
            "periods": [describe_period(side) for side in explanation.periods],
            "system": describe_system(rating_list, explanation.rule),
            "rule_now": describe_system(rating_list).name,
        }

    return render_list_page(request, "rating/why.html", context, about=rating_list)


@public_view
def player_page(request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """Show a player's ratings, and everything about the player on this list."""
    rating_list, player = visible_list(list_id), visible_player(player_id)

    def context() -> dict[str, Any]:
        return {"player": player, **player_context(player, rating_list.public_id)}

    return render_list_page(
        request, "rating/player.html", context, about=rating_list, versions=[current_rules(rating_list).stamp]
    )


@public_view
def opponents_page(request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """List a player's opponents on this list.

    With ``b`` (public id) or ``second`` (name) of another player, redirects to the matches between the two.
    """
    rating_list, player = visible_list(list_id), visible_player(player_id)
    other = _choose_player(request.GET.get("b", ""), request.GET.get("second", ""))
    if other.player is not None and other.player != player:
        return redirect("rating:versus", rating_list.public_id, player.public_id, other.player.public_id)

    def context() -> dict[str, Any]:
        doubts = [_("Choose a different player as the opponent.")] if other.player else [other.error_message]
        return {
            "player": player,
            "rows": opponents(rating_list, player),
            "second_name": other.name,
            "doubts": [doubt for doubt in doubts if doubt],
        }

    return render_list_page(request, "rating/opponents.html", context, about=rating_list)


@public_view
def versus_page(request: HttpRequest, list_id: str, player_id: str, other_id: str) -> HttpResponse:
    """Show all matches between two players that the list counts."""
    rating_list = visible_list(list_id)
    player, other = visible_player(player_id), visible_player(other_id)

    def context() -> dict[str, Any]:
        rows = matches_between(rating_list, player, other)
        return {
            "player": player,
            "other": other,
            "rows": rows,
            "won": sum(1 for row in rows if row.won),
            "lost": sum(1 for row in rows if not row.won),
        }

    return render_list_page(request, "rating/versus.html", context, about=rating_list)


@csp({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]
@public_view
def chart(request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """Return the chart of a player's rating as an SVG image that includes its styles."""
    rating_list, player = visible_list(list_id), visible_player(player_id)
    career = player_career(rating_list, player)
    if career is None:
        raise Missing("rating.player_unknown")
    svg = draw_chart(player.name, career.points, band=career.deviation_band, narrow="narrow" in request.GET)
    response = HttpResponse(svg, content_type="image/svg+xml")
    # Its address has the list's version and the release, so a copy never expires.
    response["Cache-Control"] = "public, max-age=86400" if request.GET.get("v") else "no-cache"
    return response


@public_view
def what_if_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show what a match between two players would change."""
    rating_list = visible_list(list_id)

    def context() -> dict[str, Any]:
        weighted = get_system(rating_list.system).is_points_system
        form = PointsForm(request.GET) if weighted else WhatIfForm(request.GET)
        first = _choose_player(request.GET.get("a", ""), request.GET.get("first", ""))
        second = _choose_player(request.GET.get("b", ""), request.GET.get("second", ""))
        doubts = [choice.error_message for choice in (first, second) if choice.error_message]
        if first.player is not None and first.player == second.player:
            doubts.append(_("Choose two different players."))
        preview = None
        if first.player is not None and second.player is not None and not doubts and form.is_valid():
            preview = preview_match(
                rating_list.pk,
                first.player.pk,
                second.player.pk,
                form.cleaned_data["length"],
                weight=form.event_weight,
                division_rank=form.division_rank,
            )
        return {
            "form": form,
            "answer": preview,
            "points": form.at_stake(rating_list) if isinstance(form, PointsForm) else None,
            "first": first.player,
            "second": second.player,
            "first_name": first.name,
            "second_name": second.name,
            "doubts": doubts,
            "rating_word": number_label(rating_list),
        }

    return render_list_page(request, "rating/what_if.html", context, about=rating_list)


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A player that a visitor chose, or the text entered and an error message ("" if nothing was entered)."""

    player: Player | None = None
    typed: str = ""
    error_message: str = ""

    @property
    def name(self) -> str:
        return self.player.name if self.player is not None else self.typed


def _choose_player(public_id: str, name: str) -> PlayerChoice:
    """Return the player picked from the suggestions (``public_id``), or the only one with this name.

    ``name``: what was entered; each of its words must occur in the player's name.
    """
    name = clean_line(name.replace("\0", ""))[:NAME_LIMIT]
    picked = listed_player(public_id) if public_id and "\0" not in public_id else None
    if picked is not None and search_key(name) in {"", picked.search_name}:
        return PlayerChoice(picked)
    key = search_key(name)
    if not key:
        return PlayerChoice(error_message=_("Player not found.") if public_id else "")
    players = listed_players_by_name(name)
    if len(players) == 1:
        return PlayerChoice(players[0])
    message = _(
        "Several players are named “%(name)s”. Choose one from the suggestions that appear as you type."
    )
    if not players:
        message = _("No player named “%(name)s” was found.")
    return PlayerChoice(typed=name, error_message=message % {"name": name})


@public_view
def find_players(request: HttpRequest, list_id: str) -> HttpResponse:
    """Return public players whose name has all words of ``q``, as JSON; players on the list come first."""
    rating_list = visible_list(list_id)
    text = request.GET.get("q", "")[:80]
    players = suggested_players(rating_list, text) if search_key(text) else []
    return JsonResponse({"results": [_suggestion(rating_list, player) for player in players]})


def _suggestion(rating_list: RatingList, player: Player) -> dict[str, str]:
    return {
        "id": player.public_id,
        "text": player.name,
        "note": player.home_club.name if player.home_club else "",
        "url": reverse("rating:player", args=[rating_list.public_id, player.public_id]),
    }
