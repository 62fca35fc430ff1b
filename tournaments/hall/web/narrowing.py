"""How a director has narrowed and ordered the board: told by the address, and remembered for the event.

The address says all of it, so that reload, back and a second window keep it. A cookie of the event's pages keeps the
last one: every way to the board (a tab, the result that was recorded) leads back to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.engine.hall.lines import NOW, SHOWN, Order, Shown
from tournaments.models import Event

COOKIE = "board"
KEPT = 14 * 24 * 3600  # seconds: a weekend, and the league's next evening
_TEXT, _PART = 80, 40


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the board shows. ``text``: part of a name, a number, a table; ``part``: see ``selectors.hall.board``."""

    text: str = ""
    part: str = ""
    shown: Shown = NOW
    order: Order = Order.TABLE
    everything: bool = False

    @classmethod
    def parse(cls, words: Mapping[str, str]) -> Self:
        """As an address or a cookie has it; what is no word of ours is the usual."""
        return cls(
            text=words.get("q", "").replace("\0", "").strip()[:_TEXT],
            part=words.get("part", "")[:_PART],
            shown=SHOWN.get(words.get("state", ""), NOW),
            order=next((one for one in Order if one.value == words.get("sort")), Order.TABLE),
            everything="all" in words,
        )

    @property
    def query(self) -> str:
        """The words of an address, without what is usual."""
        words = {
            "q": self.text,
            "part": self.part,
            "state": self.shown.code if self.shown is not NOW else "",
            "sort": self.order.value if self.order is not Order.TABLE else "",
            "all": "1" if self.everything else "",
        }
        return urlencode({name: value for name, value in words.items() if value})

    @property
    def is_narrow(self) -> bool:
        """Whether some matches may be hidden that could be played."""
        return bool(self.text or self.part) or self.shown is not NOW

    def link(self, **changes: Any) -> str:
        """The same page with something else; the usual one says so, or the remembered one would come."""
        return f"?{replace(self, **changes).query or f'state={NOW.code}'}"


NAMES = frozenset({"q", "part", "state", "sort", "all"})


def is_given(request: HttpRequest) -> bool:
    """Whether the address itself says how the board is to be."""
    return not NAMES.isdisjoint(request.GET)


def remembered(request: HttpRequest) -> Narrowing:
    """The last one of this event in this browser."""
    return Narrowing.parse(dict(parse_qsl(request.COOKIES.get(COOKIE, "")[:400], keep_blank_values=True)))


def remember(response: HttpResponse, event: Event, narrowing: Narrowing) -> None:
    """Keep it for the pages of this event alone."""
    path = reverse("director:event", args=[event.public_id])
    response.set_cookie(
        COOKIE,
        narrowing.query,
        max_age=KEPT,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def board_address(event: Event, narrowing: Narrowing | None = None, *, at: str = "") -> str:
    """The board, narrowed, with the line ``at`` (a match's public id) in view."""
    query = narrowing.query if narrowing is not None else ""
    address = reverse("director:board", args=[event.public_id])
    return f"{address}{f'?{query}' if query else ''}{f'#m-{at}' if at else ''}"
