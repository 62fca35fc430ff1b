"""Match lengths per round, counted back from the final: 5, 5, 7, 9 means a final to 9 and a semi-final to 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.errors import BadInput

MIN_LENGTH: Final = 1
MAX_LENGTH: Final = 99
MAX_GIVEN: Final = 16  # more than any bracket of ours has rounds


@dataclass(frozen=True, slots=True)
class LengthFault:
    """Why a list of lengths cannot stand; `position` counts from 1, None means the whole list."""

    code: str
    position: int | None = None
    length: int | None = None


def check_lengths(lengths: Sequence[int]) -> tuple[LengthFault, ...]:
    """Every fault at once; an empty answer means that the list may stand."""
    if not lengths:
        return (LengthFault("length.none"),)
    faults = [LengthFault("length.too_many")] if len(lengths) > MAX_GIVEN else []
    for position, length in enumerate(lengths, start=1):
        if length < MIN_LENGTH:
            faults.append(LengthFault("length.too_short", position, length))
        elif length > MAX_LENGTH:
            faults.append(LengthFault("length.too_long", position, length))
    return tuple(faults)


def lengths_for_rounds(lengths: Sequence[int], rounds: int) -> tuple[int, ...]:
    """The length of each round, first round first. Rounds before the list begins take its first length."""
    faults = check_lengths(lengths)
    if faults:
        raise BadInput(faults[0].code, {"position": faults[0].position, "length": faults[0].length})
    missing = rounds - len(lengths)
    if missing >= 0:
        return (lengths[0],) * missing + tuple(lengths)
    return tuple(lengths[-missing:])
