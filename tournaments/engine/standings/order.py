"""The table of a Swiss or round robin: the order that a book and the director's list of tie-breaks make.

It is found tie-break by tie-break: each splits the groups that are still tied, and what stays together at the end
shares its places (F13: the list is published before the start).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.engine.standings.table import Book, Value
from tournaments.engine.standings.tie_breaks import tie_break
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: places first to last (the same if not shared) and what each tie-break said, by code.

    A tie-break that looks at tied entries only has no value for who was not tied, or where it could not speak.
    """

    entry: EntryId
    first: int
    last: int
    values: Mapping[str, Value]


def standings(book: Book, tie_breaks: Sequence[str]) -> tuple[Row, ...]:
    """The table after these tie-breaks in this order; usually the first is `points`."""
    values: dict[EntryId, dict[str, Value]] = {entry: {} for entry in book.entries}
    groups: list[tuple[EntryId, ...]] = [book.entries] if book.entries else []
    for code in tie_breaks:
        breaker = tie_break(code)
        if not breaker.of_the_tied:
            for entry, value in breaker.compute(book, book.entries).items():
                values[entry][code] = value
        split: list[tuple[EntryId, ...]] = []
        for group in groups:
            if breaker.of_the_tied and len(group) > 1:
                for entry, value in breaker.compute(book, group).items():
                    values[entry][code] = value
            split += _split(group, code, values)
        groups = split
    rows: list[Row] = []
    for group in groups:
        first = len(rows) + 1
        rows += [Row(entry, first, first + len(group) - 1, values[entry]) for entry in group]
    return tuple(rows)


def _split(
    group: tuple[EntryId, ...], code: str, values: Mapping[EntryId, Mapping[str, Value]]
) -> list[tuple[EntryId, ...]]:
    """The group cut where the value changes, best first; whole if the tie-break said nothing about it."""
    if code not in values[group[0]]:
        return [group]
    ordered = sorted(group, key=lambda entry: (-values[entry][code], entry))
    return [tuple(same) for _value, same in groupby(ordered, key=lambda entry: values[entry][code])]
