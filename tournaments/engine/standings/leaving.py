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


def default_withdrawn_results(played: int, total: int) -> WithdrawnResults:
    """Return the default for an entry that leaves: its results are cancelled if it played less than half.

    `total`: how many matches the entry would have had.

    >>> str(default_withdrawn_results(3, 7)), str(default_withdrawn_results(4, 7))
    ('strike', 'keep')
    """
    return WithdrawnResults.STRIKE if 2 * played < total else WithdrawnResults.KEEP


class WithdrawnRights(StrEnum):
    """What an entry that withdrew from a Swiss or round robin keeps.

    Place and prize, the place only, or neither.
    """

    KEEP = "keep"
    PLACE = "place"  # the prize goes to the next
    NOTHING = "nothing"  # and it is placed below all others


def places_without(
    places: Mapping[EntryId, PlaceRange], excluded: Collection[EntryId]
) -> dict[EntryId, PlaceRange]:
    """Return the places of entries not in `excluded`; those behind an entry in `excluded` move up.

    >>> places_without({EntryId(1): (1, 1), EntryId(2): (2, 3), EntryId(3): (2, 3)}, [EntryId(1)])
    {2: (1, 2), 3: (1, 2)}
    """
    excluded_places = [places[entry] for entry in places if entry in excluded]
    return {
        entry: (
            place[0] - sum(other[0] < place[0] for other in excluded_places),
            place[1] - sum(other[0] <= place[0] for other in excluded_places),
        )
        for entry, place in places.items()
        if entry not in excluded
    }


def first_placed(places: Mapping[EntryId, PlaceRange], excluded: Collection[EntryId]) -> list[EntryId]:
    """Return the entries in first place, alone or shared, if those in `excluded` are left out."""
    return [entry for entry, (first, _last) in places_without(places, excluded).items() if first == 1]


def rows_with_last(rows: Sequence[StandingsRow], excluded: Collection[EntryId]) -> tuple[StandingsRow, ...]:
    """Return the rows of a table with those of `excluded` entries moved below all others.

    The order among the moved rows remains.
    """
    places = {row.entry: (row.first, row.last) for row in rows}
    remaining = places_without(places, excluded)
    last = {
        entry: (first + len(remaining), last + len(remaining))
        for entry, (first, last) in places_without(places, remaining).items()
    }
    new_places = {**remaining, **last}
    new_rows = [replace(row, first=new_places[row.entry][0], last=new_places[row.entry][1]) for row in rows]
    return tuple(sorted(new_rows, key=lambda row: row.entry in last))
