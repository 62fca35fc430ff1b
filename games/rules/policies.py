"""What a director announces about slips at the board: who speaks up, and until when they are put right (F7 F16)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MovesPolicy(StrEnum):
    """F7: who must point out an illegal play. In both cases the play counts once the next roll has been made (R42)."""

    LEGAL = "legal"  # both: that several are let stand is odd
    RESPONSIBLE = "responsible"  # the opponent chooses: a few that are let stand are play


class CorrectedUntil(StrEnum):
    """F16: until when a wrong starting position, or a wrong score carried into a game, can be corrected. After that it counts as it is."""

    FIRST_PLAY = "first_play"  # until the second player has played in that game
    NEXT_GAME = "next_game"  # until the next game is recorded
    RESULT = "result"  # until the result of the match is recorded


@dataclass(frozen=True, slots=True)
class SlipRules:
    """Rules for slips during play, with the default values (F7 F16)."""

    moves: MovesPolicy = MovesPolicy.LEGAL
    start: CorrectedUntil = CorrectedUntil.FIRST_PLAY
    score: CorrectedUntil = CorrectedUntil.NEXT_GAME


DEFAULT_SLIPS = SlipRules()
