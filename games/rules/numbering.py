"""The numberings of points in use (rule R5), each named by side and direction, with conversion both ways.

All other modules of the rules use own numbering: 24 down to 1, bar 25, off 0. These are the labels used by
people and files. The label of the bar and that of off are the same in all numberings: `bar`, `off`.
"""

from __future__ import annotations

from enum import StrEnum

from games.rules.errors import RuleError
from games.rules.position import BAR, OFF
from games.rules.sides import Side

POINTS = BAR - 1
HALF_BOARD = POINTS // 2


class Numbering(StrEnum):
    """How points are numbered for each side.

    `OWN`: each side its own, 24 to 1 (sheets B C). `WHITE_UP`: fixed 1 to 24, White moves up from 1, Black
    down from 24 (D). `BLACK_UP`: fixed, Black, called Orange there, moves up and White down (E).
    `WHITE_FROM_1A`: White moves 1A to 12A, then 12 to 1, Black the other way (A). `BLACK_FROM_1A`: the same
    board with the colours exchanged.
    """

    OWN = "own"
    WHITE_UP = "white_up"
    BLACK_UP = "black_up"
    WHITE_FROM_1A = "white_from_1a"
    BLACK_FROM_1A = "black_from_1a"


_UPWARDS = {Numbering.WHITE_UP: Side.WHITE, Numbering.BLACK_UP: Side.BLACK}
_FROM_1A = {Numbering.WHITE_FROM_1A: Side.WHITE, Numbering.BLACK_FROM_1A: Side.BLACK}


def label(numbering: Numbering, side: Side, place: int) -> str:
    """Return the label in this numbering of a place, which is in `side`'s own numbering (rule R5).

    >>> [label(numbering, Side.WHITE, 24) for numbering in (Numbering.OWN, Numbering.WHITE_UP, Numbering.WHITE_FROM_1A)]
    ['24', '1', '1A']
    """
    if place == BAR:
        return "bar"
    if place == OFF:
        return "off"
    if not 0 < place < BAR:
        raise RuleError("numbering.no_such_point", "R5", place=place)
    if numbering in _FROM_1A:
        from_1a = place if _FROM_1A[numbering] is side else BAR - place
        return str(from_1a) if from_1a <= HALF_BOARD else f"{BAR - from_1a}A"
    return str(BAR - place if _UPWARDS.get(numbering) is side else place)


_PLACES = {
    (numbering, side): {label(numbering, side, place).upper(): place for place in range(BAR + 1)}
    for numbering in Numbering
    for side in Side
}


def point_from_label(numbering: Numbering, side: Side, text: str) -> int:
    """Return the place in `side`'s own numbering that has this label. Raises `RuleError`.

    Letters may be upper or lower case.
    """
    try:
        return _PLACES[numbering, side][text.strip().upper()]
    except KeyError:
        raise RuleError("numbering.no_such_label", "R5", numbering=numbering, label=text) from None


def labels(numbering: Numbering, side: Side) -> tuple[str, ...]:
    """Return the labels of `side`'s own points 1 to 24, to be written round a board."""
    return tuple(label(numbering, side, point) for point in range(1, BAR))
