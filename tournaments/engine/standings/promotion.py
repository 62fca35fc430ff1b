"""Promotion and relegation between league seasons, and the replacement of entries that leave.

Divisions are the final orders of their tables, the top one first. Deadlines of fixtures and unplayed fixtures
are reflected in their results (F12: unfinished, walkover, double walkover).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

Divisions = tuple[tuple[EntryId, ...], ...]
# A final table: its places from the top, each with all entries that share it.
Places = Sequence[Sequence[EntryId]]


def next_season(
    divisions: Sequence[Sequence[EntryId]], moving: int | Sequence[int], leaving: Collection[EntryId] = ()
) -> Divisions:
    """Return the divisions of the next season: the last `moving` of each change places with the first ones
    below.

    `moving` is one number for all borders, or one for each border from the top. An entry that leaves is
    replaced by one more from below, so that all divisions but the last keep their size as long as there are
    entries to move up. Order inside a division: those who stayed, those relegated, those promoted. The caller
    adds new entries to the last division.
    """
    everybody = [entry for division in divisions for entry in division]
    if len(set(everybody)) != len(everybody):
        raise BadInput("draw.entry_twice")
    unknown = set(leaving) - set(everybody)
    if unknown:
        raise BadInput("league.not_in_it", entry=min(unknown))
    last = len(divisions) - 1
    movers = [moving] * max(last, 0) if isinstance(moving, int) else list(moving)
    for number, division in enumerate(divisions):
        borders = movers[max(number - 1, 0) : number + 1]
        if min(borders, default=0) < 0 or len(division) < sum(borders):
            raise BadInput("league.division_too_small", division=number + 1, least=sum(borders))
    stay: list[list[EntryId]] = []
    down: list[list[EntryId]] = []
    for number, division in enumerate(divisions):
        falling = division[len(division) - movers[number] :] if number < last else ()
        stay.append([entry for entry in division if entry not in leaving and entry not in falling])
        down.append([entry for entry in falling if entry not in leaving])
    season: list[tuple[EntryId, ...]] = []
    for number, division in enumerate(divisions):
        came_down = down[number - 1] if number else []
        room = max(len(division) - len(stay[number]) - len(came_down), 0) if number < last else 0
        came_up = stay[number + 1][:room] if number < last else []
        if number < last:
            stay[number + 1] = stay[number + 1][len(came_up) :]
        season.append((*stay[number], *came_down, *came_up))
    return tuple(season)


def break_ties(table: Places, higher: Mapping[EntryId, int]) -> tuple[EntryId, ...]:
    """Return the table as one order.

    Among entries that share a place, the smaller number in `higher` is first.
    """
    return tuple(
        entry for shared in table for entry in sorted(shared, key=lambda one: (higher.get(one, 0), one))
    )


def ties_at_borders(
    tables: Sequence[Places], moving: int | Sequence[int], leaving: Collection[EntryId] = ()
) -> tuple[tuple[EntryId, ...], ...]:
    """Return shared places whose entries would move to different divisions, so that a decision is needed.

    An entry that leaves can take a relegation place, so it is tried at both ends of its tie.
    """
    goes: dict[EntryId, set[int]] = {}
    for sign in (1, -1):
        higher = dict.fromkeys(leaving, sign)
        season = next_season([break_ties(table, higher) for table in tables], moving, leaving)
        for number, division in enumerate(season):
            for entry in division:
                goes.setdefault(entry, set()).add(number)
    return tuple(
        tuple(shared)
        for table in tables
        for shared in table
        if len(shared) > 1 and len(set().union(*(goes.get(entry, set()) for entry in shared))) > 1
    )
