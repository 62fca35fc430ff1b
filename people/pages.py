"""Pages of a list whose rows are not counted: a page knows only whether another follows, at constant cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

Row = TypeVar("Row")
MAX_PAGE_NUMBER = 100_000


@dataclass(frozen=True, slots=True)
class UncountedPage(Generic[Row]):
    """One page of a list: its rows, its number from 1, and whether another page ``follows``.

    The template `_pagination.html` uses it like Django's class.
    """

    rows: tuple[Row, ...]
    number: int
    follows: bool

    @classmethod
    def of(
        cls, rows: Sequence[Row] | QuerySet[Any, Any], requested: int | str | None, size: int
    ) -> UncountedPage[Row]:
        """Return the page number ``requested`` with ``size`` rows; the last page if it is beyond the end.

        The first page if ``requested`` is no number.
        """
        number = _parse_page_number(requested)
        page_rows = _page_rows(rows, number, size)
        if not page_rows and number > 1:
            number = max(1, -(-_count_rows(rows) // size))
            page_rows = _page_rows(rows, number, size)
        return cls(tuple(page_rows[:size]), number, len(page_rows) > size)

    @property
    def object_list(self) -> tuple[Row, ...]:
        return self.rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def has_previous(self) -> bool:
        return self.number > 1

    @property
    def has_next(self) -> bool:
        return self.follows

    @property
    def has_other_pages(self) -> bool:
        return self.follows or self.number > 1

    @property
    def previous_page_number(self) -> int:
        return self.number - 1

    @property
    def next_page_number(self) -> int:
        return self.number + 1


def _parse_page_number(requested: int | str | None) -> int:
    text = str(requested or "")
    return (
        min(max(int(text), 1), MAX_PAGE_NUMBER)
        if text.isascii() and text.isdecimal() and len(text) < 9
        else 1
    )


def _page_rows(rows: Sequence[Row] | QuerySet[Any, Any], number: int, size: int) -> list[Any]:
    start = (number - 1) * size
    return list(rows[start : start + size + 1])


def _count_rows(rows: Sequence[Row] | QuerySet[Any, Any]) -> int:
    return rows.count() if isinstance(rows, QuerySet) else len(rows)
