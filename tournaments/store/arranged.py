"""Write what is drawn or arranged in a stage beside its matches (``models.arranged``).

The caller holds the event's lock. Each function clears the prefetched rows of the stage that it changes, so
that they are read again when needed.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from tournaments.models import PairRequest, RoundPlan, Stage, StageEntry
from tournaments.selectors.arranged import Pair, requested_swaps


def write_groups(stage: Stage, groups: Sequence[Sequence[int]]) -> None:
    """Replace the places in the Berger tables; ``groups``: the entry ids of each group, in order of place."""
    stage.stage_entries.all().delete()
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry_id=entry, group=number, place=place)
        for number, group in enumerate(groups, start=1)
        for place, entry in enumerate(group, start=1)
    )
    _clear_prefetch(stage, "stage_entries")


def strike_entry(stage: Stage, entry_id: int) -> None:
    """Mark all results of the entry in this stage as not counting."""
    stage.stage_entries.filter(entry=entry_id).update(is_struck=True)
    _clear_prefetch(stage, "stage_entries")


def reinstate_results(stage: Stage, entries: Collection[int]) -> None:
    """Count the results of these entries (ids) again where they were marked as not counting."""
    stage.stage_entries.filter(entry__in=entries, is_struck=True).update(is_struck=False)
    _clear_prefetch(stage, "stage_entries")


def write_play_off(stage: Stage, order: Sequence[int]) -> None:
    """Save the order of a play-off between tied entries; ``order``: entry ids, best first."""
    _write_column(stage, "play_off", {entry: len(order) - place for place, entry in enumerate(order)})


def clear_play_off(stage: Stage) -> None:
    """Remove the play-off order from all entries of the stage."""
    stage.stage_entries.filter(play_off__isnull=False).update(play_off=None)
    _clear_prefetch(stage, "stage_entries")


def write_rests(stage: Stage, rests: Mapping[int, int | None]) -> None:
    """Save requests not to play the next round; ``rests``: half points for it, keyed by entry id.

    None removes the request of an entry.
    """
    _write_column(stage, "rest_points", rests)


def write_swaps(stage: Stage, swaps: Sequence[Pair]) -> None:
    """Replace the pairs of entries that change places in the next round by ``swaps``, in this order."""
    if requested_swaps(stage):
        stage.pair_requests.filter(kind=PairRequest.Kind.SWAP).delete()
    PairRequest.objects.bulk_create(
        PairRequest(stage=stage, kind=PairRequest.Kind.SWAP, first_id=a, second_id=b, position=position)
        for position, (a, b) in enumerate(swaps, start=1)
    )
    _clear_prefetch(stage, "pair_requests")


def write_pair_request(stage: Stage, pair: Pair, kind: str | None) -> None:
    """Save the request that two entries do not meet; ``pair``: the entry with the lower id first.

    ``kind``: never, or only if unavoidable; None removes the request.
    """
    stage.pair_requests.filter(first=pair[0], second=pair[1]).exclude(kind=PairRequest.Kind.SWAP).delete()
    if kind is not None:
        PairRequest.objects.create(stage=stage, kind=kind, first_id=pair[0], second_id=pair[1])
    _clear_prefetch(stage, "pair_requests")


def write_deadlines(stage: Stage, deadlines: Mapping[int, date]) -> None:
    """Replace the deadlines (last days) of unpublished rounds; ``deadlines`` is keyed by round number."""
    stage.round_plans.all().delete()
    RoundPlan.objects.bulk_create(
        RoundPlan(stage=stage, number=number, deadline=day) for number, day in deadlines.items()
    )
    _clear_prefetch(stage, "round_plans")


def clear_next_round(stage: Stage) -> None:
    """Remove the seed, requested byes and swaps of the next round. The caller saves the stage."""
    stage.next_seed = ""
    stage.stage_entries.filter(rest_points__isnull=False).update(rest_points=None)
    _clear_prefetch(stage, "stage_entries")
    write_swaps(stage, ())


def clear_stage_plan(stage: Stage) -> None:
    """Remove all places, requests and deadlines of a stage that changes its system."""
    for name in ("stage_entries", "pair_requests", "round_plans"):
        getattr(stage, name).all().delete()
        _clear_prefetch(stage, name)


def _write_column(stage: Stage, field: str, values: Mapping[int, int | None]) -> None:
    """Save the values of one field, keyed by entry id; create rows that do not exist yet."""
    StageEntry.objects.bulk_create(
        [StageEntry(stage=stage, entry_id=entry, **{field: value}) for entry, value in values.items()],
        update_conflicts=True,
        unique_fields=["stage", "entry"],
        update_fields=[field],
    )
    _clear_prefetch(stage, "stage_entries")


def _clear_prefetch(stage: Stage, name: str) -> None:
    getattr(stage, "_prefetched_objects_cache", {}).pop(name, None)
