"""Rate pending facts of a list whose row is locked, again from the earliest point that they affect."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from rating.formulas import get_system
from rating.formulas.periods import period_number
from rating.models import Fact, FactKind, Generation, GenerationState, Pending, RatingList
from rating.services.locks import raise_list_version
from rating.services.tail import replay_from
from rating.store.moments import to_moment
from rating.store.reading import Point

START_OF_MOMENT: Final = 0  # before every ledger number
BATCH_SIZE: Final = 5_000  # limit of parameters of a statement; a long outage leaves many rows


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """How many pending facts were applied, how many facts were rated for that, and whether in a rebuild."""

    facts: int = 0
    rated: int = 0
    rebuilt: bool = False


def apply_pending_facts(
    rating_list: RatingList, generation: Generation | None = None, *, included_ids: set[int] | None = None
) -> ApplyResult:
    """Rate the list again from the earliest point that its pending facts affect.

    The caller holds the list's lock. A periodic system rates nothing here: facts of the open period are
    marked as applied, those of a closed one stay pending until the next rebuild. Raises the list's version if
    any fact was applied.

    ``included_ids`` is given at the switch to a new ``generation``: ids of the facts pending when its
    building began. Then facts that the previous generation has applied since count as well.
    """
    generation = generation or rating_list.generation
    if generation is None:
        return ApplyResult()
    pending = Pending.objects.filter(rating_list=rating_list)
    if included_ids is None:
        pending = pending.filter(applied=False)
    ids = set(pending.values_list("fact_id", flat=True))
    # Facts pending before the building began are included in it.
    late_facts = [
        fact
        for batch in _batches(ids - (included_ids or set()))
        for fact in Fact.objects.filter(pk__in=batch).select_related("target")
    ]
    rated = 0
    if get_system(rating_list.system).is_periodic:
        # Late facts of a period closed in this generation wait for the next rebuild.
        ids -= {fact.pk for fact in late_facts if is_in_closed_period(rating_list, generation, fact)}
    elif late_facts:
        rated = len(replay_from(rating_list, generation, min(_touched_points(late_facts))).steps)
    if not ids:
        return ApplyResult()
    _mark_applied(rating_list, generation, ids)
    raise_list_version(rating_list)
    return ApplyResult(facts=len(ids), rated=rated)


def open_period_number(rating_list: RatingList, *, now: datetime | None = None) -> int:
    """Return the number of the rating period that has not ended; all earlier periods are closed."""
    parameters = get_system(rating_list.system).read(rating_list.parameters)
    return period_number(to_moment(now or timezone.now()), parameters["period_days"])


def pending_facts(rating_list: RatingList) -> list[Fact]:
    """Return the facts that the list's ratings do not include yet."""
    ids = Pending.objects.filter(rating_list=rating_list, applied=False).values("fact_id")
    return list(Fact.objects.filter(pk__in=ids).select_related("target"))


def is_in_closed_period(rating_list: RatingList, generation: Generation, fact: Fact) -> bool:
    """Return whether the fact affects a rating period that is closed in this generation."""
    days = get_system(rating_list.system).read(rating_list.parameters)["period_days"]
    return any(period_number(moment, days) < generation.closed for moment, _ in _touched_points([fact]))


def _touched_points(facts: Sequence[Fact]) -> list[Point]:
    """Return every point in the rating order that these facts affect.

    That is the point of each fact itself, except of a void, and the point of the fact that it supersedes.
    """
    points: list[Point] = []
    for fact in facts:
        if fact.kind != FactKind.VOID:
            points.append((fact.moment, START_OF_MOMENT))
        if fact.target is not None:
            points.append((fact.target.moment, START_OF_MOMENT))
    return points


def _mark_applied(rating_list: RatingList, generation: Generation, ids: set[int]) -> None:
    building = Generation.objects.filter(rating_list=rating_list, state=GenerationState.BUILDING)
    is_rebuilding = building.exclude(pk=generation.pk).exists()
    for batch in _batches(ids):
        applied = Pending.objects.filter(rating_list=rating_list, fact_id__in=batch)
        if is_rebuilding:
            applied.update(applied=True)
        else:
            applied.delete()


def _batches(ids: set[int]) -> Iterator[list[int]]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), BATCH_SIZE):
        yield ordered[start : start + BATCH_SIZE]
