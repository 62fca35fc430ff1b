"""Whose turn it is with a list: its row locked, and the mark that its numbers must be computed anew."""

from collections.abc import Sequence

from django.db.models import F

from faults import Missing
from people import versions
from people.rows import one_or_none
from people.services.versions import raise_versions
from rating.models import Generation, GenerationState, RatingList
from rating.services.queue import queue_apply


def mark_for_rebuild(*, list_ids: Sequence[int]) -> None:
    """These lists hold no longer what they should: stop what is being built of them and begin again. Joins the caller."""
    if not list_ids:
        return
    RatingList.objects.filter(pk__in=list_ids).update(needs_rebuild=True, version=F("version") + 1)
    raise_versions(map(versions.rating_list_topic, list_ids))
    Generation.objects.filter(rating_list_id__in=list_ids, state=GenerationState.BUILDING).update(
        state=GenerationState.STOPPED
    )
    # Who stopped an earlier one did not speak of this.
    Generation.objects.filter(rating_list_id__in=list_ids, stop_requested=True).update(stop_requested=False)
    for pk in list_ids:
        queue_apply(pk)


def lock_list(list_id: int) -> RatingList:
    """The list with its row locked: whoever holds it is the only one who changes this list's numbers.

    Not its key: a result that leaves itself with the list (`Pending`) never waits for a computation.
    """
    found = one_or_none(
        RatingList.objects.select_for_update(of=("self",), no_key=True)
        .select_related("generation", "club")
        .filter(pk=list_id)
    )
    if found is None:
        raise Missing("rating.list_unknown")
    return found


def raise_list_version(rating_list: RatingList) -> None:
    """What is shown of the list is new. The caller holds its row."""
    RatingList.objects.filter(pk=rating_list.pk).update(version=F("version") + 1)
    raise_versions([versions.rating_list_topic(rating_list.pk)])
