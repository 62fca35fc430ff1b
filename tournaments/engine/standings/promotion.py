"""From one league season to the next: who goes up, who goes down, and who fills the place of those who leave.

Divisions are the final orders of their tables, the top one first. When a fixture is due, and what becomes of one that
was never played, is said by its result (F12: unfinished, walk-over, double walk-over).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

Divisions = tuple[tuple[EntryId, ...], ...]
# A final table: its places from the top, each with all who share it.
Places = Sequence[Sequence[EntryId]]


def next_season(
    divisions: Sequence[Sequence[EntryId]], moving: int | Sequence[int], leaving: Collection[EntryId] = ()
) -> Divisions:
    """The divisions of the next season: the last `moving` of each change places with the first ones below.

    `moving` is one number for all borders, or one for each border from the top.
    Whoever leaves is replaced by one more from below, so that all divisions but the last keep their size as long as
    there is somebody to come up. Inside a division: who stayed, who came down, who came up. Newcomers are the
    caller's to add to the last one.
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
    """The table as one order; among those who share a place the smaller number in `higher` stands first."""
    return tuple(
        entry for shared in table for entry in sorted(shared, key=lambda one: (higher.get(one, 0), one))
    )


def ties_at_borders(
    tables: Sequence[Places], moving: int | Sequence[int], leaving: Collection[EntryId] = ()
) -> tuple[tuple[EntryId, ...], ...]:
    """Places that are shared over a border: those on them would not all go the same way, so somebody has to decide.

    Somebody who leaves can take a place from which others fall, so both ends are tried for them.
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
