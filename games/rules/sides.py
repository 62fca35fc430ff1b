"""The two sides of a game. White is the left column of a match text.

White is also `W` in SGF, player 0 in a match ID, and X in an XGID.
"""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """A side of a game. `column` is its index in a pair such as a score: 0 for White, 1 for Black."""

    WHITE = "white"
    BLACK = "black"

    other: Side
    column: int


# Plain attributes for speed: they are used for every turn of every record.
Side.WHITE.other, Side.BLACK.other = Side.BLACK, Side.WHITE
Side.WHITE.column, Side.BLACK.column = 0, 1

SIDES = (Side.WHITE, Side.BLACK)
