"""The leaderboard of a rating list: filters, sort order, and pages of rows with texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from names.folding import search_key
from people.models import Club, Player
from people.pages import UncountedPage
from rating.formulas.ranking import Unranked
from rating.models import RatingList, Standing
from rating.selectors.lists import ListRanks, RankLookup, rank_lookup
from rating.selectors.ranking import VISIBLE_PLAYERS, CurrentRules, current_rules
from rating.selectors.ranking_words import reasons_text
from rating.selectors.shown import ListRowMixin, PlayerName, is_provisional
from rating.store.moments import from_moment, to_moment

PER_PAGE = 100
MAX_OFFSET_ROWS = 1000  # rows from the top read by offset; those below are found by their rank

SORT_FIELDS: dict[str, tuple[str, ...]] = {
    "rating": ("-rating", "player__name"),
    "name": ("player__name", "-rating"),
    "experience": ("-experience", "-rating"),
    "matches": ("-matches", "-rating"),
    "wins": ("-wins", "-rating"),
    "last": ("-moment", "-rating"),
}


@dataclass(frozen=True, slots=True)
class LeaderboardFilter:
    """The filters that a visitor chose for a leaderboard.

    ``club`` is a public id, ``order`` a key of ``SORT_FIELDS``.
    """

    club: str = ""
    active_since: date | None = None
    minimum_experience: int = 0
    search: str = ""
    order: str = "rating"
    ranked_only: bool = False


@dataclass(frozen=True, slots=True)
class LeaderRow(ListRowMixin):
    """A player's row of the leaderboard: texts for the page, built when used, and numbers for exports.

    ``why``: the reasons why the player has no rank; empty for a ranked player.
    """

    rank: int | None
    why: tuple[Unranked, ...]  # there is none
    player: PlayerName
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
    def why_text(self) -> str:
        return reasons_text(self.why)

    @property
    def why_provisional(self) -> bool:
        """Return whether ``why_text`` already states that the rating is provisional."""
        return Unranked.PROVISIONAL in self.why

    @property
    def last_played_text(self) -> str:
        return date_format(timezone.localtime(self.last_played), "SHORT_DATE_FORMAT")


def _standings(
    rating_list: RatingList, rules: CurrentRules, filters: LeaderboardFilter
) -> QuerySet[Standing]:
    standings = Standing.objects.on(rating_list).filter(VISIBLE_PLAYERS)
    if filters.club:
        standings = standings.filter(player__home_club__public_id=filters.club)
    if filters.active_since:
        start = datetime.combine(filters.active_since, time(), tzinfo=timezone.get_current_timezone())
        standings = standings.filter(moment__gte=to_moment(start))
    if filters.minimum_experience:
        standings = standings.filter(experience__gte=filters.minimum_experience)
    if filters.ranked_only:
        standings = standings.filter(rules.ranked())
    for word in search_key(filters.search).split():
        standings = standings.filter(player__search_name__contains=word)
    order = SORT_FIELDS.get(filters.order, SORT_FIELDS["rating"])
    return standings.order_by(*order, "pk")


def _standing_values(standings: QuerySet[Standing]) -> QuerySet[Standing, Any]:
    return standings.values(
        "pk",
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
        home=F("player__home_club_id"),
    )


def _unranked_reasons(rules: CurrentRules, values: dict[str, Any]) -> tuple[Unranked, ...]:
    return rules.reasons(
        matches=values["matches"],
        experience=values["experience"],
        moment=values["moment"],
        club=values["home"],
    )


def _build_row(
    rating_list: RatingList, rules: CurrentRules, ranks: RankLookup, values: dict[str, Any]
) -> LeaderRow:
    reasons = _unranked_reasons(rules, values)
    last = from_moment(values["moment"])
    player = PlayerName(values["name"], values["public_id"])
    return LeaderRow(
        rank=None if reasons else ranks.of(values["rating"]),
        why=reasons,
        player=player,
        club=values["club"] or "",
        country=values["country"],
        rating=values["rating"],
        deviation=values["deviation"],
        experience=values["experience"],
        matches=values["matches"],
        wins=values["wins"],
        win_percent=round(100 * values["wins"] / values["matches"]) if values["matches"] else None,
        provisional=is_provisional(rating_list, values["experience"]),
        last_played=last,
        list_id=rating_list.public_id,
    )


class LeaderRows(Sequence[LeaderRow]):
    """All rows of a leaderboard as a sequence that reads only the slice that is used.

    If sorted by rating, ranked players come first and the others follow.
    """

    def __init__(self, rating_list: RatingList, filters: LeaderboardFilter) -> None:
        self._list, self._rules = rating_list, current_rules(rating_list)
        self._standings = _standings(rating_list, self._rules, filters)
        self._is_unfiltered = filters in {LeaderboardFilter(), LeaderboardFilter(order="")}
        self._ranked_first = SORT_FIELDS.get(filters.order, SORT_FIELDS["rating"]) is SORT_FIELDS["rating"]

    def __len__(self) -> int:
        return self._standings.count()

    def __getitem__(self, page_slice: Any) -> Any:
        start, stop = page_slice.start or 0, page_slice.stop
        if self._is_unfiltered and stop > MAX_OFFSET_ROWS:
            return self._rows_by_rank(start, stop)
        page_values = self._row_values(start, stop)
        ranked = [values["rating"] for values in page_values if not _unranked_reasons(self._rules, values)]
        ranks = rank_lookup(self._list, ranked, self._rules)
        return [_build_row(self._list, self._rules, ranks, values) for values in page_values]

    def _rows_by_rank(self, start: int, stop: int) -> list[LeaderRow]:
        """Return rows ``start`` to ``stop`` of a long list, found by rank, as a large offset is slow."""
        ranks = ListRanks(self._list, self._rules)
        standing_ids = ranks.order[start:stop]
        values_by_id = {
            values["pk"]: values
            for values in _standing_values(self._standings.filter(pk__in=standing_ids.tolist()))
        }
        return [
            _build_row(self._list, self._rules, ranks, values_by_id[pk])
            for pk in standing_ids
            if pk in values_by_id
        ]

    def _row_values(self, start: int, stop: int) -> list[dict[str, Any]]:
        if not self._ranked_first:
            return list(_standing_values(self._standings)[start:stop])
        ranked = self._standings.filter(self._rules.ranked())
        page_values = list(_standing_values(ranked)[start:stop])
        missing_count = stop - start - len(page_values)
        if missing_count:
            ranked_count = start + len(page_values) if page_values else ranked.count()
            unranked = _standing_values(self._standings.exclude(self._rules.ranked()))
            page_values += unranked[start + len(page_values) - ranked_count :][:missing_count]
        return page_values

    def __iter__(self) -> Iterator[LeaderRow]:
        """Yield every row, reading the rows in batches."""
        ranks = ListRanks(self._list, self._rules)
        querysets = [self._standings]
        if self._ranked_first:
            ranked = self._rules.ranked()
            querysets = [self._standings.filter(ranked), self._standings.exclude(ranked)]
        for queryset in querysets:
            for values in _standing_values(queryset).iterator(chunk_size=2000):
                yield _build_row(self._list, self._rules, ranks, values)


def leaderboard(
    rating_list: RatingList, filters: LeaderboardFilter, page: int | str = 1
) -> UncountedPage[LeaderRow]:
    """Return one page of the leaderboard; the last one if ``page`` is too high. The rows are not counted."""
    return UncountedPage.of(LeaderRows(rating_list, filters), page, PER_PAGE)


def top_players(rating_list: RatingList, count: int) -> list[tuple[PlayerName, str, float]]:
    """Return the first ``count`` ranked players as (name, country, rating), in one query.

    ``rating_list`` must have its club loaded.
    """
    standings = _standings(rating_list, current_rules(rating_list), LeaderboardFilter(ranked_only=True))
    rows = _standing_values(standings)[:count]
    return [(PlayerName(row["name"], row["public_id"]), row["country"], row["rating"]) for row in rows]


def all_rows(rating_list: RatingList, filters: LeaderboardFilter) -> Iterator[LeaderRow]:
    """Yield every row of the leaderboard, for exports; filters use the time zone that is active now."""
    return iter(LeaderRows(rating_list, filters))


def home_clubs_on_list(rating_list: RatingList) -> list[tuple[str, str]]:
    """Return the home clubs of the list's public players as (public id, name), sorted by name."""
    list_standings = Standing.objects.on(rating_list).filter(player=OuterRef("pk"))
    home_players = Player.objects.filter(Exists(list_standings), home_club=OuterRef("pk"), listed=True)
    return list(
        Club.objects.filter(Exists(home_players), shut="")
        .order_by("name", "pk")
        .values_list("public_id", "name")
    )
