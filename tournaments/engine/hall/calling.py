"""Which matches can be called, and to which tables.

The match that has waited longest gets the lowest free number. Players who still play elsewhere are not
called, be it in another flight, stage or event of the club. Waiting times and busy players are supplied by
the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tournaments.engine.types import TableNo

M = TypeVar("M")
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class MatchToCall(Generic[M, P]):
    """A match that can be played: the people who play it, and the table reserved for it, if any."""

    match: M
    people: frozenset[P]
    table: TableNo | None = None


def assign_tables(
    waiting_matches: Iterable[M], occupied_tables: Collection[int], tables: int
) -> dict[M, TableNo]:
    """Return a free table for each match, in the order of `waiting_matches`, until there are no tables left.

    `occupied_tables`: occupied table numbers; `tables`: how many tables there are.

    >>> assign_tables(["a", "b", "c"], occupied_tables={2}, tables=4)
    {'a': 1, 'b': 3, 'c': 4}
    """
    free = (TableNo(number) for number in range(1, tables + 1) if number not in occupied_tables)
    return dict(zip(waiting_matches, free, strict=False))


def callable_matches(waiting: Iterable[tuple[M, Collection[P]]], busy_people: Collection[P]) -> Iterator[M]:
    """Yield the waiting matches, in order, whose people are all free.

    `waiting`: matches with their people; `busy_people`: people who are playing. The people of a yielded match
    count as busy for the matches after it.
    """
    taken_people = set(busy_people)
    for match, people in waiting:
        if taken_people.isdisjoint(people):
            taken_people.update(people)
            yield match


def next_calls(
    ready: Sequence[MatchToCall[M, P]], busy_people: Collection[P], free_tables: Collection[TableNo]
) -> dict[M, TableNo]:
    """Return all matches that can be called now, in order, each with its table.

    `busy_people`: people who are playing; `free_tables`: free tables. A match keeps its reserved table. The
    others take the lowest of the free tables and of those reserved for matches with busy people, so that no
    table stays empty for players who play elsewhere.
    """
    free_matches = [match for match in ready if match.people.isdisjoint(busy_people)]
    unused_tables = {match.table for match in ready if match.table is not None} - {
        m.table for m in free_matches
    }
    tables = iter(sorted({*free_tables, *unused_tables}))
    calls: dict[M, TableNo] = {}
    taken_people: set[P] = set()
    for match in free_matches:
        if not taken_people.isdisjoint(match.people):
            continue
        table = match.table if match.table is not None else next(tables, None)
        if table is not None:
            taken_people |= match.people
            calls[match.match] = table
    return calls
