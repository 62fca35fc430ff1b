"""Bracket draws in which people of one travel group, club or country meet as late as possible.

The bracket is halved repeatedly. At each halving the entries are dealt to the halves so that each club is
split as evenly as possible; so no quarter of the draw holds more of a club than necessary. Who may change
places with whom depends on the draw:

- in a seeded draw the bands 1, 2, 3-4, 5-8, 9-16 …: inside a band all entries are equal, and byes are kept;
  an entry without a conflict keeps the bracket line of standard seeding;
- in a blind draw there are no seeds: everything is random, from the stored seed, within what the clubs allow.
  (Keeping a club apart makes a bye somewhat likelier for its members: with 3 of one club among 7 that is so
  in 60 % of all draws that keep them apart, not in 43 %.)

`separation` lists the criteria, the most important first: for instance travel groups, then clubs, then
countries. Each criterion maps entry ids to codes; entries without a group, club or country are left out of
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tournaments.engine.brackets.seeding import BracketLines, bracket_size, bye_count, standard_lines
from tournaments.engine.chance import Chance, Seed
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

AVOIDANCE_PURPOSE: Final = "draw apart"
MAX_PASSES: Final = 4  # of evening out after the dealing; one is nearly always enough

SeparationCodes = Sequence[Mapping[EntryId, str]]


def seeded_draw_separated(best_first: Sequence[EntryId], separation: SeparationCodes) -> BracketLines:
    """Return the bracket lines of standard seeding, changed inside bands where clubs would meet early.

    `best_first`: entry ids, the top seed first; `separation`: see the module. Raises ``BadInput`` if an entry
    is named twice.
    """
    if len(set(best_first)) != len(best_first):
        raise BadInput("draw.entry_twice")
    size, byes = bracket_size(len(best_first)), bye_count(len(best_first))

    def band(seed: int) -> int:
        power = (seed - 1).bit_length()
        return 2 * power + (seed > byes)  # a band that the byes divide counts as two

    return _assign_lines(size, list(best_first), separation, band, chance=None)


def blind_draw_separated(entries: Sequence[EntryId], separation: SeparationCodes, seed: Seed) -> BracketLines:
    """Return the bracket lines of a random draw in which clubs are kept apart (`separation`: see the module).

    The same entries, criteria and random seed always give the same draw. Raises ``BadInput`` if an entry is
    named twice.
    """
    if len(set(entries)) != len(entries):
        raise BadInput("draw.entry_twice")
    chance = Chance(seed, AVOIDANCE_PURPOSE)
    order = chance.shuffled(sorted(entries))
    return _assign_lines(bracket_size(len(order)), order, separation, lambda _seed: 0, chance=chance)


def _assign_lines(
    size: int,
    order: list[EntryId],
    separation: SeparationCodes,
    band: Callable[[int], int],
    *,
    chance: Chance | None,
) -> BracketLines:
    """Return the bracket lines: the entry on each, or None for a bye.

    `order`: the entries in seeding order; `band`: gives the band of a seed number. Without `chance`, entries
    keep the bracket line of standard seeding where possible.
    """
    seeds = standard_lines(size)
    lines: list[EntryId | None] = [None] * size
    bands = [band(seed) if seed <= len(order) else None for seed in seeds]

    def fill(first: int, last: int, homes: dict[EntryId, int]) -> None:
        """Fill the bracket lines `first` to `last` - 1 with these entries.

        `homes`: each entry's standard line.
        """
        if not homes:
            return
        if last - first == 1:
            ((lines[first], _home),) = homes.items()
            return
        middle = (first + last) // 2
        upper = _choose_upper_half(homes, bands, (first, middle, last), separation, chance)
        lower = {entry: home for entry, home in homes.items() if entry not in upper}
        fill(first, middle, _reassign_homes(upper, bands, first, middle))
        fill(middle, last, _reassign_homes(lower, bands, middle, last))

    fill(0, size, {order[seed - 1]: line for line, seed in enumerate(seeds) if seed <= len(order)})
    return tuple(lines)


def _reassign_homes(
    entries: Mapping[EntryId, int], bands: Sequence[int | None], first: int, last: int
) -> dict[EntryId, int]:
    """Return a bracket line inside the block `first` to `last` - 1 for each of these entries.

    Entries whose line is already in the block keep it; the others get free lines of their own band.
    """
    homes = {entry: home for entry, home in entries.items() if first <= home < last}
    taken = set(homes.values())
    free: dict[int | None, list[int]] = {}
    for line in range(first, last):
        if line not in taken:
            free.setdefault(bands[line], []).append(line)
    for entry, home in entries.items():
        if entry not in homes:
            homes[entry] = free[bands[home]].pop(0)
    return homes


def _choose_upper_half(
    homes: Mapping[EntryId, int],
    bands: Sequence[int | None],
    block: tuple[int, int, int],
    separation: SeparationCodes,
    chance: Chance | None,
) -> dict[EntryId, int]:
    """Return the entries for the upper half of a block of bracket lines, each with its present line.

    Of each band as many entries are chosen as the half holds, of each club about half. `block`: the first
    line, the first line of the lower half, and the line after the last.
    """
    first, middle, last = block
    room = [Counter(bands[first:middle]), Counter(bands[middle:last])]
    mirrored = chance is not None and room[0] == room[1] and chance.below(2) == 1
    code_counts: list[list[Counter[str]]] = [[Counter() for _level in separation] for _half in room]
    halves: tuple[dict[EntryId, int], dict[EntryId, int]] = ({}, {})
    for entry, home in _sort_by_band(homes, bands, separation):
        band = bands[home]
        same_code_counts = [
            tuple(
                counter[level[entry]]
                for counter, level in zip(side, separation, strict=True)
                if entry in level
            )
            for side in code_counts
        ]
        if not room[0][band] or not room[1][band]:
            half = 0 if room[0][band] else 1
        elif same_code_counts[0] != same_code_counts[1]:
            half = 0 if same_code_counts[0] < same_code_counts[1] else 1
        elif chance is None:
            half = int(home >= middle)
        else:  # proportional to the room; unevenness is corrected below
            half = int(chance.below(room[0][band] + room[1][band]) >= room[0][band])
        room[half][band] -= 1
        halves[half][entry] = home
        for tally, level in zip(code_counts[half], separation, strict=True):
            if entry in level:
                tally[level[entry]] += 1
    _even_out(halves, bands, separation, code_counts)
    return halves[1] if mirrored else halves[0]  # so that all lines are equally likely for everyone


def _sort_by_band(
    homes: Mapping[EntryId, int], bands: Sequence[int | None], separation: SeparationCodes
) -> list[tuple[EntryId, int]]:
    """Return the entries with their bracket lines, sorted by band.

    In a band, members of one club follow each other, in the order of each club's first entry.
    """
    rank: dict[tuple[str, ...], int] = {}
    for entry in homes:
        rank.setdefault(_separation_codes(entry, separation), len(rank))
    return sorted(
        homes.items(), key=lambda item: (bands[item[1]] or 0, rank[_separation_codes(item[0], separation)])
    )


def _separation_codes(entry: EntryId, separation: SeparationCodes) -> tuple[str, ...]:
    return tuple(level.get(entry, f"alone {entry}") for level in separation)


def _even_out(
    halves: tuple[dict[EntryId, int], dict[EntryId, int]],
    bands: Sequence[int | None],
    separation: SeparationCodes,
    code_counts: list[list[Counter[str]]],
) -> None:
    """Swap entries of the same band between the halves as long as that spreads the clubs more evenly.

    Changes `halves` and `code_counts`. A swap never makes a more important criterion less even.
    """
    for _ in range(MAX_PASSES):
        swapped = False
        for depth, level in enumerate(separation):
            for entry in list(halves[0]) + list(halves[1]):
                half = 0 if entry in halves[0] else 1
                code = level.get(entry)
                if code is None or code_counts[half][depth][code] - code_counts[1 - half][depth][code] < 2:
                    continue
                other = _best_swap(entry, half, halves, bands, separation, code_counts)
                if other is not None:
                    _swap(entry, other, half, halves, separation, code_counts)
                    swapped = True
        if not swapped:
            return


def _best_swap(
    entry: EntryId,
    half: int,
    halves: tuple[dict[EntryId, int], dict[EntryId, int]],
    bands: Sequence[int | None],
    separation: SeparationCodes,
    code_counts: list[list[Counter[str]]],
) -> EntryId | None:
    """Return the entry of the other half, in the same band, that `entry` should change halves with.

    The swap with the greatest gain in evenness is chosen; None if no swap gains.
    """
    band = bands[halves[half][entry]]
    no_gain = (0,) * len(separation)
    best_gain, best_entry = no_gain, None
    for other, home in halves[1 - half].items():
        if bands[home] == band:
            gain = tuple(
                _imbalance_change(
                    level.get(entry), level.get(other), code_counts[half][depth], code_counts[1 - half][depth]
                )
                for depth, level in enumerate(separation)
            )
            if gain < best_gain:
                best_gain, best_entry = gain, other
    return best_entry


def _imbalance_change(
    leaving: str | None, arriving: str | None, counts: Counter[str], other_counts: Counter[str]
) -> int:
    """Return how much a swap changes the imbalance of one criterion; negative is more even.

    The imbalance is the sum of squares of the code counts of both halves; `leaving` and `arriving` are the
    codes of the entries that leave and enter this half, None for an entry without a code.
    """
    if leaving == arriving:
        return 0
    change = 0
    if leaving is not None:
        change += 2 * (other_counts[leaving] - counts[leaving]) + 2
    if arriving is not None:
        change += 2 * (counts[arriving] - other_counts[arriving]) + 2
    return change


def _swap(
    entry: EntryId,
    other: EntryId,
    half: int,
    halves: tuple[dict[EntryId, int], dict[EntryId, int]],
    separation: SeparationCodes,
    code_counts: list[list[Counter[str]]],
) -> None:
    """Swap two entries between the halves and update the counts; `half` is the one that `entry` is in.

    Their bracket lines are assigned later.
    """
    halves[1 - half][entry] = halves[half].pop(entry)
    halves[half][other] = halves[1 - half].pop(other)
    for depth, level in enumerate(separation):
        for moved, source in ((entry, half), (other, 1 - half)):
            if moved in level:
                code_counts[source][depth][level[moved]] -= 1
                code_counts[1 - source][depth][level[moved]] += 1
