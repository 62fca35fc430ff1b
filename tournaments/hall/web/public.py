"""Public display for a screen in the hall: called players, matches in play, what comes next and when.

Readable from ten metres: a name is 60 px high on a screen of 1080 (``wall.css``). The browser updates the
clock and minutes (``since.js``) and turns the pages (``wall.js``), so an unchanged display costs a 304 for
any number of screens. The address holds the settings of a display: a hall may have several
(`hall.web.screens`).
"""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.translation import get_language

from faults import Missing
from people.caching import get_or_compute
from tournaments.hall.web.wall import DEFAULT_PAGES, PAGE_BUILDERS, DisplaySettings, display_context
from tournaments.models import Event
from tournaments.notices.web.shown import notice_contexts
from tournaments.selectors.access.versions import club_running_version, names_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.check_in import hall_code
from tournaments.selectors.hall.board import load_display_board
from tournaments.selectors.hall.forecast import forecast_version
from tournaments.selectors.matches.quiz import is_quiz_open
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.director import absolute_url
from tournaments.shared.frames.public import is_listed, public_page, public_view, set_hall_audience
from tournaments.shared.words.names import event_dates_label

CACHE_SECONDS = 3600
PAGE_SECONDS: Final = 8  # seconds per page of the display
MIN_PAGE_SECONDS: Final = 4
MAX_PAGE_SECONDS: Final = 60
MAX_NAMED_DIVISIONS: Final = 3  # divisions beside the code of the hall
_MAX_DIGITS: Final = 4
_MAX_VALUES: Final = 20


@public_view
def display(request: HttpRequest, event: str) -> HttpResponse:
    """Page of tables and names of an event, for a screen in the hall.

    ``?division=2`` or ``1,3`` selects divisions by position; ``turn=divisions``: one after the other;
    ``show=calls,tables``: the pages; ``seconds=12``: time for each page.
    """
    visible = visible_event(request.user, event)
    event_ = visible.event
    display_settings, seconds = display_from_query(request.GET), _page_seconds(request.GET)
    code = _hall_code_context(event_, display_settings) if set_hall_audience(request, event_) else None
    versions = [
        event_.version,
        event_.club.version,
        names_version(),
        club_running_version(event_),
        forecast_version(event_),
        visible.notice_ends,
        code,
    ]

    def context() -> dict[str, Any]:
        key_parts = [
            visible.event.public_id,
            get_language(),
            get_script_prefix(),
            display_settings,
            *versions,
        ]
        board_context = get_or_compute(
            "hall", key_parts, CACHE_SECONDS, lambda: _load_context(visible, display_settings)
        )
        return {
            **board_context,
            "event": visible.event,
            "club": visible.event.club,
            "notices": notice_contexts(event_, board_context["division_ids"]),
            "when": event_dates_label(visible.event),
            "seconds": seconds,
            "check_in": {**code, "qr": qr_svg(code["code"])} if code else None,
            "quiz": qr_svg(absolute_url(request, reverse("public:quiz", args=[event_.public_id])))
            if is_quiz_open(event_)
            else "",
        }

    return public_page(
        request, "hall/hall.html", context, versions=versions, role=visible.role, listed=is_listed(visible)
    )


def _hall_code_context(event: Event, display_settings: DisplaySettings) -> Context | None:
    """Return the template context of the hall code; None while no check-in is open.

    It names the divisions that wait for their draw, if these are few and not all.
    """
    active_code = hall_code(event, timezone.now(), display_settings.divisions)
    if active_code is None:
        return None
    shows_names = not active_code.is_for_all and len(active_code.divisions) <= MAX_NAMED_DIVISIONS
    return {"code": active_code.code, "names": ", ".join(active_code.divisions) if shows_names else ""}


def display_from_query(query: QueryDict) -> DisplaySettings:
    """Return the display settings in a query. Raises ``Missing`` if a page or division is not valid."""
    pages = tuple(dict.fromkeys(_query_values(query, "show"))) or DEFAULT_PAGES
    if not set(pages) <= set(PAGE_BUILDERS) or query.get("turn", "") not in {"", "divisions"}:
        raise Missing("screen.unknown")
    positions = _query_values(query, "division")
    if not all(text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS for text in positions):
        raise Missing("division.unknown")
    division_positions = tuple(sorted({int(text) for text in positions} - {0}))
    return DisplaySettings(division_positions, apart=bool(query.get("turn")), pages=pages)


def _query_values(query: QueryDict, name: str) -> list[str]:
    """Return the values of a parameter.

    They may be separated by commas (``1,3``) or, as forms send them, repeated.
    """
    return [
        part for value in query.getlist(name)[:_MAX_VALUES] for part in value.split(",")[:_MAX_VALUES] if part
    ]


def _page_seconds(query: QueryDict) -> int:
    seconds_text = query.get("seconds", "")
    if seconds_text and not (
        seconds_text.isascii() and seconds_text.isdecimal() and len(seconds_text) <= _MAX_DIGITS
    ):
        raise Missing("screen.unknown")
    return min(MAX_PAGE_SECONDS, max(MIN_PAGE_SECONDS, int(seconds_text))) if seconds_text else PAGE_SECONDS


def _load_context(visible: VisibleEvent, display_settings: DisplaySettings) -> Context:
    event_board = load_display_board(visible.event, display_settings.divisions)
    if not set(display_settings.divisions) <= {stage.division.position for stage in event_board.stages}:
        raise Missing("division.unknown")
    return display_context(event_board, display_settings)
