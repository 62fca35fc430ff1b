"""Pages of analyses over many matches: an event's table, a club's list, a player's own matches."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from people.selectors import player_of_user, visible_club
from people.web.access import page_view, request_user
from tournaments.matches.web.play import (
    highlight_contexts,
    performance_list_context,
    player_performance_context,
)
from tournaments.selectors.access.versions import analyses_version, club_analyses_version
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.matches.play import (
    club_performance,
    event_performance,
    event_years,
    player_performance,
)
from tournaments.selectors.series import public_series
from tournaments.shared.fragments.cards import url_builder
from tournaments.shared.frames.player import add_private_headers
from tournaments.shared.frames.public import is_listed, public_page, public_view

MAX_YEAR_DIGITS = 4


@public_view
def event_analyses(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the performance of an event's players, and its most remarkable matches.

    Only matches whose analysis is public are included.
    """
    visible = visible_event(request.user, event)

    def context() -> dict[str, Any]:
        play = event_performance(visible)
        return {
            "event": visible.event,
            "club": visible.event.club,
            "list": performance_list_context(play),
            "highlights": highlight_contexts(play),
        }

    return public_page(
        request,
        "site/public_analyses.html",
        context,
        versions=[analyses_version(visible.event)],
        role=visible.role,
        listed=is_listed(visible),
    )


@public_view
def club_analyses(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the PR list of a club for a year (``?year=2026``) or a series (``?series=…``).

    By default for the latest year with events.
    """
    loaded_club = visible_club(club, request.user)
    series, year_text = request.GET.get("series", ""), request.GET.get("year", "")
    year = (
        int(year_text)
        if year_text.isascii() and year_text.isdecimal() and len(year_text) <= MAX_YEAR_DIGITS
        else 0
    )

    def context() -> dict[str, Any]:
        years, all_series = event_years(loaded_club), public_series(loaded_club)
        selected_series = next((candidate for candidate in all_series if candidate.public_id == series), None)
        selected_year = (
            None if selected_series is not None else year if year in years else next(iter(years), None)
        )
        has_selection = selected_series is not None or selected_year is not None
        play = (
            club_performance(loaded_club, year=selected_year, series=selected_series)
            if has_selection
            else None
        )
        return {
            "club": loaded_club,
            "list": performance_list_context(play) if play is not None else {"rows": []},
            "period": selected_series.name if selected_series is not None else str(selected_year or ""),
            "choices": [
                *({"query": f"?year={y}", "name": str(y), "current": y == selected_year} for y in years),
                *(
                    {
                        "query": f"?series={candidate.public_id}",
                        "name": candidate.name,
                        "current": candidate == selected_series,
                    }
                    for candidate in all_series
                ),
            ],
        }

    return public_page(
        request,
        "site/club_analyses.html",
        context,
        versions=[loaded_club.version, club_analyses_version(loaded_club), timezone.now().year],
        role="inside" if loaded_club.shut else "",
    )


@page_view
def own_analyses(request: HttpRequest) -> HttpResponse:
    """Page of all analysed matches of the signed-in player, public or not."""
    player = player_of_user(request_user(request).pk)
    if player is None:
        return redirect("player:me")  # which explains how to link a player to the account
    own_matches = player_performance(player, is_own=True)
    play = player_performance_context(own_matches, url_builder("player:my-analysis"))
    context = {"play": play, "back": reverse("player:me")}
    return add_private_headers(render(request, "matches/own_analyses.html", context))
