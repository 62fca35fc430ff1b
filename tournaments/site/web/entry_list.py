"""Paginated list of the entries of a division, with a search and an index of letters."""

from collections.abc import Sequence

from django.core.paginator import Page, Paginator
from django.urls import reverse

from tournaments.models import Event
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView
from tournaments.shared.fragments.cards import Context, entry_rows
from tournaments.shared.words.limits import limit_rows

ENTRIES_PER_PAGE = 200
SEARCH_MIN_ENTRIES = 40  # entries: fewer need no search
MAX_SEARCH_LENGTH = 80


def division_entries(
    event: Event, division: DivisionView, waiting: Sequence[str], text: str, letter: str
) -> Context:
    """Return the template context of a division's entries; once drawn, each links to its path.

    ``waiting``: names on the waiting list; ``text``: only entries with this text in their name; ``letter``:
    only those with a word that begins with this letter.
    """
    has_seeds = any(entry.seed is not None for entry in division.entries)
    has_search = len(division.active_entries) >= SEARCH_MIN_ENTRIES
    visible_entries = division.active_entries
    if text:
        visible_entries = tuple(entry for entry in visible_entries if entry.matches_text(text))
    elif letter:
        visible_entries = tuple(entry for entry in visible_entries if letter in entry.initials)
    is_filtered = bool(text or letter)
    rows = entry_rows(visible_entries, seeded=has_seeds and not letter)
    if any(view.draw is not None for view in division.stages):
        rows = [{**row, "url": reverse("public:way", args=[event.public_id, row["key"]])} for row in rows]
    return {
        "name": division.division.name,
        "limit": limit_rows(division.division),
        "seeded": has_seeds,
        "searched": has_search,
        "letters": _initials(division.active_entries) if has_search else [],
        "rows": rows,
        "withdrawn": [] if is_filtered else [entry.name for entry in division.entries if entry.withdrawn],
        "waiting": [] if is_filtered else waiting,
    }


def _initials(entries: Sequence[EntryRow]) -> list[str]:
    """Return the initial letters of first names and surnames, in alphabetical order."""
    return sorted({letter for entry in entries for letter in entry.initials})


def page_of_rows(rows: list[Context], number: str | None) -> Page[Context]:
    """Return the page with this number: the first for an invalid number, the last for one out of range."""
    return Paginator(rows, ENTRIES_PER_PAGE).get_page(number)
