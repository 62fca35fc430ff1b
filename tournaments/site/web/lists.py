"""Paginated lists of all public events, clubs, players and rating lists."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.models import Club, Player
from people.pages import UncountedPage
from people.selectors import visible_club
from rating.models import RatingList
from rating.selectors import public_lists
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import (
    club_list_topics,
    event_list_topics,
    player_list_topics,
    topics_version,
)
from tournaments.selectors.events.clubs import find_players, search_clubs
from tournaments.selectors.events.detail import browse_events
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.web.clubs import event_card

EVENTS_PER_PAGE = 48
CLUBS_PER_PAGE = 60
PLAYERS_PER_PAGE = 60
LISTS_PER_PAGE = 60
MAX_SEARCH_LENGTH = 80


@public_view
def events(request: HttpRequest) -> HttpResponse:
    """Page of listed events, newest first, filtered by club, status, and words in name, place or club."""
    filters = {name: _query_text(request, name) for name in ("q", "status", "club")}
    choices = _status_choices()
    if filters["status"] not in choices:
        filters["status"] = ""
    club = visible_club(filters["club"]) if filters["club"] else None
    rows = browse_events(filters["status"], filters["club"], filters["q"])

    def context() -> dict[str, Any]:
        page: UncountedPage[Event] = UncountedPage.of(rows, request.GET.get("page"), EVENTS_PER_PAGE)
        return {
            "page": page,
            "cards": [event_card(event) for event in page],
            "asked": filters,
            "club": club,
            "states": _status_links(filters, choices),
            "query": _query_string(filters),
        }

    return public_page(
        request, "site/public_events.html", context, versions=[topics_version(*event_list_topics(club))]
    )


@public_view
def clubs(request: HttpRequest) -> HttpResponse:
    """Page of clubs sorted by name, filtered by words in name or town."""
    filters = {"q": _query_text(request, "q")}
    rows = search_clubs(filters["q"])

    def context() -> dict[str, Any]:
        page: UncountedPage[Club] = UncountedPage.of(rows, request.GET.get("page"), CLUBS_PER_PAGE)
        return {"page": page, "asked": filters, "query": _query_string(filters)}

    return public_page(
        request, "site/public_clubs.html", context, versions=[topics_version(*club_list_topics())]
    )


@public_view
def players(request: HttpRequest) -> HttpResponse:
    """Page of players with a public page, sorted by name, filtered by words in the name."""
    filters = {"q": _query_text(request, "q")}
    rows = find_players(filters["q"])

    def context() -> dict[str, Any]:
        page: UncountedPage[Player] = UncountedPage.of(rows, request.GET.get("page"), PLAYERS_PER_PAGE)
        return {"page": page, "asked": filters, "query": _query_string(filters)}

    versions = [topics_version(*player_list_topics(), *club_list_topics())]
    return public_page(request, "site/public_players.html", context, versions=versions)


@public_view
def ratings(request: HttpRequest) -> HttpResponse:
    """Page of public rating lists, sorted by the name of their club."""
    page: UncountedPage[RatingList] = UncountedPage.of(
        public_lists(), request.GET.get("page"), LISTS_PER_PAGE
    )

    def context() -> dict[str, Any]:
        return {"page": page, "query": ""}

    versions = [
        topics_version(*club_list_topics()),
        *((rating_list.public_id, rating_list.name) for rating_list in page),
    ]
    return public_page(request, "site/public_ratings.html", context, versions=versions)


def _status_choices() -> dict[str, str]:
    return {
        "": _("All"),
        EventStatus.RUNNING: _("Running now"),
        EventStatus.OPEN: _("Coming up"),
        EventStatus.FINISHED: _("Finished"),
    }


def _status_links(filters: dict[str, str], states: dict[str, str]) -> list[Context]:
    return [
        {
            "name": name,
            "query": _query_string({**filters, "status": status}),
            "current": status == filters["status"],
        }
        for status, name in states.items()
    ]


def _query_text(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "")[:MAX_SEARCH_LENGTH].replace("\0", "").strip()


def _query_string(filters: dict[str, str]) -> str:
    return urlencode({name: text for name, text in filters.items() if text})
