"""The leaderboard of a list: filters, order, pages of rows ready to be shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from names.folding import search_key
from people.models import Club, Player
from people.pages import OpenPage
from rating.models import RatingList, Standing
from rating.selectors.lists import Ranked, Ranks, ranks_of
from rating.selectors.shown import Name, Uncertain, is_provisional, rating_text
from rating.store.moments import moment_of, time_of

PER_PAGE = 100

ORDERS: dict[str, tuple[str, ...]] = {
    "rating": ("-rating", "player__name"),
    "name": ("player__name", "-rating"),
    "experience": ("-experience", "-rating"),
    "matches": ("-matches", "-rating"),
    "wins": ("-wins", "-rating"),
    "last": ("-moment", "-rating"),
}


@dataclass(frozen=True, slots=True)
class Filters:
    """What a visitor asked to see."""

    club: str = ""
    active_since: date | None = None
    minimum_experience: int = 0
    search: str = ""
    order: str = "rating"
    ranked_only: bool = False


@dataclass(frozen=True, slots=True)
class LeaderRow(Uncertain):
    """One line: words for the page, made when they are asked for, numbers beside them for exports."""

    rank: int | None
    player: Name
    club: str
    country: str
    rating: float
    deviation: float | None
    experience: int
    matches: int
    wins: int
    win_percent: int | None
    provisional: bool
    last_played: datetime
    list_id: str

    @property
    def rating_text(self) -> str:
        return rating_text(self.rating)

    @property
    def last_played_text(self) -> str:
        return date_format(timezone.localtime(self.last_played), "SHORT_DATE_FORMAT")

    @property
    def url(self) -> str:
        return self.player.url(self.list_id)


def _standings(rating_list: RatingList, filters: Filters) -> QuerySet[Standing]:
    found = Standing.objects.on(rating_list).filter(player__listed=True, player__merged_into=None)
    if filters.club:
        found = found.filter(player__home_club__public_id=filters.club)
    if filters.active_since:
        start = datetime.combine(filters.active_since, time(), tzinfo=timezone.get_current_timezone())
        found = found.filter(moment__gte=moment_of(start))
    if filters.minimum_experience:
        found = found.filter(experience__gte=filters.minimum_experience)
    if filters.ranked_only:
        found = found.filter(matches__gte=rating_list.minimum_matches)
    for word in search_key(filters.search).split():
        found = found.filter(player__search_name__contains=word)
    order = ORDERS.get(filters.order, ORDERS["rating"])
    return found.order_by(*order, "pk")


def _values(standings: QuerySet[Standing]) -> QuerySet[Standing, Any]:
    return standings.values(
        "rating",
        "deviation",
        "experience",
        "matches",
        "wins",
        "moment",
        name=F("player__name"),
        public_id=F("player__public_id"),
        country=F("player__country"),
        club=F("player__home_club__name"),
    )


def _row(rating_list: RatingList, ranks: Ranked, v: dict[str, Any]) -> LeaderRow:
    last = time_of(v["moment"])
    player = Name(v["name"], v["public_id"])
    return LeaderRow(
        rank=ranks.of(v["rating"]) if v["matches"] >= rating_list.minimum_matches else None,
        player=player,
        club=v["club"] or "",
        country=v["country"],
        rating=v["rating"],
        deviation=v["deviation"],
        experience=v["experience"],
        matches=v["matches"],
        wins=v["wins"],
        win_percent=round(100 * v["wins"] / v["matches"]) if v["matches"] else None,
        provisional=is_provisional(rating_list, v["experience"]),
        last_played=last,
        list_id=rating_list.public_id,
    )


class LeaderRows(Sequence[LeaderRow]):
    """The whole list, to be counted and cut into pages; only what is cut out is read."""

    def __init__(self, rating_list: RatingList, filters: Filters) -> None:
        self._list, self._found = rating_list, _values(_standings(rating_list, filters))

    def __len__(self) -> int:
        return self._found.count()

    def __getitem__(self, part: Any) -> Any:
        found = list(self._found[part])
        ranks = ranks_of(self._list, [values["rating"] for values in found])
        return [_row(self._list, ranks, values) for values in found]


def leaderboard(rating_list: RatingList, filters: Filters, page: int | str = 1) -> OpenPage[LeaderRow]:
    """One page of the list; the last one where there is no such page. Nobody counts how many there are."""
    return OpenPage.of(LeaderRows(rating_list, filters), page, PER_PAGE)


def all_rows(rating_list: RatingList, filters: Filters) -> Iterator[LeaderRow]:
    """Every row, for exports. Asked now, read later: the time zone of the filters is the present one."""
    ranks = Ranks(rating_list)
    found = _values(_standings(rating_list, filters))
    return (_row(rating_list, ranks, values) for values in found.iterator(chunk_size=2000))


def clubs_on(rating_list: RatingList) -> list[tuple[str, str]]:
    """Home clubs of the listed players: (public id, name). Of each club one player is looked for, not all."""
    on_list = Standing.objects.on(rating_list).filter(player=OuterRef("pk"))
    at_home = Player.objects.filter(Exists(on_list), home_club=OuterRef("pk"), listed=True)
    return list(
        Club.objects.filter(Exists(at_home), shut="").order_by("name", "pk").values_list("public_id", "name")
    )
