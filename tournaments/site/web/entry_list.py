"""The entries of a division on their own page: searched, by letter, in pages."""

from collections.abc import Sequence

from django.core.paginator import Page, Paginator
from django.urls import reverse

from tournaments.models import Event
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView
from tournaments.shared.fragments.cards import Context, entry_rows
from tournaments.shared.words.limits import limit_rows

ENTRIES_PER_PAGE = 200
SEARCH_MIN_ENTRIES = 40  # entries: fewer are found by looking
MAX_SEARCH_LENGTH = 80


def division_entries(
    event: Event, division: DivisionView, waiting: Sequence[str], text: str, letter: str
) -> Context:
    """The entries of a division: of many those with ``text`` in their name, or with a word that begins with ``letter``. Once it is drawn
    each name leads to the path of the entry, which says what it plays next.
    """
    seeded = any(entry.seed is not None for entry in division.entries)
    searched = len(division.active_entries) >= SEARCH_MIN_ENTRIES
    shown = division.active_entries
    if text:
        shown = tuple(entry for entry in shown if entry.matches_text(text))
    elif letter:
        shown = tuple(entry for entry in shown if letter in entry.initials)
    narrowed = bool(text or letter)
    rows = entry_rows(shown, seeded=seeded and not letter)
    if any(view.draw is not None for view in division.stages):
        rows = [{**row, "url": reverse("public:way", args=[event.public_id, row["key"]])} for row in rows]
    return {
        "name": division.division.name,
        "limit": limit_rows(division.division),
        "seeded": seeded,
        "searched": searched,
        "letters": _initials(division.active_entries) if searched else [],
        "rows": rows,
        "withdrawn": [] if narrowed else [entry.name for entry in division.entries if entry.withdrawn],
        "waiting": [] if narrowed else waiting,
    }


def _initials(entries: Sequence[EntryRow]) -> list[str]:
    """The letters with which names begin, first names as well as surnames, in the order of the alphabet."""
    return sorted({letter for entry in entries for letter in entry.initials})


def page_of_rows(rows: list[Context], number: str | None) -> Page[Context]:
    """The page of this number; the first or last one where there is no such number."""
    return Paginator(rows, ENTRIES_PER_PAGE).get_page(number)
