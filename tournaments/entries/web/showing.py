"""Options of a director's list of entries: columns, order, search and filter.

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
    **{kind.value: label for kind, label in CONSENT_LABELS.items()},
}
DEFAULT_COLUMNS: Final = ("rating", "paid")  # displayed if an entry has a value
FILTERS: Final[Mapping[str, str | Promise]] = {
    "": gettext_lazy("All entries"),
    "unpaid": gettext_lazy("Unpaid"),
    "paid": gettext_lazy("Paid"),
    "unreached": gettext_lazy("Without e-mail and phone"),
}
SORT_CODES: Final = ("seed", "name", "about", *COLUMNS)
DetailsByPlayer = Mapping[tuple[int, int], EntryDetails]


@dataclass(frozen=True, slots=True)
class ListOptions:
    """How a director sees the list of entries.

    ``text``: part of a name to search; ``sort``: code of a column, "" for the order of entering; ``only``:
    code of a filter; ``columns``: codes, None for the defaults.
    """

    text: str = ""
    sort: str = ""
    only: str = ""
    columns: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, parameters: Mapping[str, Sequence[str]]) -> Self:
        """Parse the parameters of an address or a cookie, each with its list of values.

        Unknown values are ignored.
        """
        last_values = {name: values[-1] for name, values in parameters.items() if values}
        columns = tuple(name for name in COLUMNS if name in parameters.get("col", ()))
        return cls(
            text=last_values.get("q", "").replace("\0", "")[:MAX_TEXT_LENGTH],
            sort=last_values["sort"] if last_values.get("sort") in SORT_CODES else "",
            only=last_values["only"] if last_values.get("only") in FILTERS else "",
            columns=columns if "cols" in parameters or columns else None,
        )

    @property
    def words(self) -> list[tuple[str, str]]:
        """Parameters of an address as pairs of name and value, without defaults."""
        options = [("q", self.text), ("sort", self.sort), ("only", self.only)]
        column_options = [("col", name) for name in self.columns or ()] or [
            ("cols", "" if self.columns is None else "0")
        ]
        return [(name, value) for name, value in [*options, *column_options] if value]

    def link(self, query: str, **changes: Any) -> str:
        """Return the query string of this list with some options changed (``changes``).

        ``query``: query string of the division. Defaults are explicit, since the cookie would apply
        otherwise.
        """
        return _join_query(query, urlencode(replace(self, **changes).words) or "all=1")

    def is_shown(self, row: EntryRow, details: Sequence[EntryDetails]) -> bool:
        """Return whether the filter and the search include an entry, whose players have these details."""
        is_paid = bool(details) and all(detail.paid for detail in details)
        is_reachable = any(detail.email or detail.phone for detail in details)
        is_included = {"unpaid": not is_paid, "paid": is_paid, "unreached": not is_reachable}.get(
            self.only, True
        )
        return is_included and row.matches_text(self.text)


PARAMETER_NAMES: Final = frozenset({"q", "sort", "only", "col", "cols", "all"})


def has_list_options(request: HttpRequest) -> bool:
    """Return whether the address has options of the list, or ``next``, which continues entering players."""
    return not PARAMETER_NAMES.isdisjoint(request.GET) or "next" in request.GET


def list_options_from(request: HttpRequest) -> ListOptions:
    """Return the options in the address, otherwise the last ones of this browser, from the cookie."""
    if not PARAMETER_NAMES.isdisjoint(request.GET):
        return ListOptions.parse(dict(request.GET.lists()))
    last = ListOptions.parse(parse_qs(request.COOKIES.get(COOKIE, "")[:2000], keep_blank_values=True))
    # After entering a player, the list shows them whatever the last search was.
    return replace(last, text="", only="") if "next" in request.GET else last


def remember_options(response: HttpResponse, event: Event, list_options: ListOptions) -> None:
    """Save the options in a cookie for the director's pages of this event."""
    response.set_cookie(
        COOKIE,
        urlencode(list_options.words),
        max_age=COOKIE_MAX_AGE_SECONDS,
        path=reverse("director:event", args=[event.public_id]),
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def details_by_row(row: EntryRow, details: DetailsByPlayer) -> list[EntryDetails]:
    """Return the details of each player of the entry, in order; empty details where nothing is stored."""
    return [details.get((row.pk, player.pk), EntryDetails()) for player in row.players]


def cell_text(name: str, details: Sequence[EntryDetails]) -> str:
    """Return the text of the column ``name`` for an entry.

    For a team, the different values of its players.
    """
    texts = [_detail_text(name, detail) for detail in details]
    return " · ".join(dict.fromkeys(text for text in texts if text))


def _detail_text(name: str, detail: EntryDetails) -> str:
    if name == "rating":
        return "" if detail.rating is None else f"{detail.rating:g}"
    if name == "paid":
        return {True: _("yes"), False: _("no"), None: ""}[detail.paid]
    text = str(getattr(detail, name))
    return str(SHORT_REPLY_LABELS[Reply(text)]) if name in set(Consent) and text else text


def visible_columns(list_options: ListOptions, details: DetailsByPlayer) -> list[str]:
    """Return the codes of the visible columns in order: the chosen ones, or defaults that have a value."""
    if list_options.columns is not None:
        return list(list_options.columns)
    return [
        name
        for name in DEFAULT_COLUMNS
        if any(getattr(detail, name) is not None for detail in details.values())
    ]


def sort_key(
    sort: str, details: DetailsByPlayer, describe: Callable[[EntryRow], str]
) -> Callable[[EntryRow], Any] | None:
    """Return the key function that sorts entries by the column ``sort``; None for the order of entering.

    Best rating first; unpaid before paid. ``describe``: function that returns the text of the column “about”.
    """

    def row_details(row: EntryRow) -> list[EntryDetails]:
        return details_by_row(row, details)

    def rating(row: EntryRow) -> float:
        ratings = [detail.rating for detail in row_details(row) if detail.rating is not None]
        return -sum(ratings) / len(ratings) if ratings else 1.0

    def by_text(name: str) -> Callable[[EntryRow], Any]:
        return lambda row: (
            not cell_text(name, row_details(row)),
            search_key(cell_text(name, row_details(row))),
        )

    orders: dict[str, Callable[[EntryRow], Any]] = {
        "seed": lambda row: (row.seed is None, row.seed or 0),
        "name": lambda row: search_key(row.name),
        "about": lambda row: (search_key(describe(row)), search_key(row.name)),
        "rating": rating,
        "paid": lambda row: all(detail.paid for detail in row_details(row)),
        **{name: by_text(name) for name in ("email", "phone", "note", *Consent)},
    }
    return orders.get(sort)


def hidden_parameters(list_options: ListOptions, *excluded: str) -> list[tuple[str, str]]:
    """Return the parameters as hidden fields (name, value) for a form that changes those in ``excluded``."""
    return [(name, value) for name, value in list_options.words if name not in excluded]


def _join_query(query: str, parameters: str) -> str:
    return f"{query}&{parameters}" if query else f"?{parameters}"
