"""Options of a director's list of entries: columns, order and filter.

As on the board (`hall.web.narrowing`), the address contains all options and a cookie for the event's pages
remembers the last ones, so that every action returns to the same list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from names.folding import search_key
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.new_entry import EntryDetails
from tournaments.models import Event
from tournaments.selectors.entries import EntryRow
from tournaments.shared.words.consents import CONSENT_LABELS, SHORT_REPLY_LABELS

COOKIE: Final = "entries"
COOKIE_MAX_AGE_SECONDS: Final = 14 * 24 * 3600  # seconds
MAX_TEXT_LENGTH: Final = 160
# The columns that can be chosen beside name, country and club.
COLUMNS: Final[Mapping[str, str | Promise]] = {
    "rating": gettext_lazy("Rating"),
    "paid": gettext_lazy("Paid"),
    "email": gettext_lazy("E-mail address"),
    "phone": gettext_lazy("Phone"),
    "note": pgettext_lazy("to an entry", "Note"),
    **{kind.value: words for kind, words in CONSENT_LABELS.items()},
}
DEFAULT_COLUMNS: Final = ("rating", "paid")  # displayed if an entry has a value
FILTERS: Final[Mapping[str, str | Promise]] = {
    "": gettext_lazy("All entries"),
    "unpaid": gettext_lazy("Unpaid"),
    "paid": gettext_lazy("Paid"),
    "unreached": gettext_lazy("Without e-mail and phone"),
}
SORTS: Final = ("seed", "name", "about", *COLUMNS)
DetailsByPlayer = Mapping[tuple[int, int], EntryDetails]


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Options of the list.

    ``text``: part of a name; ``sort``: "" for the order of entering; ``columns``: None for the defaults.
    """

    text: str = ""
    sort: str = ""
    only: str = ""
    columns: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, words: Mapping[str, Sequence[str]]) -> Self:
        """Parse the parameters of an address or a cookie, each with its values.

        Unknown values become defaults.
        """
        one = {name: values[-1] for name, values in words.items() if values}
        columns = tuple(name for name in COLUMNS if name in words.get("col", ()))
        return cls(
            text=one.get("q", "").replace("\0", "")[:MAX_TEXT_LENGTH],
            sort=one["sort"] if one.get("sort") in SORTS else "",
            only=one["only"] if one.get("only") in FILTERS else "",
            columns=columns if "cols" in words or columns else None,
        )

    @property
    def words(self) -> list[tuple[str, str]]:
        """Parameters of an address, without defaults."""
        found = [("q", self.text), ("sort", self.sort), ("only", self.only)]
        chosen = [("col", name) for name in self.columns or ()] or [
            ("cols", "" if self.columns is None else "0")
        ]
        return [(name, value) for name, value in [*found, *chosen] if value]

    def link(self, query: str, **changes: Any) -> str:
        """Return the query of this page with ``changes``.

        ``query``: the division. Defaults are explicit, since the cookie would apply otherwise.
        """
        return _join_query(query, urlencode(replace(self, **changes).words) or "all=1")

    def is_shown(self, row: EntryRow, details: Sequence[EntryDetails]) -> bool:
        """Return whether an entry, with the details of its players, is on the list."""
        paid = bool(details) and all(one.paid for one in details)
        reached = any(one.email or one.phone for one in details)
        wanted = {"unpaid": not paid, "paid": paid, "unreached": not reached}.get(self.only, True)
        return wanted and row.matches_text(self.text)


PARAMETER_NAMES: Final = frozenset({"q", "sort", "only", "col", "cols", "all"})


def has_list_options(request: HttpRequest) -> bool:
    """Return whether the address has list options; also after entering a player, when the form continues."""
    return not PARAMETER_NAMES.isdisjoint(request.GET) or "next" in request.GET


def list_options_from(request: HttpRequest) -> ListOptions:
    """Return the options of the address, otherwise the last ones of this browser."""
    if not PARAMETER_NAMES.isdisjoint(request.GET):
        return ListOptions.parse(dict(request.GET.lists()))
    last = ListOptions.parse(parse_qs(request.COOKIES.get(COOKIE, "")[:2000], keep_blank_values=True))
    # After entering a player, the list shows them whatever the last search was.
    return replace(last, text="", only="") if "next" in request.GET else last


def remember_options(response: HttpResponse, event: Event, showing: ListOptions) -> None:
    """Remember the options in a cookie for the pages of this event."""
    response.set_cookie(
        COOKIE,
        urlencode(showing.words),
        max_age=COOKIE_MAX_AGE_SECONDS,
        path=reverse("director:event", args=[event.public_id]),
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def details_by_row(row: EntryRow, details: DetailsByPlayer) -> list[EntryDetails]:
    """Return the details of each player of an entry."""
    return [details.get((row.pk, player.pk), EntryDetails()) for player in row.players]


def cell_text(name: str, details: Sequence[EntryDetails]) -> str:
    """Return the text of a column for an entry; for a team, the different values of its players."""
    texts = [_detail_text(name, one) for one in details]
    return " · ".join(dict.fromkeys(text for text in texts if text))


def _detail_text(name: str, one: EntryDetails) -> str:
    if name == "rating":
        return "" if one.rating is None else f"{one.rating:g}"
    if name == "paid":
        return {True: _("yes"), False: _("no"), None: ""}[one.paid]
    text = str(getattr(one, name))
    return str(SHORT_REPLY_LABELS[Reply(text)]) if name in set(Consent) and text else text


def visible_columns(showing: ListOptions, details: DetailsByPlayer) -> list[str]:
    """Return the visible columns in order: the chosen ones, or those defaults that have a value."""
    if showing.columns is not None:
        return list(showing.columns)
    return [
        name for name in DEFAULT_COLUMNS if any(getattr(one, name) is not None for one in details.values())
    ]


def sort_key(
    sort: str, details: DetailsByPlayer, about: Callable[[EntryRow], str]
) -> Callable[[EntryRow], Any] | None:
    """Return the key of an order; None for the order of entering. Best rating first; unpaid before paid."""

    def known(row: EntryRow) -> list[EntryDetails]:
        return details_by_row(row, details)

    def rating(row: EntryRow) -> float:
        ratings = [one.rating for one in known(row) if one.rating is not None]
        return -sum(ratings) / len(ratings) if ratings else 1.0

    def by_text(name: str) -> Callable[[EntryRow], Any]:
        return lambda row: (not cell_text(name, known(row)), search_key(cell_text(name, known(row))))

    orders: dict[str, Callable[[EntryRow], Any]] = {
        "seed": lambda row: (row.seed is None, row.seed or 0),
        "name": lambda row: search_key(row.name),
        "about": lambda row: (search_key(about(row)), search_key(row.name)),
        "rating": rating,
        "paid": lambda row: all(one.paid for one in known(row)),
        **{name: by_text(name) for name in ("email", "phone", "note", *Consent)},
    }
    return orders.get(sort)


def hidden_parameters(showing: ListOptions, *without: str) -> list[tuple[str, str]]:
    """Return the parameters as hidden fields for a form that changes the others."""
    return [(name, value) for name, value in showing.words if name not in without]


def _join_query(query: str, words: str) -> str:
    return f"{query}&{words}" if query else f"?{words}"
