"""Promotion and relegation between the seasons of a league, and the replacement of entries that leave.

Divisions are the final orders of their tables, the top one first. Deadlines of fixtures and unplayed fixtures
are reflected in their results (rule F12: unfinished, walkover, double walkover).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

Divisions = tuple[tuple[EntryId, ...], ...]
# A final table: its places from the top, each with all entries that share it.
Places = Sequence[Sequence[EntryId]]


def next_season(
    divisions: Sequence[Sequence[EntryId]],
    promotion_counts: int | Sequence[int],
    leaving_entries: Collection[EntryId] = (),
) -> Divisions:
    """Return the divisions of the next season, each with its entries.

    The last `promotion_counts` entries of each division change places with the first ones of the division
    below; `promotion_counts` is one number for all borders, or one for each border from the top. An entry
    that leaves is replaced by one more from below, so that all divisions but the last keep their size as long
    as there are entries to move up. Order inside a division: those who stayed, those relegated, those
    promoted. The caller adds new entries to the last division. Raises ``BadInput`` for an entry named twice,
    a leaving entry of no division, or a division that is too small.
    """
    all_entries = [entry for division in divisions for entry in division]
    if len(set(all_entries)) != len(all_entries):
        raise BadInput("draw.entry_twice")
    unknown = set(leaving_entries) - set(all_entries)
    if unknown:
        raise BadInput("league.not_in_it", entry=min(unknown))
    last = len(divisions) - 1
    movers = (
        [promotion_counts] * max(last, 0) if isinstance(promotion_counts, int) else list(promotion_counts)
    )
    for number, division in enumerate(divisions):
        borders = movers[max(number - 1, 0) : number + 1]
        if min(borders, default=0) < 0 or len(division) < sum(borders):
            raise BadInput("league.division_too_small", division=number + 1, least=sum(borders))
    staying: list[list[EntryId]] = []
    moving_down: list[list[EntryId]] = []
    for number, division in enumerate(divisions):
        falling = division[len(division) - movers[number] :] if number < last else ()
        staying.append([entry for entry in division if entry not in leaving_entries and entry not in falling])
        moving_down.append([entry for entry in falling if entry not in leaving_entries])
    season: list[tuple[EntryId, ...]] = []
    for number, division in enumerate(divisions):
        came_down = moving_down[number - 1] if number else []
        free_places = max(len(division) - len(staying[number]) - len(came_down), 0) if number < last else 0
        came_up = staying[number + 1][:free_places] if number < last else []
        if number < last:
            staying[number + 1] = staying[number + 1][len(came_up) :]
        season.append((*staying[number], *came_down, *came_up))
    return tuple(season)


def break_ties(table: Places, priorities: Mapping[EntryId, int]) -> tuple[EntryId, ...]:
    """Return the entries of a table as one order.

    Of entries that share a place, the one with the smaller number in `priorities` is first.
    """
    return tuple(
        entry
        for tied in table
        for entry in sorted(tied, key=lambda tied_entry: (priorities.get(tied_entry, 0), tied_entry))
    )


def ties_at_borders(
    tables: Sequence[Places], moving: int | Sequence[int], leaving: Collection[EntryId] = ()
) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of entries that share a place but would move to different divisions.

    For each of these a decision is needed. An entry that leaves can take a relegation place, so both ends of
    its tie are tried.
    """
    divisions_by_entry: dict[EntryId, set[int]] = {}
    for sign in (1, -1):
        priorities = dict.fromkeys(leaving, sign)
        season = next_season([break_ties(table, priorities) for table in tables], moving, leaving)
        for number, division in enumerate(season):
            for entry in division:
                divisions_by_entry.setdefault(entry, set()).add(number)
    return tuple(
        tuple(tied)
        for table in tables
        for tied in table
        if len(tied) > 1 and len(set().union(*(divisions_by_entry.get(entry, set()) for entry in tied))) > 1
    )
