"""Assignment of entries to lines of a bracket: standard seeding, or a blind draw with a stored random seed.

A *line* is one of the 2^n places of the first round, numbered from the top; lines 1 and 2 meet, 3 and 4 meet.
An empty line (None) is a bye: the entry opposite advances without play. Byes go to the top seeds, or, in a
blind draw, to the entries that the random seed puts onto their lines; two byes never meet.

Lines may be *reserved* for late entries and re-entries (`with_held_lines`). If there are enough byes, the
last of them are reserved. Else the draw is twice as large: each match of the first round as before, and below
each of these matches two more lines, one or both of them reserved; the winner waits for them in the second
round. So all the same matches can be played at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournaments.engine.chance import Chance, Seed
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

MIN_ENTRIES: Final = 2
MAX_ENTRIES: Final = 1024
BLIND_DRAW_PURPOSE: Final = "blind draw"  # purpose of the randomness of a blind draw

BracketLines = tuple[EntryId | None, ...]


def bracket_size(count: int) -> int:
    """Return the number of lines of the smallest bracket that holds `count` entries (a power of two).

    Raises ``BadInput`` for fewer than `MIN_ENTRIES` or more than `MAX_ENTRIES`.
    """
    if count < MIN_ENTRIES:
        raise BadInput("draw.too_few_entries", count=count, minimum=MIN_ENTRIES)
    if count > MAX_ENTRIES:
        raise BadInput("draw.too_many_entries", count=count, maximum=MAX_ENTRIES)
    return 1 << (count - 1).bit_length()


def bye_count(count: int) -> int:
    """Return the number of byes (empty lines) in a bracket of `count` entries.

    >>> bracket_size(13), bye_count(13)
    (16, 3)
    """
    return bracket_size(count) - count


def standard_lines(size: int) -> tuple[int, ...]:
    """Return the seed number of each bracket line, from the top.

    Seed s meets seed size+1-s in the first round; seed 1 is at the top and seed 2 at the bottom, so these two
    can meet in the final only. Raises ``BadInput`` if `size` is not a power of two.

    >>> standard_lines(8)
    (1, 8, 5, 4, 3, 6, 7, 2)
    """
    if size < MIN_ENTRIES or size & (size - 1):
        raise BadInput("draw.no_power_of_two", size=size)
    lines = [1, 2]
    while len(lines) < size:
        total = 2 * len(lines) + 1
        lines = [
            seed
            for place, best in enumerate(lines)
            for seed in ((best, total - best) if place % 2 == 0 else (total - best, best))
        ]
    return tuple(lines)


def seeded_draw(best_first: Sequence[EntryId]) -> BracketLines:
    """Return the bracket lines of standard seeding for these entries, the top seed first.

    The top seeds get the byes.

    Raises ``BadInput`` if an entry is named twice. Five entries in a draw of eight; the first three have a
    bye:

    >>> seeded_draw([EntryId(number) for number in (1, 2, 3, 4, 5)])
    (1, None, 5, 4, 3, None, None, 2)
    """
    if len(set(best_first)) != len(best_first):
        raise BadInput("draw.entry_twice")
    size = bracket_size(len(best_first))
    return tuple(best_first[seed - 1] if seed <= len(best_first) else None for seed in standard_lines(size))


def with_held_lines(lines: BracketLines, held_count: int) -> BracketLines:
    """Return the bracket lines, doubled if the byes among them are too few for `held_count` reserved lines.

    At most as many lines as the draw had can then be reserved; `held_lines` tells which are. Raises
    ``BadInput`` if the draw would get too large.

    >>> with_held_lines((1, 4, 3, 2), 2)
    (1, 4, None, None, 3, 2, None, None)
    """
    if held_count <= lines.count(None):
        return lines
    if 2 * len(lines) > MAX_ENTRIES:
        raise BadInput("draw.too_many_entries", count=len(lines) + held_count, maximum=MAX_ENTRIES)
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return tuple(line for pair in pairs for line in (*pair, None, None))


def round_count(entries: int, held_count: int = 0) -> int:
    """Return the number of rounds of an elimination with so many entries and reserved lines.

    There is one round more if the reserved lines do not fit in the byes.

    >>> round_count(16), round_count(16, 20), round_count(12, 4)
    (4, 5, 4)
    """
    size = bracket_size(entries)
    return (size if held_count <= size - entries else 2 * size).bit_length() - 1


def held_lines(lines: Sequence[EntryId | None], held_count: int) -> frozenset[int]:
    """Return which bracket lines, counted from 0, are reserved.

    They are opposite the lowest seeds that would have a bye, or, in a doubled draw, below the matches of the
    lowest seeds.

    >>> sorted(held_lines(with_held_lines((1, 4, 3, 2), 2), 2))
    [2, 6]
    >>> sorted(held_lines((1, None, 5, 4, 3, None, None, 2), 2))
    [5, 6]
    """
    count = sum(entry is not None for entry in lines)
    size = bracket_size(count)
    seeds = standard_lines(size)
    if len(lines) == size:
        return frozenset(line for line, seed in enumerate(seeds) if count < seed <= count + held_count)
    # First one line below each match, lowest seeds first, then the second lines.
    order = sorted(range(size // 2), key=lambda match: -min(seeds[2 * match : 2 * match + 2]))
    new_lines = [4 * match + 2 + second for second in (0, 1) for match in order]
    return frozenset(new_lines[:held_count])


def blind_draw(entries: Sequence[EntryId], seed: Seed) -> BracketLines:
    """Return the bracket lines of a random draw.

    The same entries, in any order, and the same random seed always give the same draw.
    """
    return seeded_draw(Chance(seed, BLIND_DRAW_PURPOSE).shuffled(sorted(entries)))
