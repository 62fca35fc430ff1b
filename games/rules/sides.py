"""The two sides of a game. White is the left column of a match text, `W` in SGF, player 0 in a match ID, X in XGID."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def column(self) -> int:
        """0 for White, 1 for Black: the place in a pair such as a score."""
        return 0 if self is Side.WHITE else 1


SIDES = (Side.WHITE, Side.BLACK)
