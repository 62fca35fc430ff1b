"""Match lengths per round, counted back from the final: 5, 5, 7, 9 is a final to 9, a semifinal to 7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from faults import Fault
from tournaments.engine.errors import BadInput

MIN_LENGTH: Final = 1
MAX_LENGTH: Final = 99
MAX_LENGTHS: Final = 16  # more rounds than any bracket has


def check_lengths(lengths: Sequence[int], field: str | None = None) -> tuple[Fault, ...]:
    """Return all errors of a list of match lengths, at the form field `field`; empty if the list is valid.

    The parameter `position` of an error is the place in the list, from 1; None means the whole list.
    """
    list_params: dict[str, int | None] = {"position": None, "length": None}
    if not lengths:
        return (Fault("length.none", field, list_params),)
    faults = [Fault("length.too_many", field, list_params)] if len(lengths) > MAX_LENGTHS else []
    for position, length in enumerate(lengths, start=1):
        params = {"position": position, "length": length}
        if length < MIN_LENGTH:
            faults.append(Fault("length.too_short", field, params))
        elif length > MAX_LENGTH:
            faults.append(Fault("length.too_long", field, params))
    return tuple(faults)


def lengths_for_rounds(lengths: Sequence[int], rounds: int) -> tuple[int, ...]:
    """Return the match length of each round, first round first.

    If there are more rounds than lengths, the early rounds have the first length; if fewer, the first lengths
    are not used. Raises ``BadInput`` if the list is not valid.

    >>> lengths_for_rounds([5, 7, 9], rounds=5)
    (5, 5, 5, 7, 9)
    """
    faults = check_lengths(lengths)
    if faults:
        raise BadInput(faults=faults[:1])
    missing = rounds - len(lengths)
    if missing >= 0:
        return (lengths[0],) * missing + tuple(lengths)
    return tuple(lengths[-missing:])
