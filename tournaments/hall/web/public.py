"""The board on the wall: who is called to which table, by name and by table, who plays where, who comes next, and when.

To be read from ten metres: a name is 60 px of a screen of 1080 (``wall.css``). The clock, minutes (``since.js``) and the
turning of pages (``wall.js``) are the browser's, so an unchanged board costs a 304 however many screens show it. What a
screen shows stands in its address: a hall may have several (``screens``).
"""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.translation import get_language

from faults import Missing
from people.caching import cached
from tournaments.hall.web.wall import PAGES, USUAL, Screen, wall_shape
from tournaments.models import Event
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.versions import club_in_play_version, names_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.check_in import hall_code
from tournaments.selectors.hall.board import wall_of
from tournaments.selectors.hall.forecast import shown_forecast
from tournaments.selectors.matches.quiz import is_shown
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.director import absolute
from tournaments.shared.frames.public import for_hall, is_listed, public_page, public_view
from tournaments.shared.words.names import when_words

CACHE_SECONDS = 3600
STANDS: Final = 8  # seconds that a page of the wall stands
SHORTEST: Final = 4
LONGEST: Final = 60
MOST_NAMED: Final = 3  # divisions beside the code of the hall
_DIGITS: Final = 4
_MOST: Final = 20


@public_view
def hall(request: HttpRequest, event: str) -> HttpResponse:
    """Tables and names of an event. Of one division or some: ``?division=2``, the second, or ``1,3``; one after the other:
    ``turn=divisions``. ``show=calls,tables`` names the pages, ``seconds=12`` how long each stands.
    """
    visible = visible_event(request.user, event)
    event_ = visible.event
    screen, seconds = screen_of(request.GET), _seconds(request.GET)
    code = _code_shape(event_, screen) if for_hall(request, event_) else None
    versions = [
        event_.version,
        event_.club.version,
        names_version(),
        club_in_play_version(event_),
        shown_forecast(event_),
        visible.notice_ends,
        code,
    ]

    def context() -> dict[str, Any]:
        parts = [visible.event.public_id, get_language(), get_script_prefix(), screen, *versions]
        shaped = cached("hall", parts, CACHE_SECONDS, lambda: _shape(visible, screen))
        return {
            **shaped,
            "event": visible.event,
            "club": visible.event.club,
            "notices": notice_shapes(event_, shaped["division_ids"]),
            "when": when_words(visible.event),
            "seconds": seconds,
            "check_in": {**code, "qr": qr_svg(code["code"])} if code else None,
            "quiz": qr_svg(absolute(request, reverse("public:quiz", args=[event_.public_id])))
            if is_shown(event_)
            else "",
        }

    return public_page(
        request, "hall/hall.html", context, versions=versions, role=visible.role, listed=is_listed(visible)
    )


def _code_shape(event: Event, screen: Screen) -> Shape | None:
    """The code of the hall, with the names of the divisions that wait for their draw where these are few and not all."""
    found = hall_code(event, timezone.now(), screen.divisions)
    if found is None:
        return None
    named = not found.is_for_all and len(found.divisions) <= MOST_NAMED
    return {"code": found.code, "names": ", ".join(found.divisions) if named else ""}


def screen_of(query: QueryDict) -> Screen:
    """What an address asks for; what there is not is missing."""
    shown = tuple(dict.fromkeys(_words(query, "show"))) or USUAL
    if not set(shown) <= set(PAGES) or query.get("turn", "") not in {"", "divisions"}:
        raise Missing("screen.unknown")
    places = _words(query, "division")
    if not all(one.isascii() and one.isdecimal() and len(one) <= _DIGITS for one in places):
        raise Missing("division.unknown")
    chosen = tuple(sorted({int(one) for one in places} - {0}))
    return Screen(chosen, apart=bool(query.get("turn")), pages=shown)


def _words(query: QueryDict, name: str) -> list[str]:
    """What stands behind a name, in one (``1,3``) or, as forms send it, in several."""
    return [part for one in query.getlist(name)[:_MOST] for part in one.split(",")[:_MOST] if part]


def _seconds(query: QueryDict) -> int:
    given = query.get("seconds", "")
    if given and not (given.isascii() and given.isdecimal() and len(given) <= _DIGITS):
        raise Missing("screen.unknown")
    return min(LONGEST, max(SHORTEST, int(given))) if given else STANDS


def _shape(visible: VisibleEvent, screen: Screen) -> Shape:
    found = wall_of(visible.event, screen.divisions)
    if not set(screen.divisions) <= {stage.division.position for stage in found.stages}:
        raise Missing("division.unknown")
    return wall_shape(found, screen)
