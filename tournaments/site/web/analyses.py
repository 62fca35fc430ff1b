"""What analyses come to over many matches: an event's table, a club's list, and all of one's own."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from people.selectors import player_of_user, visible_club
from people.web.access import page, user_of
from tournaments.matches.web.play import highlight_shapes, list_shape, player_shape
from tournaments.selectors.access.versions import analyses_version, club_analyses_version
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.matches.play import play_in_club, play_in_event, play_of_player, years_of_play
from tournaments.selectors.series import public_series
from tournaments.shared.fragments.cards import addresses
from tournaments.shared.frames.player import private
from tournaments.shared.frames.public import is_listed, public_page, public_view

LONGEST_YEAR = 4


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """Who played how well in an event, and its most remarkable matches, as far as everybody may see them."""
    visible = visible_event(request.user, event)

    def context() -> dict[str, Any]:
        play = play_in_event(visible)
        return {
            "event": visible.event,
            "club": visible.event.club,
            "list": list_shape(play),
            "highlights": highlight_shapes(play),
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
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The PR list of a club: of a year (``?year=2026``) or a series (``?series=…``), the present year if nothing is asked."""
    found = visible_club(club, request.user)
    series, wanted = request.GET.get("series", ""), request.GET.get("year", "")
    year = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) <= LONGEST_YEAR else 0

    def context() -> dict[str, Any]:
        years, all_series = years_of_play(found), public_series(found)
        of_series = next((one for one in all_series if one.public_id == series), None)
        of_year = None if of_series is not None else year if year in years else next(iter(years), None)
        shown = of_series is not None or of_year is not None
        play = play_in_club(found, year=of_year, series=of_series) if shown else None
        return {
            "club": found,
            "list": list_shape(play) if play is not None else {"rows": []},
            "period": of_series.name if of_series is not None else str(of_year or ""),
            "choices": [
                *({"query": f"?year={one}", "name": str(one), "current": one == of_year} for one in years),
                *(
                    {"query": f"?series={one.public_id}", "name": one.name, "current": one == of_series}
                    for one in all_series
                ),
            ],
        }

    return public_page(
        request,
        "site/club_analyses.html",
        context,
        versions=[found.version, club_analyses_version(found), timezone.now().year],
        role="inside" if found.shut else "",
    )


@page
def own(request: HttpRequest) -> HttpResponse:
    """All of one's own analysed matches, whoever else may see them."""
    player = player_of_user(user_of(request).pk)
    if player is None:
        return redirect("player:me")  # which says how an account becomes a player
    played = play_of_player(player, themselves=True)
    play = player_shape(played, addresses("player:my-analysis"))
    context = {"play": play, "back": reverse("player:me")}
    return private(render(request, "matches/own_analyses.html", context))
