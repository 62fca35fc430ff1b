"""Master points that a match or a final place would earn; they do not depend on present points.

Who shares a place is known only when an event is over: so each place is shown on its own, and shared by all
places of its group, as in a knockout.
"""

from dataclasses import dataclass
from datetime import date

from rating.formulas.master import division_weight
from rating.formulas.places import PlacePay, place_pay_table
from rating.formulas.registry import SYSTEMS
from rating.models import RatingList
from rating.selectors.rules import points_rule
from rating.selectors.shown import delta_text, number_text
from rating.store.reading import list_ids_counting

POINTS_SYSTEMS = [code for code, system in SYSTEMS.items() if system.is_points_system]


@dataclass(frozen=True, slots=True)
class PlaceAtStake:
    """A group of places such as 3–4, with the points for them as texts."""

    pay: PlacePay

    @property
    def place_text(self) -> str:
        """Return the places of the group as text: “1” or “3–4”."""
        return str(self.pay.first) if self.pay.first == self.pay.last else f"{self.pay.first}–{self.pay.last}"

    @property
    def alone_text(self) -> str:
        """Return the points if nobody shares a place, from the first to the last place of the group."""
        bounds = [number_text(self.pay.best)]
        if self.pay.last > self.pay.first:
            bounds.append(number_text(self.pay.least))
        return "–".join(bounds)

    @property
    def shared_text(self) -> str:
        """Return the points of each player if all places of the group are shared; "" for a single place."""
        return number_text(self.pay.shared) if self.pay.last > self.pay.first else ""


@dataclass(frozen=True, slots=True)
class PointsAtStake:
    """The master points of a match win and of places; ``weight``: the event's weight times its division's."""

    length: int
    weight: float
    win: float
    field: int | None
    places: list[PlaceAtStake]

    @property
    def win_text(self) -> str:
        return delta_text(self.win)


def points_at_stake(
    rating_list: RatingList,
    *,
    length: int,
    event_weight: float = 1.0,
    division_rank: int = 1,
    field: int | None = None,
) -> PointsAtStake:
    """Return the points for winning a match to ``length``, and for places among ``field`` players if given.

    The rule is that of the list's present numbers: after a change of rule the former one, until the rebuild
    is done. Raises ``TypeError`` for a list without points.
    """
    rule = points_rule(rating_list)
    system, parameters = rule.system, rule.parameters
    place_rate, rate = system.place_rate_for(parameters), system.rate
    if place_rate is None or rate is None:
        raise TypeError(f"{system.code} pays no points")
    weight = event_weight * division_weight(division_rank)
    rows = place_pay_table(place_rate, field, weight) if field is not None else []
    return PointsAtStake(
        length=length,
        weight=weight,
        win=rate(parameters)(0.0, 0, 0.0, 0, length, weight)[0],
        field=field,
        places=[PlaceAtStake(row) for row in rows],
    )


def points_list_for(club_id: int, *, event_key: str, begins: date, ends: date) -> RatingList | None:
    """Return a public list of master points that counts an event of the club, or None.

    A list of the club itself comes before a federation's. ``begins`` and ``ends``: the event's dates. One
    query where the site has no such list.
    """
    lists = list(RatingList.objects.public().filter(system__in=POINTS_SYSTEMS).order_by("pk"))
    if not lists:
        return None
    counting = set(list_ids_counting(club_id))
    matching_lists = [
        rating_list
        for rating_list in lists
        if rating_list.pk in counting
        and (not rating_list.events or event_key in rating_list.events)
        and (rating_list.counts_from is None or rating_list.counts_from <= ends)
        and (rating_list.counts_until is None or rating_list.counts_until >= begins)
    ]
    return min(matching_lists, key=lambda rating_list: rating_list.club_id != club_id, default=None)
