"""What a director announces about slips at the board: who speaks up, and until when they are put right (F7 F16)."""

from __future__ import annotations

from enum import StrEnum


class MovesPolicy(StrEnum):
    """F7: who has to speak up about an illegal play. In both it stands once the next roll has happened (R42)."""

    LEGAL = "legal"  # both: that several are let stand is odd
    RESPONSIBLE = "responsible"  # the opponent chooses: a few that are let stand are play
