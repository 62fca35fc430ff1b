"""Search the whole site: a page of its own, and the short list that comes while somebody types (`static/js/search.js`)."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.access.versions import (
    topics_of_clubs,
    topics_of_lists,
    topics_of_players,
    version_of,
)
from tournaments.selectors.search import Found, FoundMatch, found_by
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import when_words

LONGEST = 80


@public_view
def search(request: HttpRequest) -> HttpResponse:
    """Everything found, by kind; the way for who has no scripts."""
    text = _text(request)

    def context() -> dict[str, Any]:
        return {"text": text, "kinds": [kind for kind in _kinds(found_by(text)) if kind["rows"]]}

    versions = [version_of(*topics_of_lists(), *topics_of_clubs(), *topics_of_players()), text]
    return public_page(request, "site/search.html", context, versions=versions, listed=False)


@public_view
def search_json(request: HttpRequest) -> HttpResponse:
    """The same as one list for the field in the head of every page."""
    rows = [row for kind in _kinds(found_by(_text(request))) for row in kind["rows"]]
    return JsonResponse({"results": rows})


def _text(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:LONGEST].replace("\0", "")


def _kinds(found: Found) -> list[Shape]:
    return [
        {
            "name": _("Players"),
            "rows": [
                _row(
                    "player",
                    one.public_id,
                    one.name,
                    one.home_club.name if one.home_club is not None and one.home_club.name else one.country,
                )
                for one in found.players
            ],
        },
        {
            "name": _("Current matches"),
            "rows": [_row("match", one.public_id, _sides(one), _match_note(one)) for one in found.matches],
        },
        {
            "name": _("Events"),
            "rows": [_row("event", one.public_id, one.name, _event_note(one)) for one in found.events],
        },
        {
            "name": _("Clubs"),
            "rows": [_row("club", one.public_id, one.name, one.city or _("Club")) for one in found.clubs],
        },
    ]


def _row(kind: str, public_id: str, text: str, note: str) -> Shape:
    return {
        "id": public_id,
        "text": text,
        "note": note,
        "url": reverse(f"public:{kind}", args=[public_id]),
    }


def _sides(match: FoundMatch) -> str:
    return " – ".join(name or "…" for name in match.sides)


def _match_note(match: FoundMatch) -> str:
    return _("match %(number)s, %(event)s") % {"number": match.number, "event": match.event}


def _event_note(event: Event) -> str:
    return f"{event.club.name}, {when_words(event)}"
