"""Which entries of a table or bracket advance to the next stage, and what decided it at the border.

The director's tie-breaks come first, then a recorded play-off; a tie across the border that remains is
decided by a lot from the stored random seed. In a bracket, entries that share a place (lost in the same
round) are tied. Every lot is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.chance import Chance, Seed
from tournaments.engine.standings.order import StandingsRow, rank_entries
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class CutBorder:
    """What separated the last entry before a border from the first one after it.

    `decided_by`: code of the tie-break, empty if the first criterion was enough; "lot" if nothing else did,
    and then `tied` are the equal entries.
    """

    decided_by: str = ""
    tied: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True)
class QualifyingCut:
    """The final order of one table or bracket, and the entries that advance.

    `advancing`: the entries that advance; `first`, `takes`: the first and last place that advance.
    `upper_border` and `below`: the borders there. `groups_ordered_by_lot`: other groups of equal entries that
    all advance, ordered by lot.
    """

    order: tuple[EntryId, ...]
    takes: int
    advancing: tuple[EntryId, ...] = ()
    below: CutBorder = CutBorder()
    groups_ordered_by_lot: tuple[tuple[EntryId, ...], ...] = ()
    first: int = 1
    upper_border: CutBorder = CutBorder()

    @property
    def decided_by(self) -> str:
        """Code of what decided which entry is the last to advance; empty if points alone did."""
        return self.below.decided_by

    @property
    def tied(self) -> tuple[EntryId, ...]:
        """Entries that were equal at the last place to advance and were separated by lot."""
        return self.below.tied


def cut_table(
    crosstable: Crosstable,
    codes: Sequence[str],
    takes: int,
    excluded: Collection[EntryId] = (),
    *,
    first: int = 1,
) -> QualifyingCut:
    """Return the cut in which places `first` to `takes` of a table advance.

    `codes`: the tie-breaks in order; `excluded`: entries to skip, because they withdrew.
    """
    order = _ranked_entries(crosstable, codes, excluded)
    qualified = order[first - 1 : takes]
    return QualifyingCut(
        order,
        takes,
        qualified,
        _table_border(crosstable, codes, takes, excluded, len(order)),
        _groups_decided_by_lot(crosstable, codes, excluded, qualified),
        first,
        _table_border(crosstable, codes, first - 1, excluded, len(order)),
    )


def rest_of_table(
    crosstable: Crosstable,
    codes: Sequence[str],
    taken_elsewhere: Collection[EntryId],
    excluded: Collection[EntryId] = (),
) -> QualifyingCut:
    """Return the cut in which all entries of a table advance that no other stage takes (`taken_elsewhere`).

    `codes`: the tie-breaks in order; `excluded`: entries to skip, because they withdrew.
    """
    order = _ranked_entries(crosstable, codes, excluded)
    qualified = tuple(entry for entry in order if entry not in taken_elsewhere)
    first = order.index(qualified[0]) + 1 if qualified else len(order) + 1
    return QualifyingCut(
        order,
        len(order),
        qualified,
        CutBorder(),
        _groups_decided_by_lot(crosstable, codes, excluded, qualified),
        first,
    )


PLACES_PURPOSE: Final = "lot of places"
PlaceGroups = Sequence[tuple[EntryId, ...]]


def place_groups(
    places: Mapping[EntryId, Place], seed: Seed, excluded: Collection[EntryId] = ()
) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of entries that share a place, best first, each group in random order.

    Entries in `excluded` are left out. The order is drawn for all entries at once, so that an entry's lot
    does not depend on who else is tied.
    """
    groups: dict[int, list[EntryId]] = {}
    for entry in Chance(seed, PLACES_PURPOSE).shuffled(sorted(places)):
        if entry not in excluded:
            groups.setdefault(places[entry].first, []).append(entry)
    return tuple(tuple(groups[first]) for first in sorted(groups))


def cut_places(groups: PlaceGroups, takes: int, *, first: int = 1) -> QualifyingCut:
    """Return the cut in which places `first` to `takes` of a bracket advance.

    `groups`: the entries by place, as `place_groups` returns them.
    """
    order = tuple(entry for group in groups for entry in group)
    qualified = order[first - 1 : takes]
    return QualifyingCut(
        order,
        takes,
        qualified,
        _group_border(groups, takes),
        _split_groups(groups, qualified),
        first,
        _group_border(groups, first - 1),
    )


def rest_of_places(groups: PlaceGroups, elsewhere: Collection[EntryId]) -> QualifyingCut:
    """Return the cut in which all entries of a bracket advance that no other stage takes (`elsewhere`)."""
    order = tuple(entry for group in groups for entry in group)
    qualified = tuple(entry for entry in order if entry not in elsewhere)
    first = order.index(qualified[0]) + 1 if qualified else len(order) + 1
    return QualifyingCut(order, len(order), qualified, CutBorder(), _split_groups(groups, qualified), first)


def _group_border(groups: PlaceGroups, place_count: int) -> CutBorder:
    """Return the border behind so many places; it was decided by lot if it runs through a group."""
    count = 0
    for group in groups:
        if count < place_count < count + len(group):
            return CutBorder("lot", group)
        count += len(group)
    return CutBorder()


def _split_groups(groups: PlaceGroups, qualified: Collection[EntryId]) -> tuple[tuple[EntryId, ...], ...]:
    return tuple(group for group in groups if len(group) > 1 and set(qualified).issuperset(group))


def _ranked_rows(
    crosstable: Crosstable, codes: Sequence[str], excluded: Collection[EntryId]
) -> list[StandingsRow]:
    return [row for row in rank_entries(crosstable, codes) if row.entry not in excluded]


def _ranked_entries(
    crosstable: Crosstable, codes: Sequence[str], excluded: Collection[EntryId]
) -> tuple[EntryId, ...]:
    return tuple(row.entry for row in _ranked_rows(crosstable, [*codes, "lot"], excluded))


def _groups_decided_by_lot(
    crosstable: Crosstable,
    codes: Sequence[str],
    excluded: Collection[EntryId],
    qualified: Collection[EntryId],
) -> tuple[tuple[EntryId, ...], ...]:
    return tuple(
        group
        for group in tied_groups(_ranked_rows(crosstable, codes, excluded))
        if set(qualified).issuperset(group)
    )


def _table_border(
    crosstable: Crosstable, codes: Sequence[str], place_count: int, excluded: Collection[EntryId], count: int
) -> CutBorder:
    """Return the border behind so many places of a table; nothing is decided at either end of the table."""
    if not 0 < place_count < count:
        return CutBorder()
    tied: tuple[EntryId, ...] = ()
    for number, code in enumerate(codes, start=1):
        previously_tied, tied = (
            tied,
            _tied_across_border(_ranked_rows(crosstable, codes[:number], excluded), place_count),
        )
        if not tied and code == "lot":
            return CutBorder(code, previously_tied)
        if not tied:
            return CutBorder(code if number > 1 else "")
    return CutBorder("lot", tied)


def _tied_across_border(rows: Sequence[StandingsRow], takes: int) -> tuple[EntryId, ...]:
    """Return the entries that share a place if the border runs through them, else an empty tuple."""
    last_row, next_row = rows[takes - 1], rows[takes]
    return (
        tuple(row.entry for row in rows if row.first == last_row.first)
        if last_row.first == next_row.first
        else ()
    )


def tied_groups(rows: Sequence[StandingsRow]) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of entries that share a place, best first.

    Entries alone in their place are left out.
    """
    groups: dict[int, list[EntryId]] = {}
    for row in rows:
        groups.setdefault(row.first, []).append(row.entry)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
