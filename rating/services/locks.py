"""The lock on a list's row, and the mark that its ratings must be computed anew."""

from collections.abc import Sequence

from django.db.models import F

from faults import Missing
from people import versions
from people.rows import one_or_none
from people.services.versions import raise_versions
from rating.models import Generation, GenerationState, RatingList
from rating.services.queue import queue_apply


def mark_for_rebuild(*, list_ids: Sequence[int]) -> None:
    """Mark these lists (ids) as outdated, stop their running rebuilds and queue new ones.

    Joins the caller's transaction.
    """
    if not list_ids:
        return
    RatingList.objects.filter(pk__in=list_ids).update(needs_rebuild=True, version=F("version") + 1)
    raise_versions(map(versions.rating_list_topic, list_ids))
    Generation.objects.filter(rating_list_id__in=list_ids, state=GenerationState.BUILDING).update(
        state=GenerationState.STOPPED
    )
    # An earlier stop by a director did not concern this rebuild.
    Generation.objects.filter(rating_list_id__in=list_ids, stop_requested=True).update(stop_requested=False)
    for pk in list_ids:
        queue_apply(pk)


def lock_list(list_id: int) -> RatingList:
    """Return the list with its row locked; the lock is required to change its ratings. Raises ``Missing``.

    The row's key stays unlocked: a result that adds a ``Pending`` row never waits for a computation.
    """
    rating_list = one_or_none(
        RatingList.objects.select_for_update(of=("self",), no_key=True)
        .select_related("generation", "club")
        .filter(pk=list_id)
    )
    if rating_list is None:
        raise Missing("rating.list_unknown")
    return rating_list


def raise_list_version(rating_list: RatingList) -> None:
    """Raise the list's version, as its content changed. The caller holds the lock on the list's row."""
    RatingList.objects.filter(pk=rating_list.pk).update(version=F("version") + 1)
    raise_versions([versions.rating_list_topic(rating_list.pk)])
