"""Groups, swaps, rests and deadlines of a stage (``models.arranged``), prefetched on the stage object."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import prefetch_related_objects

from tournaments.engine.types import EntryId
from tournaments.models import PairRequest, RoundPlan, Stage, StageEntry

Pair = tuple[EntryId, EntryId]


def prefetch_stage_entries(stages: Iterable[Stage]) -> None:
    """Prefetch the stage entries of all stages played in rounds with one query, for the functions below."""
    prefetch_related_objects([stage for stage in stages if stage.system in Stage.IN_ROUNDS], "stage_entries")


def drawn_groups(stage: Stage) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of a drawn round robin, each as entry ids in the order of its Berger table.

    A round robin without groups has one group. Empty before the draw.
    """
    groups: dict[int, list[EntryId]] = {}
    for row in _stage_entries(stage):
        if row.group is not None:
            groups.setdefault(row.group, []).append(EntryId(row.entry_id))
    return tuple(tuple(group) for group in groups.values())


def entries_with_cancelled_results(stage: Stage) -> tuple[EntryId, ...]:
    """Return the ids of entries that left a round robin and whose results do not count."""
    return tuple(EntryId(row.entry_id) for row in _stage_entries(stage) if row.is_struck)


def play_off_points(stage: Stage) -> dict[EntryId, int]:
    """Return the recorded play-off points, as a dictionary keyed by entry id; higher is better."""
    return {EntryId(row.entry_id): row.play_off for row in _stage_entries(stage) if row.play_off is not None}


def requested_rests(stage: Stage) -> dict[EntryId, int]:
    """Return the half points of the entries that requested to sit out the next round, keyed by entry id."""
    return {
        EntryId(row.entry_id): row.rest_points for row in _stage_entries(stage) if row.rest_points is not None
    }


def requested_swaps(stage: Stage) -> tuple[Pair, ...]:
    """Return the pairs of entries that the director swapped in the preview of the next round, in order."""
    return tuple(
        _pair_from_request(request)
        for request in _pair_requests(stage)
        if request.kind == PairRequest.Kind.SWAP
    )


def pairs_apart(stage: Stage) -> dict[Pair, str]:
    """Return the pairs that the director keeps apart, with “never” or “avoid” (if possible).

    The keys are pairs of entry ids, the earlier entry first.
    """
    return {
        _pair_from_request(request): request.kind
        for request in _pair_requests(stage)
        if request.kind != PairRequest.Kind.SWAP
    }


def planned_deadlines(stage: Stage) -> dict[int, date]:
    """Return the deadlines of rounds that are not published yet, as a dictionary keyed by round number.

    A published round stores its own deadline.
    """
    plans: Iterable[RoundPlan] = _prefetched_rows(stage, "round_plans")
    return {plan.number: plan.deadline for plan in plans}


def _stage_entries(stage: Stage) -> Iterable[StageEntry]:
    rows: Iterable[StageEntry] = _prefetched_rows(stage, "stage_entries")
    return rows


def _pair_requests(stage: Stage) -> Iterable[PairRequest]:
    rows: Iterable[PairRequest] = _prefetched_rows(stage, "pair_requests")
    return rows


def _prefetched_rows(stage: Stage, name: str) -> Any:
    """Return the stage's related rows ``name``, read once for this object until a writer clears them.

    Empty for a stage that is not played in rounds.
    """
    if stage.system not in Stage.IN_ROUNDS or stage.pk is None:
        return ()
    prefetch_related_objects([stage], name)
    return getattr(stage, name).all()


def _pair_from_request(request: PairRequest) -> Pair:
    return EntryId(request.first_id), EntryId(request.second_id)
