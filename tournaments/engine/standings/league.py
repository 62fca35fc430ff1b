"""From one league season to the next: who goes up, who goes down, and who fills the place of those who leave.

Divisions are the final orders of their tables, the top one first. When a fixture is due, and what becomes of one that
was never played, is said by its result (F12: unfinished, walk-over, double walk-over).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

Divisions = tuple[tuple[EntryId, ...], ...]


def next_season(
    divisions: Sequence[Sequence[EntryId]], moving: int, leaving: Collection[EntryId] = ()
) -> Divisions:
    """The divisions of the next season: the last `moving` of each change places with the first ones below.

    Whoever leaves is replaced by one more from below, so that all divisions but the last keep their size as long as
    there is somebody to come up. Inside a division: who stayed, who came down, who came up. Newcomers are the
    caller's to add to the last one.
    """
    everybody = [entry for division in divisions for entry in division]
    if len(set(everybody)) != len(everybody):
        raise BadInput("draw.entry_twice")
    unknown = set(leaving) - set(everybody)
    if unknown:
        raise BadInput("league.not_in_it", {"entry": min(unknown)})
    for number, division in enumerate(divisions):
        borders = (number > 0) + (number < len(divisions) - 1)
        if moving < 0 or len(division) < borders * moving:
            raise BadInput("league.division_too_small", {"division": number + 1, "least": borders * moving})
    last = len(divisions) - 1
    stay: list[list[EntryId]] = []
    down: list[list[EntryId]] = []
    for number, division in enumerate(divisions):
        falling = division[len(division) - moving :] if number < last else ()
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
