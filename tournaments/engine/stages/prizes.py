"""What may be set as the prizes of a stage: whole money, first place first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from faults import Fault

MOST_PRIZES: Final = 64
LARGEST_PRIZE: Final = 10**9


def check_prizes(prizes: Sequence[int]) -> tuple[Fault, ...]:
    """Too many of them, or one that no place brings."""
    if len(prizes) <= MOST_PRIZES and all(0 <= prize <= LARGEST_PRIZE for prize in prizes):
        return ()
    return (Fault("prizes.odd", "prizes", {"limit": MOST_PRIZES, "largest": LARGEST_PRIZE}),)
