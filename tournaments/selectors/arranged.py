"""What was drawn or arranged in stages beside their matches (``models.arranged``): read once, and kept with the stage."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import prefetch_related_objects

from tournaments.engine.types import EntryId
from tournaments.models import PairRequest, RoundPlan, Stage, StageEntry

Pair = tuple[EntryId, EntryId]


def prefetch_stage_entries(stages: Iterable[Stage]) -> None:
    """The entries of all that are played in rounds by one query, for whoever asks below; of others there is nothing to read."""
    prefetch_related_objects([stage for stage in stages if stage.system in Stage.IN_ROUNDS], "stage_entries")


def drawn_groups(stage: Stage) -> tuple[tuple[EntryId, ...], ...]:
    """The groups of a round robin that is drawn, each in the order of its Berger table; one if it has no groups."""
    groups: dict[int, list[EntryId]] = {}
    for row in _stage_entries(stage):
        if row.group is not None:
            groups.setdefault(row.group, []).append(EntryId(row.entry_id))
    return tuple(tuple(group) for group in groups.values())


def struck_entries(stage: Stage) -> tuple[EntryId, ...]:
    """Entries that left a round robin, and all their results with them."""
    return tuple(EntryId(row.entry_id) for row in _stage_entries(stage) if row.is_struck)


def play_off_points(stage: Stage) -> dict[EntryId, int]:
    """What a play-off was worth to whom, as the director has recorded it; more is better."""
    return {EntryId(row.entry_id): row.play_off for row in _stage_entries(stage) if row.play_off is not None}


def requested_rests(stage: Stage) -> dict[EntryId, int]:
    """Half points of those who asked to sit out the next round."""
    return {
        EntryId(row.entry_id): row.rest_points for row in _stage_entries(stage) if row.rest_points is not None
    }


def requested_swaps(stage: Stage) -> tuple[Pair, ...]:
    """Entries that the director has let change places in the preview, in the order in which it was done."""
    return tuple(
        _pair_from_request(request)
        for request in _pair_requests(stage)
        if request.kind == PairRequest.Kind.SWAP
    )


def pairs_apart(stage: Stage) -> dict[Pair, str]:
    """Pairs that the director keeps apart (the earlier entry first): “never”, or “avoid”, where it can be helped."""
    return {
        _pair_from_request(request): request.kind
        for request in _pair_requests(stage)
        if request.kind != PairRequest.Kind.SWAP
    }


def planned_deadlines(stage: Stage) -> dict[int, date]:
    """Last days of the rounds that are not published yet; a published round keeps its own."""
    plans: Iterable[RoundPlan] = _prefetched_rows(stage, "round_plans")
    return {plan.number: plan.deadline for plan in plans}


def _stage_entries(stage: Stage) -> Iterable[StageEntry]:
    rows: Iterable[StageEntry] = _prefetched_rows(stage, "stage_entries")
    return rows


def _pair_requests(stage: Stage) -> Iterable[PairRequest]:
    rows: Iterable[PairRequest] = _prefetched_rows(stage, "pair_requests")
    return rows


def _prefetched_rows(stage: Stage, name: str) -> Any:
    """Read once for this object; whoever writes lets it be read again (``store.arranged``)."""
    if stage.system not in Stage.IN_ROUNDS or stage.pk is None:
        return ()
    prefetch_related_objects([stage], name)
    return getattr(stage, name).all()


def _pair_from_request(request: PairRequest) -> Pair:
    return EntryId(request.first_id), EntryId(request.second_id)
