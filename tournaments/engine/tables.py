"""Which match goes to which table: the match that has waited longest takes the lowest free number."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from tournaments.engine.types import TableNo

M = TypeVar("M")


def assign_tables(waiting: Iterable[M], in_use: Collection[int], tables: int) -> dict[M, TableNo]:
    """A table for as many matches as there are free ones; `waiting` is in the order in which they shall be called."""
    free = (TableNo(number) for number in range(1, tables + 1) if number not in in_use)
    return dict(zip(waiting, free, strict=False))
