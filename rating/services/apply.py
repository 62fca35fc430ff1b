"""Bring a list up to date with the ledger: take in what is pending, from the earliest point that it touches.

Serialised per list by the lock on its row, and idempotent: a fact's `Pending` row goes in the transaction that writes
what it did, and replaying a tail twice gives the same history. So a task may be lost, doubled or killed at any moment.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from people.errors import Missing
from people.models import Club
from rating.formulas import system_named
from rating.formulas.periods import period_of
from rating.models import Fact, FactKind, Generation, GenerationState, Pending, RatingList
from rating.services.lists import lock_list, mark_for_rebuild
from rating.services.tail import merges_of, replay_from
from rating.store.reading import Point, clubs_counted, counted, lists_counting, merged_players, moment_of


@dataclass(frozen=True, slots=True)
class Applied:
    """How many facts were taken in, how many were rated for it, and whether the list was rebuilt instead."""

    facts: int = 0
    rated: int = 0
    rebuilt: bool = False


def apply_list(list_id: int) -> Applied:
    """Take in all that is pending. A list that cannot go on from where it is gets rebuilt."""
    from rating.services.rebuild import rebuild_list  # a rebuild ends with taking in what came meanwhile

    with transaction.atomic():
        try:
            rating_list = lock_list(list_id)
        except Missing:
            return Applied()
        if not must_rebuild(rating_list):
            return take_in(rating_list)
    rebuilt = rebuild_list(list_id=list_id)
    return Applied(rated=rebuilt.total if rebuilt else 0, rebuilt=rebuilt is not None)


def must_rebuild(
    rating_list: RatingList,
    *,
    now: datetime | None = None,
    parents: Mapping[int, int | None] | None = None,
    merges: Mapping[int, int] | None = None,
) -> bool:
    """Whether the present numbers rest on something that no longer holds.

    ``parents`` (of all clubs) and ``merges`` (of all players) are given by who asks for many lists.
    """
    generation = rating_list.generation
    if generation is None or rating_list.needs_rebuild:
        return True
    if generation.clubs != clubs_counted(rating_list.club_id, parents):
        return True
    if _merges_matter(generation, merged_players() if merges is None else merges):
        return True
    system = system_named(rating_list.system)
    if not system.periodic:
        return False
    closed = closed_period(rating_list, now=now)
    if generation.closed != closed and _anything_between(rating_list, generation.closed, closed):
        return True
    return any(_closed(rating_list, generation, fact) for fact in pending_facts(rating_list))


def closed_period(rating_list: RatingList, *, now: datetime | None = None) -> int:
    """The number of the period that is open now: all before it are closed."""
    parameters = system_named(rating_list.system).read(rating_list.parameters)
    return period_of(moment_of(now or timezone.now()), parameters["period_days"])


def _anything_between(rating_list: RatingList, before: int, closed: int) -> bool:
    """A period in which nobody played changes deviations only; those show at the next one with matches."""
    from rating.formulas.periods import DAY

    days = system_named(rating_list.system).read(rating_list.parameters)["period_days"]
    facts = counted(rating_list, clubs_counted(rating_list.club_id))
    return facts.filter(moment__gte=before * days * DAY, moment__lt=closed * days * DAY).exists()


def _merges_matter(generation: Generation, now: Mapping[int, int]) -> bool:
    known = merges_of(generation)
    if known == now:
        return False
    changed = {p for p in known.keys() | now.keys() if known.get(p) != now.get(p)}
    if Fact.objects.filter(Q(winner_id__in=changed) | Q(loser_id__in=changed)).exists():
        return True
    generation.merges = {str(player): into for player, into in now.items()}
    generation.save(update_fields=["merges"])
    return False


def lists_behind() -> list[int]:
    """Lists with something to take in, or whose numbers rest on something that no longer holds."""
    behind = set(
        Pending.objects.filter(applied=False).order_by().values_list("rating_list_id", flat=True).distinct()
    )
    parents = dict(Club.objects.values_list("pk", "parent_id"))
    merges = merged_players()
    for rating_list in RatingList.objects.filter(archived=False).select_related("generation"):
        if rating_list.pk not in behind and must_rebuild(rating_list, parents=parents, merges=merges):
            behind.add(rating_list.pk)
    return sorted(behind)


def pending_facts(rating_list: RatingList) -> list[Fact]:
    ids = Pending.objects.filter(rating_list=rating_list, applied=False).values("fact_id")
    return list(Fact.objects.filter(pk__in=ids).select_related("target"))


def _points(facts: Sequence[Fact]) -> list[Point]:
    """Every place in the order that these facts touch: their own, and those of what they take back."""
    found: list[Point] = []
    for fact in facts:
        if fact.kind != FactKind.VOID:
            found.append((fact.moment, fact.pk))
        if fact.target is not None:
            found.append((fact.target.moment, fact.target.pk))
    return found


def take_in(
    rating_list: RatingList, generation: Generation | None = None, *, known: set[int] | None = None
) -> Applied:
    """Rate from the earliest point that pending facts touch. The caller holds the list's lock.

    ``known`` is given at the switch to a new ``generation``: the facts that were pending when its building began. Then
    those count too that the previous generation has taken in meanwhile.
    """
    generation = generation or rating_list.generation
    if generation is None:
        return Applied()
    waiting = Pending.objects.filter(rating_list=rating_list)
    if known is None:
        waiting = waiting.filter(applied=False)
    ids = set(waiting.values_list("fact_id", flat=True))
    # What was pending before the building began has been read by it.
    late = [
        fact
        for some in _batches(ids - (known or set()))
        for fact in Fact.objects.filter(pk__in=some).select_related("target")
    ]
    rated = 0
    if system_named(rating_list.system).periodic:
        # What came late for a period that is closed in this generation waits for the next rebuild.
        ids -= {fact.pk for fact in late if _closed(rating_list, generation, fact)}
    elif late:
        rated = len(replay_from(rating_list, generation, min(_points(late))).steps)
    if not ids:
        return Applied()
    _done(rating_list, generation, ids)
    RatingList.objects.filter(pk=rating_list.pk).update(version=F("version") + 1)
    return Applied(facts=len(ids), rated=rated)


def _done(rating_list: RatingList, generation: Generation, ids: set[int]) -> None:
    building = Generation.objects.filter(rating_list=rating_list, state=GenerationState.BUILDING)
    still_wanted = building.exclude(pk=generation.pk).exists()
    for some in _batches(ids):
        done = Pending.objects.filter(rating_list=rating_list, fact_id__in=some)
        if still_wanted:
            done.update(applied=True)
        else:
            done.delete()


def _batches(ids: set[int], size: int = 5000) -> Iterator[list[int]]:
    """A database takes so many parameters and no more, and a long outage leaves many rows."""
    ordered = sorted(ids)
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def _closed(rating_list: RatingList, generation: Generation, fact: Fact) -> bool:
    days = system_named(rating_list.system).read(rating_list.parameters)["period_days"]
    return any(period_of(moment, days) < generation.closed for moment, _ in _points([fact]))


@transaction.atomic
def player_merged(*, player_id: int) -> int:
    """A player was merged or set free again: rebuild the lists that know their results; how many. Joins the caller."""
    clubs = set(
        Fact.objects.filter(Q(winner_id=player_id) | Q(loser_id=player_id))
        .order_by()
        .values_list("club_id", flat=True)
        .distinct()
    )
    lists = sorted({pk for club in clubs for pk in lists_counting(club)})
    mark_for_rebuild(list_ids=lists)
    return len(lists)
