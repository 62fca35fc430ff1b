"""Master points of match wins and of places: they are only ever earned. PURE.

Source: USBGF Master Points System, Richard Munitz and Joe Russell, effective May 2015
(http://usbgf.org/usbgf-master-point-system/). We follow the published formulas; no compatibility with the federation's
own books is claimed.

    match win = event weight · division weight · √n / 3
    place     = event weight · division weight · log2(players) · rank factor
    division weight 1, 0.7, 0.5 for the first, second, third and lower divisions
    rank factor 1, 0.7, then 1 / (rank - 1); players who share a place share its and the next places' factors equally
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rating.formulas.base import Meeting, Rate, System, Working

HEAVIEST_EVENT = 10  # what a director may give; a main event of USBGF's tour weighs 1
DIVISION_WEIGHTS = (1.0, 0.7, 0.5)
_STRETCHES = [math.sqrt(n) / 3.0 for n in range(100)]


def division_weight(rank: int) -> float:
    """The weight of the first, second, or a lower division."""
    if rank < 1:
        raise ValueError("divisions are counted from 1")
    return DIVISION_WEIGHTS[min(rank, len(DIVISION_WEIGHTS)) - 1]


def rank_factor(place: int) -> float:
    """What one place alone is worth."""
    if place < 1:
        raise ValueError("places are counted from 1")
    return (1.0, 0.7)[place - 1] if place <= 2 else 1.0 / (place - 1)


def shared_factor(place: int, tied: int) -> float:
    """The factor of each of ``tied`` players who share ``place`` and the places after it."""
    if tied < 1:
        raise ValueError("at least one player has a place")
    return sum(rank_factor(place + i) for i in range(tied)) / tied


def place_points(*, place: int, tied: int, field: int, weight: float) -> float:
    """Points of a place among ``field`` players; ``weight`` is event weight times division weight.

    The winner of 16, and each of two who share the third place:

    >>> round(place_points(place=1, tied=1, field=16, weight=1.0), 2)
    4.0
    >>> round(place_points(place=3, tied=2, field=16, weight=1.0), 2)
    1.67
    """
    if field < 2 or place + tied - 1 > field:
        raise ValueError("the place must lie inside the field")
    return weight * math.log2(field) * shared_factor(place, tied)


@dataclass(frozen=True, slots=True)
class PlacePay:
    """Places from ``first`` to ``last``: what the best and the last of them bring alone, and what each brings if all are shared."""

    first: int
    last: int
    best: float
    least: float
    shared: float


def place_table(field: int, weight: float) -> list[PlacePay]:
    """What all places among ``field`` players bring: 1, 2, 3–4, 5–8 and so on, as a knock-out shares them."""
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
                best=place_points(place=first, tied=1, field=field, weight=weight),
                least=place_points(place=end, tied=1, field=field, weight=weight),
                shared=place_points(place=first, tied=end - first + 1, field=field, weight=weight),
            )
        )
        first, last = last + 1, last * 2
    return rows


def match_points(length: int, weight: float) -> float:
    """Points of winning one match to ``length`` points."""
    return weight * _STRETCHES[length]


def _rate(_parameters: Mapping[str, Any]) -> Rate:
    def rate(_w: float, _we: int, _lo: float, _le: int, length: int, weight: float) -> tuple[float, float]:
        return match_points(length, weight), 0.0

    return rate


def _work(_parameters: Mapping[str, Any], m: Meeting) -> Working:
    return Working(
        meeting=m,
        difference=m.difference,
        stretch=_STRETCHES[m.length],
        expected=None,
        winner_k=None,
        loser_k=None,
        winner_change=match_points(m.length, m.weight),
        loser_change=0.0,
    )


MASTER = System(
    code="master",
    source="USBGF Master Points System, R. Munitz and J. Russell, May 2015; http://usbgf.org/usbgf-master-point-system/",
    parameters=(),
    start=0.0,
    weighted=True,
    rate=_rate,
    work=_work,
)
