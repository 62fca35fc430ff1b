"""Tables of a series of events: players get points for their places in the events."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from faults import Fault

MAX_PLACES: Final = 64
MAX_POINTS: Final = 1000
MAX_COUNTED_EVENTS: Final = 400
MAX_DIVISION_LENGTH: Final = 80


class PointsScale(StrEnum):
    """How points are set.

    By a list for places 1, 2, 3 …, or as the number of entries at or below each place.
    """

    LIST = "list"
    HEADS = "heads"


class SharedPlacePoints(StrEnum):
    """What entries get that share a place.

    Each gets an equal part of the points of all the places shared, or the points of the best of them.
    """

    SHARE = "share"
    BETTER = "better"


@dataclass(frozen=True, slots=True)
class PointsRule:
    """The rule by which a series gives points for places.

    ``points``: for places 1, 2, 3 …, and ``rest`` for every other place; neither applies with
    ``Scale.HEADS``. ``ties``: points for shared places. ``best``: number of events of a player that count, 0
    for all. ``division``: name of the division whose places count, ignoring case; empty for the first
    division of each event.
    """

    points: tuple[int, ...] = (10, 8, 6, 5, 4, 3, 2, 1)
    rest: int = 0
    scale: PointsScale = PointsScale.LIST
    ties: SharedPlacePoints = SharedPlacePoints.SHARE
    best: int = 0
    division: str = ""


DEFAULT_RULE: Final = PointsRule()


class EventPlace(NamedTuple):
    """A place in an event, and how many entries share the place."""

    place: int
    tied: int = 1


class EarnedPoints(NamedTuple):
    """The points of a player from one event.

    ``event_index``: which of the events, from 0; ``counts``: whether the points count in the total.
    """

    event_index: int
    place: int
    points: Fraction
    counts: bool


class SeriesStanding(NamedTuple):
    """A player's row of the table; ``who``: the player's id. Players with equal totals share the ``rank``."""

    rank: int
    who: int
    total: Fraction
    earned: tuple[EarnedPoints, ...]


def points_for_finish(rule: PointsRule, finish: EventPlace, participants: int) -> Fraction:
    """Return the points for a place in an event with so many participants.

    >>> points_for_finish(PointsRule((10, 8, 6)), EventPlace(2, tied=3), participants=9)
    Fraction(14, 3)
    """

    def at(place: int) -> int:
        if rule.scale is PointsScale.HEADS:
            return max(0, participants - place + 1)
        return rule.points[place - 1] if place <= len(rule.points) else rule.rest

    if rule.ties is SharedPlacePoints.BETTER:
        return Fraction(at(finish.place))
    return Fraction(sum(at(finish.place + offset) for offset in range(finish.tied)), finish.tied)


def points_table(
    events: Sequence[Mapping[int, EventPlace]], rule: PointsRule, excluded: Collection[int] = ()
) -> tuple[SeriesStanding, ...]:
    """Return the table of a series, most points first.

    ``events``: for each event the places, keyed by player id. ``excluded``: players who keep their places
    in events but are not listed. All members of a team have its place; the number of participants then counts
    places, not people.
    """
    results_by_player: dict[int, list[tuple[Fraction, int, int]]] = {}
    for number, evening in enumerate(events):
        participants = max((result.place + result.tied - 1 for result in evening.values()), default=0)
        for player, finish in evening.items():
            results_by_player.setdefault(player, []).append(
                (points_for_finish(rule, finish, participants), -number, finish.place)
            )
    totals = {
        player: _count_best(results, rule.best)
        for player, results in results_by_player.items()
        if player not in excluded
    }
    order = sorted(totals, key=lambda player: (-totals[player][0], player))
    return tuple(
        SeriesStanding(
            1 + sum(other > totals[player][0] for other, _earned in totals.values()), player, *totals[player]
        )
        for player in order
    )


def _count_best(
    results: list[tuple[Fraction, int, int]], best: int
) -> tuple[Fraction, tuple[EarnedPoints, ...]]:
    """Return a player's total, and the player's points from all events in order.

    ``best``: how many events count, 0 for all. Of equal points those from the earlier event count.
    """
    counted = set(sorted(results, reverse=True)[: best or None])
    rows = [
        EarnedPoints(-number, place, points, (points, number, place) in counted)
        for points, number, place in results
    ]
    total = sum((row.points for row in rows if row.counts), Fraction(0))
    return total, tuple(sorted(rows))


def check_rule(rule: PointsRule) -> list[Fault]:
    """Return all errors of a points rule, each at the name of its field; empty if the rule is valid."""
    faults = []
    if rule.scale is PointsScale.LIST and not 1 <= len(rule.points) <= MAX_PLACES:
        faults.append(Fault("series.points_none", "points", {"limit": MAX_PLACES}))
    if any(not 0 <= points <= MAX_POINTS for points in rule.points):
        faults.append(Fault("series.points_odd", "points", {"limit": MAX_POINTS}))
    elif list(rule.points) != sorted(rule.points, reverse=True):
        faults.append(Fault("series.points_rise", "points"))
    if not 0 <= rule.rest <= MAX_POINTS:
        faults.append(Fault("series.points_odd", "rest", {"limit": MAX_POINTS}))
    elif rule.scale is PointsScale.LIST and rule.points and rule.rest > min(rule.points):
        faults.append(Fault("series.points_rise", "rest"))
    if not 0 <= rule.best <= MAX_COUNTED_EVENTS:
        faults.append(Fault("series.best_odd", "best", {"limit": MAX_COUNTED_EVENTS}))
    if len(rule.division) > MAX_DIVISION_LENGTH:
        faults.append(Fault("series.division_long", "division", {"limit": MAX_DIVISION_LENGTH}))
    return faults
