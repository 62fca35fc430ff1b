"""The ledger of a list for its directors: every fact that the list counts, including superseded facts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import BigIntegerField, Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from faults import Missing
from names.folding import search_key
from people.models import Player, PlayerClub
from people.rows import one_or_none
from rating.formulas import get_system
from rating.models import Fact, FactKind, RatingList
from rating.selectors.shown import player_names, players_by_name
from rating.store.moments import to_moment
from rating.store.reading import counted_facts, merged_players
from rating.store.spans import counted_spans

CHUNK = 2000
PER_PAGE = 50


def ledger_page(
    rating_list: RatingList, page: str | None, *, text: str = "", since: datetime | None = None
) -> Page[Fact]:
    """Return one page of the list's facts, newest first.

    ``text``: each of its words must occur in a player's name. ``since``: only facts played at or after this
    time.
    """
    facts = _ledger_facts(rating_list).order_by("-moment", "-pk")
    club_links = PlayerClub.objects.filter(player=OuterRef("pk"), club=rating_list.club_id)
    known_players = Player.objects.filter(Q(listed=True) | Q(Exists(club_links)))
    for word in search_key(text).split():
        name_filter = Q(winner__search_name__contains=word) | Q(loser__search_name__contains=word)
        players = players_by_name(word, known_players)
        facts = facts.filter(
            Q(name_filter, club=rating_list.club_id) | Q(winner__in=players) | Q(loser__in=players)
        )
    if since is not None:
        facts = facts.filter(moment__gte=to_moment(since))
    return Paginator(facts, PER_PAGE).get_page(page)


def all_facts(rating_list: RatingList) -> Iterator[Fact]:
    """Yield all facts of the list in the order in which they are rated, without loading all at once."""
    return (
        _ledger_facts(rating_list)
        .order_by("moment", Coalesce("stands_at", "pk", output_field=BigIntegerField()))
        .iterator(chunk_size=CHUNK)
    )


def merges_in_ledger(rating_list: RatingList) -> list[tuple[Player, Player]]:
    """Return the merged players in the list's facts, each with the player who remains.

    Names that directors of the list's club may not see are hidden.
    """
    merges = merged_players()
    if not merges:
        return []
    facts = _ledger_facts(rating_list).filter(Q(winner_id__in=merges) | Q(loser_id__in=merges)).order_by()
    merged_ids: set[int] = set()
    home_ids: set[int] = set()
    for winner, loser, club in facts.values_list("winner_id", "loser_id", "club_id"):
        pair = {pk for pk in (winner, loser) if pk in merges}
        merged_ids |= pair
        if club == rating_list.club_id:
            home_ids |= pair
    players = Player.objects.in_bulk(merged_ids | {merges[pk] for pk in merged_ids})
    away_ids = merged_ids - home_ids
    _hide_private_players(
        rating_list,
        [
            players[pk]
            for pk in away_ids | ({merges[pk] for pk in away_ids} - {merges[pk] for pk in home_ids})
        ],
    )
    return [(players[pk], players[merges[pk]]) for pk in sorted(merged_ids)]


def apply_visible_names(
    rating_list: RatingList, facts: Iterable[Fact], *, hide_ids: bool = True
) -> list[Fact]:
    """Return ``facts`` with only those player names that directors of the list's club may see.

    In facts of their own club they see all names; in those of member clubs, names of players who are public
    or known to their club. Other players get no name, and with ``hide_ids`` no public id.
    """
    facts = list(facts)
    foreign_facts = [fact for fact in facts if fact.club_id != rating_list.club_id]
    _hide_private_players(
        rating_list,
        [player for fact in foreign_facts for player in (fact.winner, fact.loser) if player],
        hide_ids=hide_ids,
    )
    return facts


def _hide_private_players(
    rating_list: RatingList, players: Sequence[Player], *, hide_ids: bool = True
) -> None:
    if not players:
        return
    merged = merged_players()
    surviving_ids = {player.pk: merged.get(player.pk, player.pk) for player in players}
    names = player_names(surviving_ids.values(), club_id=rating_list.club_id)
    for player in players:
        visible_name = names[surviving_ids[player.pk]]
        if not visible_name.public_id:
            player.name = visible_name.name
            if hide_ids:
                player.public_id = ""


def removal_reason(fact: Fact) -> str:
    """Return the reason given when this fact was superseded, or "".

    No query for a fact read by this module.
    """
    return next((later.reason for later in fact.later.all()), "")


def fact_of_list(rating_list: RatingList, number: int) -> Fact:
    """Return the fact with ledger number ``number`` if the list counts it and it is no void.

    Raises ``Missing``.
    """
    fact = one_or_none(_ledger_facts(rating_list).filter(pk=number).exclude(kind=FactKind.VOID))
    if fact is None:
        raise Missing("rating.fact_unknown")
    return fact


def is_superseded(fact: Fact) -> bool:
    """Return whether another fact supersedes this one. No query for a fact read by this module."""
    return bool(fact.later.all())


def superseding_fact(fact: Fact) -> Fact | None:
    """Return the void or replacement that supersedes ``fact``, or None."""
    return Fact.objects.select_related("winner", "loser").filter(target=fact).first()


def _ledger_facts(rating_list: RatingList) -> QuerySet[Fact]:
    facts = counted_facts(rating_list, counted_spans(rating_list))
    if not get_system(rating_list.system).is_points_system:
        facts = facts.exclude(kind=FactKind.PLACE)  # for which it has no points
    return facts.select_related("winner", "loser").prefetch_related(
        Prefetch("later", queryset=Fact.objects.only("pk", "target_id", "kind", "reason"))
    )
