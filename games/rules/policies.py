"""Policies that a director announces on errors at the board: who points them out, and until when.

Rules F7 and F16.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MovesPolicy(StrEnum):
    """Who must point out an illegal play (rule F7).

    In both cases it counts after the next roll (rule R42).
    """

    LEGAL = "legal"  # both: several that stand are unusual
    RESPONSIBLE = "responsible"  # the opponent chooses: a few that stand are normal


class CorrectedUntil(StrEnum):
    """Until when a wrong starting position or score can be corrected; afterwards it counts (rule F16)."""

    FIRST_PLAY = "first_play"  # until the second player has played in that game
    NEXT_GAME = "next_game"  # until the next game is recorded
    RESULT = "result"  # until the result of the match is recorded


@dataclass(frozen=True, slots=True)
class SlipRules:
    """The policies on errors during play, with their default values (rules F7 and F16).

    `start`, `score`: until when a wrong starting position or score is corrected.
    """

    moves: MovesPolicy = MovesPolicy.LEGAL
    start: CorrectedUntil = CorrectedUntil.FIRST_PLAY
    score: CorrectedUntil = CorrectedUntil.NEXT_GAME


DEFAULT_SLIPS = SlipRules()
