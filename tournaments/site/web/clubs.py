"""Public pages of a club: its events and its players."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from people.selectors import visible_club
from rating.selectors import club_lists
from tournaments.models import Event
from tournaments.selectors.access.versions import (
    club_list_topics,
    event_list_topics,
    player_list_topics,
    topics_version,
)
from tournaments.selectors.events.clubs import club_view, players_of_club
from tournaments.selectors.events.detail import EventLists
from tournaments.selectors.events.front import next_entry_deadline, open_places_by_event
from tournaments.selectors.matches.play import club_has_games
from tournaments.selectors.series import public_series
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import event_dates_label
from tournaments.site.web.event_rows import current_hour_key, finished_rows, is_past, live_row, upcoming_row

PLAYERS_PER_PAGE = 100


@public_view
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Public page of a club: events, rating lists, players."""
    loaded_club = visible_club(club, request.user)
    parent = loaded_club.parent if loaded_club.parent is not None and not loaded_club.parent.shut else None
    lists = club_lists(loaded_club.pk)

    def context() -> dict[str, Any]:
        view = club_view(loaded_club)
        return {
            "club": loaded_club,
            "parent": parent,
            "member_clubs": view.member_clubs,
            **_event_rows(view.events),
            "series": public_series(loaded_club),
            "rating_lists": lists,
            "players": view.players,
            "player_count": view.player_count,
            "has_games": club_has_games(loaded_club),
        }

    versions = [
        loaded_club.version,
        parent.version if parent is not None else 0,
        current_hour_key(),
        next_entry_deadline(loaded_club),
        topics_version(
            *event_list_topics(loaded_club), *player_list_topics(loaded_club), *club_list_topics(loaded_club)
        ),
        # The page names the lists and shows no rating, so a rated match does not change it.
        *((rating_list.public_id, rating_list.name) for rating_list in lists),
    ]
    role = "inside" if loaded_club.shut else ""
    return public_page(request, "site/public_club.html", context, versions=versions, role=role)


@public_view
def club_players(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the listed players of a club, with a search by name."""
    loaded_club = visible_club(club, request.user)
    text = request.GET.get("q", "")[:80]

    def context() -> dict[str, Any]:
        page = Paginator(players_of_club(loaded_club, text), PLAYERS_PER_PAGE).get_page(
            request.GET.get("page")
        )
        url = url_builder("public:player")
        rows = [
            {
                "name": player.name,
                "url": url(player.public_id),
                "country": player.country,
                "club": player.home_club.name if player.home_club is not None else "",
            }
            for player in page
        ]
        return {"club": loaded_club, "page": page, "rows": rows, "text": text}

    return public_page(
        request,
        "site/club_players.html",
        context,
        versions=[loaded_club.version, topics_version(*player_list_topics(loaded_club))],
        role="inside" if loaded_club.shut else "",
    )


def _event_rows(lists: EventLists) -> Context:
    open_places = open_places_by_event(lists.upcoming) if lists.upcoming else {}
    return {
        "live": [live_row(event) for event in lists.running],
        "coming": [
            upcoming_row(event, open_places.get(event.pk)) for event in lists.upcoming if not is_past(event)
        ],
        "finished": finished_rows(lists.finished),
    }


def event_card(event: Event) -> Context:
    """Return the context of an event for ``site/_event_card.html``."""
    return {
        "event": event,
        "url": url_builder("public:event")(event.public_id),
        "when": event_dates_label(event),
        "entries": getattr(event, "entry_count", None),
    }
