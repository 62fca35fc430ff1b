"""Bring a list up to date with the ledger: apply pending facts, or rebuild it.

Serialised per list by the lock on its row, and idempotent: a fact's ``Pending`` row is deleted (or marked as
applied while a rebuild is running) in the transaction that writes its effect, and replaying a tail twice
gives the same history. So a task may be lost, repeated or killed at any time.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from faults import Missing
from rating.formulas import get_system
from rating.formulas.periods import DAY_MICROSECONDS
from rating.models import Change, Fact, FactKind, Generation, Pending, RatingList
from rating.services.intake import (
    ApplyResult,
    apply_pending_facts,
    is_in_closed_period,
    open_period_number,
    pending_facts,
)
from rating.services.locks import lock_list, mark_for_rebuild
from rating.services.rebuild import rebuild_list
from rating.store.reading import counted_facts, list_ids_counting, merged_players
from rating.store.spans import Memberships, all_members, counted_spans, only_in_first_q
from rating.store.tail import generation_merges


def update_list_ratings(list_id: int) -> ApplyResult:
    """Rate all pending facts of the list, or rebuild it if its present ratings cannot be continued.

    Returns an empty result if the list does not exist.
    """
    with transaction.atomic():
        try:
            rating_list = lock_list(list_id)
        except Missing:
            return ApplyResult()
        if not must_rebuild(rating_list):
            return apply_pending_facts(rating_list)
    rebuilt = rebuild_list(list_id=list_id)
    return ApplyResult(rated=rebuilt.total if rebuilt else 0, rebuilt=rebuilt is not None)


def must_rebuild(
    rating_list: RatingList,
    *,
    now: datetime | None = None,
    members: Memberships | None = None,
    merges: Mapping[int, int] | None = None,
) -> bool:
    """Return whether the list has to be rebuilt, because its ratings are based on something that has changed.

    ``members`` (memberships of all federations) and ``merges`` (the remaining player's id, keyed by the
    merged one's) are given by callers with many lists. Changes of clubs or merges that affect no result are
    saved with the generation.
    """
    generation = rating_list.generation
    if generation is None or rating_list.needs_rebuild:
        return True
    if _have_clubs_changed(rating_list, generation, counted_spans(rating_list, members)):
        return True
    if _have_merges_changed(rating_list, generation, merged_players() if merges is None else merges):
        return True
    system = get_system(rating_list.system)
    if not system.is_periodic:
        return False
    closed = open_period_number(rating_list, now=now)
    if generation.closed != closed and _has_facts_since_closed(rating_list, generation, closed):
        return True
    return any(is_in_closed_period(rating_list, generation, fact) for fact in pending_facts(rating_list))


def _has_facts_since_closed(rating_list: RatingList, generation: Generation, closed: int) -> bool:
    """Return whether there are facts in periods that ended since this generation was computed.

    A period without matches changes deviations only, which become visible with the next match.
    """
    days = get_system(rating_list.system).read(rating_list.parameters)["period_days"]
    facts = counted_facts(rating_list, generation.clubs)
    return facts.filter(
        moment__gte=generation.closed * days * DAY_MICROSECONDS, moment__lt=closed * days * DAY_MICROSECONDS
    ).exists()


def _have_clubs_changed(rating_list: RatingList, generation: Generation, current_spans: list[Any]) -> bool:
    """Return whether the generation has results that no longer count, or lacks some that are not pending.

    Other changes of clubs are saved with the generation, such as a club that joins or leaves as of today.
    """
    if generation.clubs == current_spans:
        return False
    rating_changes = Change.objects.of(generation).filter(fact_id=OuterRef("pk"))
    if (
        Fact.objects.filter(only_in_first_q(generation.clubs, current_spans))
        .filter(Exists(rating_changes))
        .exists()
    ):
        return True
    pending_ids = Pending.objects.filter(rating_list=rating_list, applied=False).values("fact_id")
    missing_facts = Fact.objects.filter(only_in_first_q(current_spans, generation.clubs)).exclude(
        kind=FactKind.OPENING
    )
    if missing_facts.exclude(pk__in=pending_ids).exists():
        return True
    generation.clubs = current_spans
    generation.save(update_fields=["clubs"])
    return False


def _have_merges_changed(
    rating_list: RatingList, generation: Generation, current_merges: Mapping[int, int]
) -> bool:
    """Return whether players with results in the generation were merged or separated after it was computed.

    Changed merges of other players are saved with the generation.
    """
    recorded_merges = generation_merges(generation)
    if recorded_merges == current_merges:
        return False
    changed_ids = {
        p
        for p in recorded_merges.keys() | current_merges.keys()
        if recorded_merges.get(p) != current_merges.get(p)
    }
    involves_changed = Q(winner_id__in=changed_ids) | Q(loser_id__in=changed_ids)
    if counted_facts(rating_list, generation.clubs).filter(involves_changed).exists():
        return True
    generation.merges = {str(player): survivor for player, survivor in current_merges.items()}
    generation.save(update_fields=["merges"])
    return False


def outdated_lists() -> list[int]:
    """Return the ids of lists that have pending facts or have to be rebuilt.

    Archived lists are included: their directors still read them, results still come in, and they may be shown
    again at once.
    """
    outdated_ids = set(
        Pending.objects.filter(applied=False).order_by().values_list("rating_list_id", flat=True).distinct()
    )
    members = all_members()
    merges = merged_players()
    for rating_list in RatingList.objects.select_related("generation"):
        if rating_list.pk not in outdated_ids and must_rebuild(rating_list, members=members, merges=merges):
            outdated_ids.add(rating_list.pk)
    return sorted(outdated_ids)


@transaction.atomic
def rebuild_lists_of_player(*, player_id: int) -> int:
    """Mark the lists that count results of this player for a rebuild, after a merge or a separation.

    Returns the number of lists. Joins the caller's transaction.
    """
    clubs = set(
        Fact.objects.filter(Q(winner_id=player_id) | Q(loser_id=player_id))
        .order_by()
        .values_list("club_id", flat=True)
        .distinct()
    )
    lists = sorted({pk for club in clubs for pk in list_ids_counting(club)})
    mark_for_rebuild(list_ids=lists)
    return len(lists)
