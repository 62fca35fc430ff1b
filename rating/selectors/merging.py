"""Preview of how merging two players affects lists on which both have an opening rating. Writes nothing."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField
from django.db.models.functions import Coalesce

from people.models import Club, Player
from rating.models import Fact, FactKind, RatingList
from rating.selectors.preview import MAX_REPLAYED_FACTS
from rating.selectors.shown import rating_text
from rating.store.clean import compute_list
from rating.store.reading import counted_facts, merged_players, read_rows, superseded_fact_ids
from rating.store.tail import current_numbers


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """An opening rating of one of the two players to be merged.

    ``number``: its ledger number. ``whose``: the player's name. ``last``: True if neither player has a later
    opening on the list. ``alone``: the merged player's rating if only this opening stayed; "" if too costly
    to compute.
    """

    number: int
    whose: str
    rating_text: str
    at: datetime
    last: bool
    alone: str


@dataclass(frozen=True, slots=True)
class MergedOpenings:
    """A list on which both players have opening ratings, with these in the order in which they count.

    ``club``: the list's club. ``now``: the present ratings of the remaining and the merged player ("" without
    one). ``then``: the rating after the merge; "" if too costly to compute for a page.
    """

    key: int
    list_id: str
    list_name: str
    club: Club
    openings: list[OpeningChoice]
    now: tuple[str, str]
    then: str


def opening_facts_by_list(keep: int, duplicate: int) -> dict[int, list[Fact]]:
    """Return the effective opening facts of both players, for lists on which both have one, keyed by list id.

    The facts of each list are in the order in which they are rated.
    """
    sides = _current_sides(keep, duplicate, merged_players())
    facts = Fact.objects.filter(kind=FactKind.OPENING, winner_id__in=sides, later__isnull=True)
    by_list: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts.order_by("moment", Coalesce("stands_at", "pk", output_field=BigIntegerField())):
        by_list[fact.rating_list_id or 0].append(fact)
    return {
        pk: rows for pk, rows in by_list.items() if len({sides[fact.winner_id or 0] for fact in rows}) == 2
    }


def _current_sides(keep: int, duplicate: int, merges: Mapping[int, int]) -> dict[int, int]:
    """Return the two players and those merged into them, each with the remaining player, as ids."""
    player_pair = (keep, duplicate)
    return {player: survivor for player, survivor in merges.items() if survivor in player_pair} | {
        pk: pk for pk in player_pair
    }


def merged_openings(keep: int, duplicate: int) -> list[MergedOpenings]:
    """Return the public lists on which both players have an opening rating.

    ``keep`` and ``duplicate`` are player ids. An opening sets rating and experience anew, so the later one
    counts.
    """
    by_list = opening_facts_by_list(keep, duplicate)
    if not by_list:
        return []
    merges, player_pair = merged_players(), (keep, duplicate)
    sides = _current_sides(keep, duplicate, merges)
    names = dict(Player.objects.filter(pk__in=player_pair).values_list("pk", "name"))
    name_by_player = {player: names[survivor] for player, survivor in sides.items()}
    merges_as_one = {
        player: keep if survivor == duplicate else survivor for player, survivor in merges.items()
    } | {duplicate: keep}
    lists = RatingList.objects.public().filter(pk__in=by_list).select_related("generation", "club")
    return [
        _merged_openings_on(rating_list, by_list[rating_list.pk], name_by_player, player_pair, merges_as_one)
        for rating_list in lists.order_by("-is_main", "name", "pk")
    ]


def _merged_openings_on(
    rating_list: RatingList,
    facts: list[Fact],
    name_by_player: Mapping[int, str],
    player_pair: tuple[int, int],
    merges: Mapping[int, int],
) -> MergedOpenings:
    generation = rating_list.generation
    rating_texts = (
        {}
        if generation is None
        else {row[0]: rating_text(row[1]) for row in current_numbers(generation, set(player_pair))}
    )
    return MergedOpenings(
        rating_list.pk,
        rating_list.public_id,
        rating_list.name,
        rating_list.club,
        [
            OpeningChoice(
                fact.pk,
                name_by_player[fact.winner_id or 0],
                rating_text(fact.opening_rating or 0.0),
                fact.played_at,
                last=fact is facts[-1],
                alone=_merged_rating_text(
                    rating_list, player_pair[0], merges, {other_fact.pk for other_fact in facts} - {fact.pk}
                ),
            )
            for fact in facts
        ],
        (rating_texts.get(player_pair[0], ""), rating_texts.get(player_pair[1], "")),
        _merged_rating_text(rating_list, player_pair[0], merges, frozenset()),
    )


def _merged_rating_text(
    rating_list: RatingList, player: int, merges: Mapping[int, int], excluded_ids: Collection[int]
) -> str:
    """Return the rating of ``player`` with these merges and without these facts; "" if too costly to compute.

    The rating is computed by the same loop that computes the list.
    """
    generation = rating_list.generation
    if generation is None:
        return ""
    facts = counted_facts(rating_list, generation.clubs)
    if facts.order_by()[MAX_REPLAYED_FACTS : MAX_REPLAYED_FACTS + 1].exists():
        return ""
    rows = read_rows(facts, excluded_ids=superseded_fact_ids() | {*excluded_ids}, merges=merges, bulk=True)
    _steps, standings = compute_list(rating_list, generation, rows)
    return next((rating_text(row.rating) for row in standings if row.player == player), "")
