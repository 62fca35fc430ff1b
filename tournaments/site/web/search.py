"""Search of the whole site: a page, and suggestions while typing (`static/js/search.js`)."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.access.versions import (
    club_list_topics,
    event_list_topics,
    player_list_topics,
    topics_version,
)
from tournaments.selectors.search import MatchResult, SearchResults, search_site
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import event_dates_label

MAX_QUERY_LENGTH = 80


@public_view
def search(request: HttpRequest) -> HttpResponse:
    """Page of all search results, grouped by kind; works without scripts."""
    text = _query_text(request)

    def context() -> dict[str, Any]:
        return {"text": text, "kinds": [kind for kind in _result_groups(search_site(text)) if kind["rows"]]}

    versions = [topics_version(*event_list_topics(), *club_list_topics(), *player_list_topics()), text]
    return public_page(request, "site/search.html", context, versions=versions, listed=False)


@public_view
def search_json(request: HttpRequest) -> HttpResponse:
    """Search results as one list in JSON, for the search field of every page."""
    rows = [row for kind in _result_groups(search_site(_query_text(request))) for row in kind["rows"]]
    return JsonResponse({"results": rows})


def _query_text(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:MAX_QUERY_LENGTH].replace("\0", "")


def _result_groups(results: SearchResults) -> list[Context]:
    return [
        {
            "name": _("Players"),
            "rows": [
                _result_row(
                    "player",
                    player.public_id,
                    player.name,
                    player.home_club.name
                    if player.home_club is not None and player.home_club.name
                    else player.country,
                )
                for player in results.players
            ],
        },
        {
            "name": _("Current matches"),
            "rows": [
                _result_row("match", match.public_id, _match_text(match), _match_note(match))
                for match in results.matches
            ],
        },
        {
            "name": _("Events"),
            "rows": [
                _result_row("event", event.public_id, event.name, _event_note(event))
                for event in results.events
            ],
        },
        {
            "name": _("Clubs"),
            "rows": [
                _result_row("club", club.public_id, club.name, club.city or _("Club"))
                for club in results.clubs
            ],
        },
    ]


def _result_row(kind: str, public_id: str, text: str, note: str) -> Context:
    return {
        "id": public_id,
        "text": text,
        "note": note,
        "url": reverse(f"public:{kind}", args=[public_id]),
    }


def _match_text(match: MatchResult) -> str:
    return " – ".join(name or "…" for name in match.sides)


def _match_note(match: MatchResult) -> str:
    return _("match %(number)s, %(event)s") % {"number": match.number, "event": match.event}


def _event_note(event: Event) -> str:
    return f"{event.club.name}, {event_dates_label(event)}"
