"""Results and places of entries that withdraw from a Swiss or round robin.

Two rules are common for results: played matches count and the rest are walkovers; or, if less than half was
played, all its results are cancelled, so that having met it makes no difference. The director decides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from tournaments.engine.standings.order import StandingsRow
from tournaments.engine.types import EntryId

PlaceRange = tuple[int, int]  # first and last place


class WithdrawnResults(StrEnum):
    KEEP = "keep"
    STRIKE = "strike"


def default_withdrawn_results(played: int, in_all: int) -> WithdrawnResults:
    """Return the default rule: cancel the results if less than half of the matches were played.

    >>> str(default_withdrawn_results(3, 7)), str(default_withdrawn_results(4, 7))
    ('strike', 'keep')
    """
    return WithdrawnResults.STRIKE if 2 * played < in_all else WithdrawnResults.KEEP


class WithdrawnRights(StrEnum):
    """What an entry withdrawn from a Swiss or round robin keeps: place and prize, place only, or neither."""

    KEEP = "keep"
    PLACE = "place"  # the prize goes to the next
    NOTHING = "nothing"  # and it is placed below all others


def places_without(
    places: Mapping[EntryId, PlaceRange], out: Collection[EntryId]
) -> dict[EntryId, PlaceRange]:
    """Return the places of entries not in `out`; those behind an entry in `out` move up.

    >>> places_without({EntryId(1): (1, 1), EntryId(2): (2, 3), EntryId(3): (2, 3)}, [EntryId(1)])
    {2: (1, 2), 3: (1, 2)}
    """
    gone = [places[entry] for entry in places if entry in out]
    return {
        entry: (
            here[0] - sum(one[0] < here[0] for one in gone),
            here[1] - sum(one[0] <= here[0] for one in gone),
        )
        for entry, here in places.items()
        if entry not in out
    }


def first_placed(places: Mapping[EntryId, PlaceRange], out: Collection[EntryId]) -> list[EntryId]:
    """Return the entries in first place, alone or shared, among those not in `out`."""
    return [entry for entry, (first, _last) in places_without(places, out).items() if first == 1]


def rows_with_last(rows: Sequence[StandingsRow], out: Collection[EntryId]) -> tuple[StandingsRow, ...]:
    """Return the rows of a table with those in `out` below all others, in the same order among themselves."""
    places = {row.entry: (row.first, row.last) for row in rows}
    stay = places_without(places, out)
    last = {
        entry: (first + len(stay), last + len(stay))
        for entry, (first, last) in places_without(places, stay).items()
    }
    now = {**stay, **last}
    moved = [replace(row, first=now[row.entry][0], last=now[row.entry][1]) for row in rows]
    return tuple(sorted(moved, key=lambda row: row.entry in last))
