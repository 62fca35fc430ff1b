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
    """Listed events, newest first, filtered by club, status, and words in name, place or club."""
    asked = {name: _query_text(request, name) for name in ("q", "status", "club")}
    choices = _status_choices()
    if asked["status"] not in choices:
        asked["status"] = ""
    club = visible_club(asked["club"]) if asked["club"] else None
    rows = browse_events(asked["status"], asked["club"], asked["q"])

    def context() -> dict[str, Any]:
        shown: UncountedPage[Event] = UncountedPage.of(rows, request.GET.get("page"), EVENTS_PER_PAGE)
        return {
            "page": shown,
            "cards": [event_card(event) for event in shown],
            "asked": asked,
            "club": club,
            "states": _status_links(asked, choices),
            "query": _query_string(asked),
        }

    return public_page(
        request, "site/public_events.html", context, versions=[topics_version(*event_list_topics(club))]
    )


@public_view
def clubs(request: HttpRequest) -> HttpResponse:
    """Clubs by name, filtered by words in name or town."""
    asked = {"q": _query_text(request, "q")}
    rows = search_clubs(asked["q"])

    def context() -> dict[str, Any]:
        shown: UncountedPage[Club] = UncountedPage.of(rows, request.GET.get("page"), CLUBS_PER_PAGE)
        return {"page": shown, "asked": asked, "query": _query_string(asked)}

    return public_page(
        request, "site/public_clubs.html", context, versions=[topics_version(*club_list_topics())]
    )


@public_view
def players(request: HttpRequest) -> HttpResponse:
    """Players with a public page by name, filtered by words in it."""
    asked = {"q": _query_text(request, "q")}
    rows = find_players(asked["q"])

    def context() -> dict[str, Any]:
        shown: UncountedPage[Player] = UncountedPage.of(rows, request.GET.get("page"), PLAYERS_PER_PAGE)
        return {"page": shown, "asked": asked, "query": _query_string(asked)}

    versions = [topics_version(*player_list_topics(), *club_list_topics())]
    return public_page(request, "site/public_players.html", context, versions=versions)


@public_view
def ratings(request: HttpRequest) -> HttpResponse:
    """Public rating lists by the name of their club."""
    shown: UncountedPage[RatingList] = UncountedPage.of(
        public_lists(), request.GET.get("page"), LISTS_PER_PAGE
    )

    def context() -> dict[str, Any]:
        return {"page": shown, "query": ""}

    versions = [topics_version(*club_list_topics()), *((one.public_id, one.name) for one in shown)]
    return public_page(request, "site/public_ratings.html", context, versions=versions)


def _status_choices() -> dict[str, str]:
    return {
        "": _("All"),
        EventStatus.RUNNING: _("Running now"),
        EventStatus.OPEN: _("Coming up"),
        EventStatus.FINISHED: _("Finished"),
    }


def _status_links(asked: dict[str, str], states: dict[str, str]) -> list[Context]:
    return [
        {
            "name": name,
            "query": _query_string({**asked, "status": status}),
            "current": status == asked["status"],
        }
        for status, name in states.items()
    ]


def _query_text(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "")[:MAX_SEARCH_LENGTH].replace("\0", "").strip()


def _query_string(asked: dict[str, str]) -> str:
    return urlencode({name: text for name, text in asked.items() if text})
