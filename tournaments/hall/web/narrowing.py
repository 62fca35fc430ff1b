"""Filter and order of the match board: read from the query, remembered in a cookie.

The query holds all settings, so that reload, back and a second window keep them. A cookie limited to the
event's pages stores the last query, so that every way to the board (a tab, a recorded result) leads back to
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.engine.hall.lines import FILTERS, NOW_FILTER, BoardFilter, BoardOrder
from tournaments.models import Event

COOKIE_NAME = "board"
COOKIE_SECONDS = 14 * 24 * 3600  # seconds: two weeks, until a league's next evening
_MAX_TEXT_LENGTH, _MAX_PART_LENGTH = 80, 40


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Filter and order of the match board.

    ``text``: part of a name, a match number or a table; ``part``: key of a division or part of it
    (``selectors.hall.board``); ``shows_all_rows``: True shows all rows of a long board.
    """

    text: str = ""
    part: str = ""
    shown: BoardFilter = NOW_FILTER
    order: BoardOrder = BoardOrder.TABLE
    shows_all_rows: bool = False

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, str]) -> Self:
        """Build the query from parameters of an address or a cookie; unknown values become the defaults."""
        return cls(
            text=parameters.get("q", "").replace("\0", "").strip()[:_MAX_TEXT_LENGTH],
            part=parameters.get("part", "")[:_MAX_PART_LENGTH],
            shown=FILTERS.get(parameters.get("state", ""), NOW_FILTER),
            order=next(
                (order for order in BoardOrder if order.value == parameters.get("sort")), BoardOrder.TABLE
            ),
            shows_all_rows="all" in parameters,
        )

    @property
    def query(self) -> str:
        """The query string, without parameters that have their default."""
        parameters = {
            "q": self.text,
            "part": self.part,
            "state": self.shown.code if self.shown is not NOW_FILTER else "",
            "sort": self.order.value if self.order is not BoardOrder.TABLE else "",
            "all": "1" if self.shows_all_rows else "",
        }
        return urlencode({name: value for name, value in parameters.items() if value})

    @property
    def is_narrow(self) -> bool:
        """Return whether the filter may hide matches that can be played."""
        return bool(self.text or self.part) or self.shown is not NOW_FILTER

    def link(self, **changes: Any) -> str:
        """Return an address with these settings except for ``changes``.

        The default query is explicit, because without a query the cookie would apply.
        """
        return f"?{replace(self, **changes).query or f'state={NOW_FILTER.code}'}"


QUERY_PARAMETERS = frozenset({"q", "part", "state", "sort", "all"})


def has_query(request: HttpRequest) -> bool:
    """Return whether the address has a query parameter of the board."""
    return not QUERY_PARAMETERS.isdisjoint(request.GET)


def query_from_cookie(request: HttpRequest) -> BoardQuery:
    """Return the last board query of this browser for this event; defaults without a cookie."""
    return BoardQuery.from_parameters(
        dict(parse_qsl(request.COOKIES.get(COOKIE_NAME, "")[:400], keep_blank_values=True))
    )


def save_query_cookie(response: HttpResponse, event: Event, board_query: BoardQuery) -> None:
    """Save the board query in a cookie limited to the pages of this event."""
    path = reverse("director:event", args=[event.public_id])
    response.set_cookie(
        COOKIE_NAME,
        board_query.query,
        max_age=COOKIE_SECONDS,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def board_url(event: Event, board_query: BoardQuery | None = None, *, match_public_id: str = "") -> str:
    """Return the address of the board with this query, scrolled to the match with public id ``match_public_id``."""
    query = board_query.query if board_query is not None else ""
    address = reverse("director:board", args=[event.public_id])
    return f"{address}{f'?{query}' if query else ''}{f'#m-{match_public_id}' if match_public_id else ''}"
