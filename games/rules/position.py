"""A position: where the checkers are, seen by the player on roll.

Without players, cube and score. Terms: *own* is the player on roll, *other* the opponent; each side counts in
its own numbering (rule R2): 24 points down to 1, the bar is 25, off is 0. Own point p is the other's 25 - p.

A position is one integer, so it is frozen, hashable, compact and quick to create: four bits for each place,
own side in the low half, the other side in the high half, both in their own numbering. Changing sides swaps
the halves. Checkers borne off are not stored: they are what is missing from fifteen (rule R1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Self

from games.rules import ids
from games.rules.errors import RuleError

CHECKERS = 15
BAR = 25
OFF = 0
WIDTH = 4
HALF = WIDTH * (BAR + 1)  # bits of one side; place 0 stays empty
LOW = (1 << HALF) - 1

# R3, own numbering.
START_COUNTS = {24: 2, 13: 5, 8: 3, 6: 5}


def pack_counts(counts: Sequence[int]) -> int:
    """Return the checkers of one side as a number, from 26 counts; counts[0] (off) is not stored."""
    return (
        int(bytes(counts[:OFF:-1]).hex()[1::2], 16) << WIDTH
    )  # the second digit of each byte is a count up to 15


@lru_cache(maxsize=4096)
def _counts(half: int) -> tuple[int, ...]:
    counts = [int(digit, 16) for digit in f"{half:026x}"[::-1]]
    counts[OFF] = CHECKERS - sum(counts)
    return tuple(counts)


class Position(int):
    """The position of thirty checkers, seen by the player on roll. Created by the class methods."""

    __slots__ = ()

    @classmethod
    def start(cls) -> Self:
        """Return the position at the start of a game (rules R3 and R4).

        >>> Position.start().id, Position.start().pips
        ('4HPwATDgc/ABMA', 167)
        """
        return cls.from_points(START_COUNTS, START_COUNTS)

    @classmethod
    def from_counts(cls, own: Sequence[int], other: Sequence[int]) -> Self:
        """Return a position from 26 counts for each side, in its own numbering; index 0 is ignored.

        Raises `RuleError` if it is impossible by rules R1 and R6.
        """
        for counts, name in ((own, "own"), (other, "other")):
            if len(counts) != BAR + 1:
                raise RuleError("position.places", "R1", side=name, places=len(counts))
            if min(counts[1:]) < 0 or sum(counts[1:]) > CHECKERS:
                raise RuleError("position.checkers", "R1", side=name, checkers=sum(counts[1:]))
        for point in range(1, BAR):
            if own[point] and other[BAR - point]:
                raise RuleError("position.shared_point", "R6", point=point)
        return cls(pack_counts(own) | pack_counts(other) << HALF)

    @classmethod
    def from_points(cls, own: Mapping[int, int], other: Mapping[int, int]) -> Self:
        """Return a position from {point: checkers} for each side, in its own numbering; 25 is the bar.

        Raises `RuleError` if it is impossible.

        >>> Position.from_points({6: 2, 3: 1}, {24: 1}).pips
        15
        """
        for points, name in ((own, "own"), (other, "other")):
            for point in points:
                if not 0 <= point <= BAR:
                    raise RuleError("position.no_such_point", "R1", side=name, point=point)
        places = range(BAR + 1)
        return cls.from_counts([own.get(p, 0) for p in places], [other.get(p, 0) for p in places])

    @classmethod
    def from_id(cls, text: str) -> Self:
        """Return the position with this GNU Backgammon position ID (14 characters). Raises `UnreadableId`."""
        other, own = ids.counts_from_position_id(text)  # checks it, with the place of a fault
        return cls(pack_counts(own) | pack_counts(other) << HALF)

    @property
    def id(self) -> str:
        """Return the GNU Backgammon position ID, seen by the player on roll."""
        text = f"{(self & LOW) << HALF | self >> HALF:052x}"
        return ids.position_id_from_digits(text[:BAR] + text[BAR + 1 : -1])

    @property
    def own(self) -> tuple[int, ...]:
        """Return the 26 counts of the player on roll: index 0 off, 1 to 24 the points, 25 the bar."""
        return _counts(self & LOW)

    @property
    def other(self) -> tuple[int, ...]:
        """Return the 26 counts of the opponent, in the opponent's own numbering."""
        return _counts(self >> HALF)

    def swap(self) -> Position:
        """Return the same board as the other player sees it."""
        return Position((self & LOW) << HALF | self >> HALF)

    @property
    def pips(self) -> int:
        """Return the pip count of the player on roll; the opponent's is `other_pips`."""
        return sum(place * count for place, count in enumerate(self.own))

    @property
    def other_pips(self) -> int:
        return sum(place * count for place, count in enumerate(self.other))

    @property
    def own_off(self) -> int:
        return self.own[OFF]

    @property
    def all_off(self) -> bool:
        """Return whether the player on roll has borne off everything (rule R31)."""
        return not self & LOW

    @property
    def other_all_off(self) -> bool:
        return not self >> HALF

    def board(self) -> tuple[int, ...]:
        """Return 26 signed counts by own numbering: other negative; 0 is the other's bar, 25 the own bar."""
        own, other = self.own, self.other
        return (-other[BAR], *(own[p] - other[BAR - p] for p in range(1, BAR)), own[BAR])

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r})"

    __str__ = __repr__
