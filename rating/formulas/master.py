"""Master points for match wins and places, which are only ever earned. PURE.

Two editions of one text, Richard Munitz and Joe Russell, USBGF Master Points System:

- effective May 2015, http://usbgf.org/usbgf-master-point-system/
- effective January 2019, https://usbgf.org/how-points-are-calculated/how-usbgf-master-points-are-calculated/,
  which pays
  0.6 of what the first one pays for places ("Rank Points = 0.6 * Event Size Factor * Player's Rank Factor")
  and the same
  for matches

This follows the published formulas; no compatibility with the federation's own books is claimed.

    match win = event weight · division weight · √n / 3
    place     = event weight · division weight · share · log2(players) · rank factor        share 1 (2015) or
    0.6 (2019)
    division weight 1, 0.7, 0.5 for the first, second, third and lower divisions
    rank factor 1, 0.7, then 1 / (rank - 1); players who share a place share its and the next places' factors
    equally
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from rating.formulas.base import ChangeCalculation, PlaceRate, Rate, RatedMatch, System
from rating.formulas.places import check_place

MAX_EVENT_WEIGHT = 10  # the largest a director may set; a main event of USBGF's tour has 1
DIVISION_WEIGHTS = (1.0, 0.7, 0.5)
SHARE_2015 = 1.0
SHARE_2019 = 0.6
_STRETCHES = [math.sqrt(n) / 3.0 for n in range(100)]


def division_weight(rank: int) -> float:
    """Return the weight of a division; ``rank`` is 1 for the event's first division.

    Raises ``ValueError`` below 1.
    """
    if rank < 1:
        raise ValueError("divisions are counted from 1")
    return DIVISION_WEIGHTS[min(rank, len(DIVISION_WEIGHTS)) - 1]


def rank_factor(place: int) -> float:
    """Return the factor of a final place that one player has alone. Raises ``ValueError`` below 1."""
    if place < 1:
        raise ValueError("places are counted from 1")
    return (1.0, 0.7)[place - 1] if place <= 2 else 1.0 / (place - 1)


def shared_factor(place: int, tied: int) -> float:
    """Return the factor of each of ``tied`` players who share ``place`` and the places after it.

    Raises ``ValueError`` if ``tied`` is below 1.
    """
    if tied < 1:
        raise ValueError("at least one player has a place")
    return sum(rank_factor(place + i) for i in range(tied)) / tied


def place_points(*, place: int, tied: int, field: int, weight: float, share: float = SHARE_2015) -> float:
    """Return the points of each of ``tied`` players who share ``place`` among ``field`` players.

    ``weight``: event weight times division weight; ``share``: the factor of the edition. The winner of 16,
    and each of two who share the third place, in 2015; and the winner since 2019:

    >>> round(place_points(place=1, tied=1, field=16, weight=1.0), 2)
    4.0
    >>> round(place_points(place=3, tied=2, field=16, weight=1.0), 2)
    1.67
    >>> round(place_points(place=1, tied=1, field=16, weight=1.0, share=SHARE_2019), 2)
    2.4
    """
    check_place(place, tied, field)
    # With the first edition's share the result is bit for bit that of earlier releases.
    return weight * share * math.log2(field) * shared_factor(place, tied)


def match_points(length: int, weight: float) -> float:
    """Return the points for winning a match of this length.

    ``weight``: event weight times division weight.
    """
    return weight * _STRETCHES[length]


def _rate(_parameters: Mapping[str, Any]) -> Rate:
    def rate(_w: float, _we: int, _lo: float, _le: int, length: int, weight: float) -> tuple[float, float]:
        return match_points(length, weight), 0.0

    return rate


def _work(_parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return ChangeCalculation(
        meeting=meeting,
        difference=meeting.difference,
        stretch=_STRETCHES[meeting.length],
        expected=None,
        winner_k=None,
        loser_k=None,
        winner_change=match_points(meeting.length, meeting.weight),
        loser_change=0.0,
    )


def _place(share: float, _parameters: Mapping[str, Any]) -> PlaceRate:
    def rate(place: int, tied: int, field: int, weight: float) -> float:
        return place_points(place=place, tied=tied, field=field, weight=weight, share=share)

    return rate


def edition_share(system: str) -> float:
    """Return the factor by which an edition multiplies points of places: 1 for 2015, 0.6 for 2019."""
    return SHARE_2015 if system == MASTER.code else SHARE_2019


MASTER = System(
    code="master",
    source="USBGF Master Points System, R. Munitz and J. Russell, May 2015; http://usbgf.org/usbgf-master-point-system/",
    parameters=(),
    start=0.0,
    is_points_system=True,
    rate=_rate,
    work=_work,
    place=partial(_place, SHARE_2015),
)

MASTER_2019 = System(
    code="master_2019",
    source=(
        "How USBGF Master Points are Calculated, R. Munitz and J. Russell, January 2019;"
        " https://usbgf.org/how-points-are-calculated/how-usbgf-master-points-are-calculated/"
    ),
    parameters=(),
    start=0.0,
    is_points_system=True,
    rate=_rate,
    work=_work,
    place=partial(_place, SHARE_2019),
)
