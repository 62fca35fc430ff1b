"""Points by grade, field and place: for federations that reward final places only. PURE.

    place = grade · N^a · ((N + 1 - p) / N)^b

N: players in the field, p: the place; who share places share their points equally. The grade is the event's
weight (times its division's): a federation that grades events by entry fee gives each event the grade of its
fee there. ``a`` sets the value of a larger field, ``b`` how steeply points fall with the place; every player
with a place receives points.

The world ranking of the WBGF (BWR) is known to be built of these three: "all participants of any qualifying
event receive points", the points to be had follow "the entry fee (which feeds into a multiplication factor or
'Total Grade' determination) and the number of entries in the field", given "in order of numerical finishing
position" (overview of December 2019, http://backgammon.it/viewtopic.php?f=2&t=3783&start=30;
https://results.wbgf.info/about). Its numbers were not found in any published text, so the form and the
numbers here are ours, and no compatibility with the WBGF's ranking is claimed.
"""

from collections.abc import Mapping
from typing import Any

from rating.formulas.base import (
    ChangeCalculation,
    Parameter,
    ParameterKind,
    PlaceRate,
    Rate,
    RatedMatch,
    System,
)
from rating.formulas.places import check_place


def graded_points(
    *, place: int, tied: int, field: int, grade: float, size: float = 1.0, fall: float = 1.0
) -> float:
    """Return the points of each of ``tied`` players who share ``place`` among ``field`` players.

    ``grade``: the event's weight times its division's. ``size`` and ``fall``: the exponents a and b of the
    formula.

    The winner and the last of 32 in an event of grade 2, and two who share the third place:

    >>> graded_points(place=1, tied=1, field=32, grade=2.0)
    64.0
    >>> graded_points(place=32, tied=1, field=32, grade=2.0)
    2.0
    >>> graded_points(place=3, tied=2, field=32, grade=2.0)
    59.0
    """
    check_place(place, tied, field)
    field_factor: float = float(field) ** size
    return grade * field_factor * place_share(place, tied, field, fall)


def place_share(place: int, tied: int, field: int, fall: float) -> float:
    """Return the points of each of ``tied`` players who share ``place``, as a fraction of the winner's."""
    total: float = sum(
        ((field + 1 - shared_place) / field) ** fall for shared_place in range(place, place + tied)
    )
    return total / tied


def _place(parameters: Mapping[str, Any]) -> PlaceRate:
    def rate(place: int, tied: int, field: int, weight: float) -> float:
        return graded_points(
            place=place,
            tied=tied,
            field=field,
            grade=weight,
            size=parameters["size"],
            fall=parameters["fall"],
        )

    return rate


def _rate(_parameters: Mapping[str, Any]) -> Rate:
    def rate(_w: float, _we: int, _lo: float, _le: int, _length: int, _weight: float) -> tuple[float, float]:
        return 0.0, 0.0

    return rate


def _work(_parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return ChangeCalculation(
        meeting=meeting,
        difference=meeting.difference,
        stretch=0.0,
        expected=None,
        winner_k=None,
        loser_k=None,
        winner_change=0.0,
        loser_change=0.0,
    )


GRADED = System(
    code="graded",
    source=(
        "Points by grade, field and place, with numbers of one's own. The WBGF's world ranking is built of the same three"
        " (https://results.wbgf.info/about); its formula was not found published."
    ),
    parameters=(
        Parameter("size", ParameterKind.NUMBER, 1.0, low=0.0, high=2.0),
        Parameter("fall", ParameterKind.NUMBER, 1.0, low=0.0, high=10.0),
    ),
    start=0.0,
    is_points_system=True,
    rate=_rate,
    work=_work,
    place=_place,
)
