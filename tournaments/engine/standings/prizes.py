"""Prizes of shared places: added up and divided, in the smallest coin, with what cannot be divided named.

Which prizes there are, and whether they are shared at all, is the director's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class Shares:
    """What each entry gets, and what is left over because it could not be divided."""

    each: Mapping[EntryId, int]
    left_over: int


def share_prizes(prizes: Sequence[int], places: Mapping[EntryId, tuple[int, int]]) -> Shares:
    """`prizes` from the first place down; `places` as ranges (first, last) of final tables.

    >>> share_prizes([100, 50, 25], {EntryId(1): (1, 1), EntryId(2): (2, 3), EntryId(3): (2, 3)})
    Shares(each={1: 100, 2: 37, 3: 37}, left_over=1)
    """
    if any(prize < 0 for prize in prizes):
        raise BadInput("prizes.negative")
    together: dict[tuple[int, int], list[EntryId]] = {}
    for entry, place in places.items():
        together.setdefault(place, []).append(entry)
    each: dict[EntryId, int] = {}
    left_over = 0
    for (first, last), entries in together.items():
        if len(entries) != last - first + 1:
            raise BadInput("prizes.places_open", first=first, last=last)
        share, rest = divmod(sum(prizes[first - 1 : last]), len(entries))
        each |= dict.fromkeys(entries, share)
        left_over += rest
    return Shares(each, left_over)
