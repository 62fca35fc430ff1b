"""A table by the points that places of several evenings are worth. What a place is worth is data: a `PointsRule`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from faults import Fault

MOST_PLACES: Final = 64
MOST_POINTS: Final = 1000
MOST_COUNTED: Final = 400
DIVISION_LIMIT: Final = 80


class Scale(StrEnum):
    """How points are set: by a list of places, or for each place the number of entries at or below it."""

    LIST = "list"
    HEADS = "heads"


class Sharing(StrEnum):
    """What players at a shared place get: the points of all its places, divided equally; or each the points of the best of them."""

    SHARE = "share"
    BETTER = "better"


@dataclass(frozen=True, slots=True)
class PointsRule:
    """``points`` for places 1, 2, 3 …, and ``rest`` for every other place; neither applies with ``Scale.HEADS``.
    ``best``: number of events of a player that count, 0 for all. ``division``: name of the division whose places
    count, ignoring case; empty for the first division of each event.
    """

    points: tuple[int, ...] = (10, 8, 6, 5, 4, 3, 2, 1)
    rest: int = 0
    scale: Scale = Scale.LIST
    ties: Sharing = Sharing.SHARE
    best: int = 0
    division: str = ""


USUAL_RULE: Final = PointsRule()


class Finish(NamedTuple):
    """A place, and how many share it."""

    place: int
    tied: int = 1


class Earned(NamedTuple):
    """What somebody has from one evening, which is named by its number among all of them, from 0."""

    evening: int
    place: int
    points: Fraction
    counts: bool


class SeriesRow(NamedTuple):
    """Somebody in the table. Who has as many points shares the ``rank``."""

    rank: int
    who: int
    total: Fraction
    earned: tuple[Earned, ...]


def worth(rule: PointsRule, finish: Finish, heads: int) -> Fraction:
    """What a place is worth where ``heads`` took part.

    >>> worth(PointsRule((10, 8, 6)), Finish(2, tied=3), heads=9)
    Fraction(14, 3)
    """

    def at(place: int) -> int:
        if rule.scale is Scale.HEADS:
            return max(0, heads - place + 1)
        return rule.points[place - 1] if place <= len(rule.points) else rule.rest

    if rule.ties is Sharing.BETTER:
        return Fraction(at(finish.place))
    return Fraction(sum(at(finish.place + more) for more in range(finish.tied)), finish.tied)


def points_table(
    evenings: Sequence[Mapping[int, Finish]], rule: PointsRule, left_out: Collection[int] = ()
) -> tuple[SeriesRow, ...]:
    """Everybody's points of all ``evenings``, most points first. Who is ``left_out`` takes their places of evenings, but none in the table.

    Of an evening on which a team took part everybody in it has the team's place; ``heads`` are places then, not people.
    """
    found: dict[int, list[tuple[Fraction, int, int]]] = {}
    for number, evening in enumerate(evenings):
        heads = max((one.place + one.tied - 1 for one in evening.values()), default=0)
        for who, finish in evening.items():
            found.setdefault(who, []).append((worth(rule, finish, heads), -number, finish.place))
    totals = {who: _earned(all_of, rule.best) for who, all_of in found.items() if who not in left_out}
    order = sorted(totals, key=lambda who: (-totals[who][0], who))
    return tuple(
        SeriesRow(1 + sum(other > totals[who][0] for other, _earned in totals.values()), who, *totals[who])
        for who in order
    )


def _earned(all_of: list[tuple[Fraction, int, int]], best: int) -> tuple[Fraction, tuple[Earned, ...]]:
    """The sum of what counts, and all of it in the order of evenings. Of the same points the earlier evening counts."""
    counted = set(sorted(all_of, reverse=True)[: best or None])
    rows = [
        Earned(-number, place, points, (points, number, place) in counted) for points, number, place in all_of
    ]
    total = sum((one.points for one in rows if one.counts), Fraction(0))
    return total, tuple(sorted(rows))


def rule_faults(rule: PointsRule) -> list[Fault]:
    """Everything that is wrong with a rule, at the names of its fields."""
    faults = []
    if rule.scale is Scale.LIST and not 1 <= len(rule.points) <= MOST_PLACES:
        faults.append(Fault("series.points_none", "points", {"limit": MOST_PLACES}))
    if any(not 0 <= one <= MOST_POINTS for one in rule.points):
        faults.append(Fault("series.points_odd", "points", {"limit": MOST_POINTS}))
    elif list(rule.points) != sorted(rule.points, reverse=True):
        faults.append(Fault("series.points_rise", "points"))
    if not 0 <= rule.rest <= MOST_POINTS:
        faults.append(Fault("series.points_odd", "rest", {"limit": MOST_POINTS}))
    elif rule.scale is Scale.LIST and rule.points and rule.rest > min(rule.points):
        faults.append(Fault("series.points_rise", "rest"))
    if not 0 <= rule.best <= MOST_COUNTED:
        faults.append(Fault("series.best_odd", "best", {"limit": MOST_COUNTED}))
    if len(rule.division) > DIVISION_LIMIT:
        faults.append(Fault("series.division_long", "division", {"limit": DIVISION_LIMIT}))
    return faults
