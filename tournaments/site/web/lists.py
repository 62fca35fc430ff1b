"""Every event, club, player and rating list, in pages: what a front page has no room for."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.models import Club, Player
from people.pages import OpenPage
from people.selectors import visible_club
from rating.models import RatingList
from rating.selectors import public_lists
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import (
    topics_of_clubs,
    topics_of_lists,
    topics_of_players,
    version_of,
)
from tournaments.selectors.events.clubs import clubs_with, find_players
from tournaments.selectors.events.detail import browse_events
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.web.clubs import event_card

EVENTS_PER_PAGE = 48
CLUBS_PER_PAGE = 60
PLAYERS_PER_PAGE = 60
LISTS_PER_PAGE = 60
LONGEST_SEARCH = 80


@public_view
def events(request: HttpRequest) -> HttpResponse:
    """Listed events, newest first; of a club, in a state, with words in name, place or club."""
    asked = {name: _text(request, name) for name in ("q", "status", "club")}
    choices = _states()
    if asked["status"] not in choices:
        asked["status"] = ""
    club = visible_club(asked["club"]) if asked["club"] else None
    rows = browse_events(asked["status"], asked["club"], asked["q"])

    def context() -> dict[str, Any]:
        shown: OpenPage[Event] = OpenPage.of(rows, request.GET.get("page"), EVENTS_PER_PAGE)
        return {
            "page": shown,
            "cards": [event_card(event) for event in shown],
            "asked": asked,
            "club": club,
            "states": _links(asked, choices),
            "query": _query(asked),
        }

    return public_page(
        request, "site/public_events.html", context, versions=[version_of(*topics_of_lists(club))]
    )


@public_view
def clubs(request: HttpRequest) -> HttpResponse:
    """Clubs by name, those with words in name or town."""
    asked = {"q": _text(request, "q")}
    rows = clubs_with(asked["q"])

    def context() -> dict[str, Any]:
        shown: OpenPage[Club] = OpenPage.of(rows, request.GET.get("page"), CLUBS_PER_PAGE)
        return {"page": shown, "asked": asked, "query": _query(asked)}

    return public_page(request, "site/public_clubs.html", context, versions=[version_of(*topics_of_clubs())])


@public_view
def players(request: HttpRequest) -> HttpResponse:
    """Players with a public page by name, those with the words in it."""
    asked = {"q": _text(request, "q")}
    rows = find_players(asked["q"])

    def context() -> dict[str, Any]:
        shown: OpenPage[Player] = OpenPage.of(rows, request.GET.get("page"), PLAYERS_PER_PAGE)
        return {"page": shown, "asked": asked, "query": _query(asked)}

    versions = [version_of(*topics_of_players(), *topics_of_clubs())]
    return public_page(request, "site/public_players.html", context, versions=versions)


@public_view
def ratings(request: HttpRequest) -> HttpResponse:
    """Every public rating list, by the name of its club."""
    shown: OpenPage[RatingList] = OpenPage.of(public_lists(), request.GET.get("page"), LISTS_PER_PAGE)

    def context() -> dict[str, Any]:
        return {"page": shown, "query": ""}

    versions = [version_of(*topics_of_clubs()), *((one.public_id, one.name) for one in shown)]
    return public_page(request, "site/public_ratings.html", context, versions=versions)


def _states() -> dict[str, str]:
    return {
        "": _("All"),
        EventStatus.RUNNING: _("Running now"),
        EventStatus.OPEN: _("Coming up"),
        EventStatus.FINISHED: _("Finished"),
    }


def _links(asked: dict[str, str], states: dict[str, str]) -> list[Shape]:
    return [
        {"name": name, "query": _query({**asked, "status": status}), "current": status == asked["status"]}
        for status, name in states.items()
    ]


def _text(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "")[:LONGEST_SEARCH].replace("\0", "").strip()


def _query(asked: dict[str, str]) -> str:
    return urlencode({name: text for name, text in asked.items() if text})
