"""Points of final places, for any rating system that has them. PURE."""

from dataclasses import dataclass

from rating.formulas.base import PlaceRate


@dataclass(frozen=True, slots=True)
class PlacePay:
    """The points of the places from ``first`` to ``last``.

    ``best`` and ``least``: the points of the first and the last of these places; ``shared``: the points of
    each player if all of these places are shared.
    """

    first: int
    last: int
    best: float
    least: float
    shared: float


def check_place(place: int, tied: int, field: int) -> None:
    """Raise ``ValueError`` if ``tied`` players cannot share ``place`` among ``field`` players."""
    if place < 1:
        raise ValueError("places are counted from 1")
    if tied < 1:
        raise ValueError("at least one player has a place")
    if field < 2 or place + tied - 1 > field:
        raise ValueError("the place must lie inside the field")


def place_pay_table(rate: PlaceRate, field: int, weight: float) -> list[PlacePay]:
    """Return the points of all places among ``field`` players, grouped 1, 2, 3–4, 5–8 … as in a knockout.

    Raises ``ValueError`` for fewer than two players.
    """
    if field < 2:
        raise ValueError("a field has two players or more")
    rows = []
    first, last = 1, 1
    while first <= field:
        end = min(last, field)
        rows.append(
            PlacePay(
                first=first,
                last=end,
                best=rate(first, 1, field, weight),
                least=rate(end, 1, field, weight),
                shared=rate(first, end - first + 1, field, weight),
            )
        )
        first, last = last + 1, last * 2
    return rows
