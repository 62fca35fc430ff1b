"""Which match goes to which table, and which can be called at all.

The match that has waited longest takes the lowest free number. Nobody is called who still plays somewhere else, be it
in another flight, stage or event of the club.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from tournaments.engine.types import TableNo

M = TypeVar("M")
P = TypeVar("P")


def assign_tables(waiting: Iterable[M], in_use: Collection[int], tables: int) -> dict[M, TableNo]:
    """A table for as many matches as there are free ones; `waiting` is in the order in which they shall be called."""
    free = (TableNo(number) for number in range(1, tables + 1) if number not in in_use)
    return dict(zip(waiting, free, strict=False))


def callable_matches(waiting: Iterable[tuple[M, Collection[P]]], busy: Collection[P]) -> Iterator[M]:
    """The waiting matches, in order, whose people are all free; whoever is called with one is busy for the next."""
    taken = set(busy)
    for match, people in waiting:
        if taken.isdisjoint(people):
            taken.update(people)
            yield match
