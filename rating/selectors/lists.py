"""Rating lists, their versions for ETags, and ranks on them."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Case, IntegerField, QuerySet, When
from django.utils import timezone

from faults import Missing
from people.caching import get_or_compute
from people.models import Restriction
from people.rows import one_or_none
from people.versions import NAMES, versions_of
from people.zones import club_zone
from rating.formulas import get_system
from rating.models import Generation, GenerationState, Pending, RatingList, Standing
from rating.selectors.ranking import VISIBLE_PLAYERS, CurrentRules, current_rules
from rating.store.reading import list_ids_counting

MAX_PAST_GENERATIONS = 5
MAX_NEARBY_RANKS = 400  # ratings read for the ranks of a page


def list_by_public_id(public_id: str) -> RatingList:
    rating_list = one_or_none(
        RatingList.objects.select_related("club", "generation").filter(public_id=public_id)
    )
    if rating_list is None:
        raise Missing("rating.list_unknown")
    return rating_list


def club_lists(club_id: int, *, archived: bool = False) -> list[RatingList]:
    """Return the rating lists of a club, its main list first.

    With ``archived`` also archived and hidden ones.
    """
    lists = RatingList.objects.exclude(shut=Restriction.REMOVED) if archived else RatingList.objects.public()
    return list(
        lists.filter(club_id=club_id).select_related("club", "generation").order_by("-is_main", "name", "pk")
    )


def public_lists() -> QuerySet[RatingList]:
    """Return every public list, sorted by the name of its club; each club's main list comes first."""
    return RatingList.objects.public().select_related("club").order_by("club__name", "-is_main", "name", "pk")


def site_list() -> RatingList | None:
    """Return the list for the front page: the main list of the only club without a parent club.

    None if there are several such lists, or if its numbers are points that are only earned.
    """
    main_lists = RatingList.objects.public().filter(is_main=True, club__parent=None)
    top_lists = list(main_lists.select_related("club", "generation").order_by("pk")[:2])
    return top_lists[0] if len(top_lists) == 1 and not is_weighted(top_lists[0]) else None


def is_weighted(rating_list: RatingList) -> bool:
    """Return whether the list's numbers are points for matches and places that are never lost."""
    return get_system(rating_list.system).is_points_system


def list_versions(
    *,
    club_id: int | None = None,
    player_id: int | None = None,
    public_ids: Iterable[str] | None = None,
) -> str:
    """Return the ids and versions of rating lists as one string, for ETags.

    ``club_id``: only lists that count this club; ``player_id``: only lists on which this player has a rating;
    ``public_ids``: only these lists.
    """
    lists = RatingList.objects.all()
    if club_id is not None:
        lists = lists.filter(pk__in=list_ids_counting(club_id))
    if player_id is not None:
        generations = Standing.objects.filter(player_id=player_id).values("generation_id")
        lists = lists.filter(generation_id__in=generations)
    if public_ids is not None:
        lists = lists.filter(public_id__in=list(public_ids))
    rows = lists.order_by("pk").values_list("pk", "version", "active_months", "club_id", "club__timezone")
    now = timezone.now()
    parts = []
    for pk, version, months, club, zone in rows:
        # Where ranks require recent play, they change with the day alone: that of the list's zone.
        today = f".{now.astimezone(club_zone(club, zone)):%j}" if months else ""
        parts.append(f"{pk}.{version}{today}")
    return ",".join(parts)


def ratings_for(player_ids: Iterable[int], list_id: int) -> dict[int, float]:
    """Return the present ratings of these players on one list, keyed by player id.

    Players without a rating are left out.
    """
    generation = RatingList.objects.filter(pk=list_id).values("generation_id")
    return dict(
        Standing.objects.filter(generation_id__in=generation, player_id__in=list(player_ids)).values_list(
            "player_id", "rating"
        )
    )


@dataclass(frozen=True, slots=True)
class ComputationStatus:
    """The progress of a list's computation.

    ``running_rebuild``: the running rebuild, or None; ``waiting``: the number of facts not yet rated;
    ``past_generations``: the current and former generations, newest first.
    """

    running_rebuild: Generation | None
    waiting: int
    past_generations: tuple[Generation, ...]


def list_computation(rating_list: RatingList) -> ComputationStatus:
    """Return the progress of the list's computation; three queries."""
    generations = Generation.objects.filter(rating_list=rating_list)
    return ComputationStatus(
        running_rebuild=generations.filter(state=GenerationState.BUILDING).first(),
        waiting=Pending.objects.filter(rating_list=rating_list, applied=False).count(),
        past_generations=tuple(generations.exclude(state=GenerationState.BUILDING)[:MAX_PAST_GENERATIONS]),
    )


class RankLookup(Protocol):
    """An object that returns the rank of a rating on a list."""

    def of(self, rating: float) -> int: ...


class ListRanks:
    """All ranked ratings of a list. The rank of a rating is one more than the number of better ratings.

    ``order``: the ids of all visible ``Standing`` rows as on a page of the list: the ranked players, then the
    others, each best first.
    """

    def __init__(self, rating_list: RatingList, rules: CurrentRules | None = None) -> None:
        rules = rules or current_rules(rating_list)

        def ordered() -> "tuple[array[float], array[int]]":
            rows = list(
                Standing.objects.on(rating_list)
                .filter(VISIBLE_PLAYERS)
                .annotate(ranked=Case(When(rules.ranked(), then=1), default=0, output_field=IntegerField()))
                .order_by("-rating", "player__name", "pk")
                .values_list("rating", "pk", "ranked")
            )
            ratings = array("d", [rating for rating, _pk, ranked in reversed(rows) if ranked])
            rows.sort(key=lambda row: -row[2])  # stable: keeps the order of both parts
            return ratings, array("q", [pk for _rating, pk, _ranked in rows])

        # The versions of names cover visibility and home clubs, too.
        parts = [rating_list.public_id, rating_list.version, versions_of([NAMES]), rules.stamp]
        self.ratings, self.order = get_or_compute("ranks", parts, 600, ordered)

    def __len__(self) -> int:
        return len(self.ratings)

    def of(self, rating: float) -> int:
        return len(self.ratings) - bisect_right(self.ratings, rating) + 1


@dataclass(frozen=True, slots=True)
class NearbyRanks:
    """The ranks of a range of ratings.

    ``better_count``: how many are better; ``ratings``: the ranked ones, in rising order.
    """

    better_count: int
    ratings: tuple[float, ...]

    def of(self, rating: float) -> int:
        return self.better_count + len(self.ratings) - bisect_right(self.ratings, rating) + 1


def rank_lookup(
    rating_list: RatingList, ratings: Collection[float], rules: CurrentRules | None = None
) -> RankLookup:
    """Return an object that gives the ranks of these ratings.

    If the ratings are close together, as on a page in list order, only that part of the list is read.
    """
    if not ratings:
        return NearbyRanks(0, ())
    rules = rules or current_rules(rating_list)
    best, least = max(ratings), min(ratings)
    nearby = (
        _ranked_standings(rating_list, rules).filter(rating__lte=best, rating__gte=least).order_by("-rating")
    )
    nearby_ratings = list(nearby.values_list("rating", flat=True)[: MAX_NEARBY_RANKS + 1])
    if len(nearby_ratings) > MAX_NEARBY_RANKS:  # from all over the list, in another order
        return ListRanks(rating_list, rules)
    higher_count = _ranked_standings(rating_list, rules).filter(rating__gt=best).count()
    return NearbyRanks(higher_count, tuple(reversed(nearby_ratings)))


def _ranked_standings(rating_list: RatingList, rules: CurrentRules) -> QuerySet[Standing]:
    return Standing.objects.on(rating_list).filter(VISIBLE_PLAYERS, rules.ranked())
