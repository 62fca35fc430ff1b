"""Queue rating tasks on commit, by name, since tasks are a layer above services.

A message broker that is down delays ratings until the sweep; it never makes a result fail.
"""

from collections.abc import Iterable
from typing import Final

from django.db import transaction

from people.services.hints import RESEND_SECONDS, SWEEP_QUEUE, SWEEP_SECONDS, enqueue_task

APPLY_TASK: Final = "rating.tasks.apply_pending"
REBUILD_TASK: Final = "rating.tasks.rebuild"
REQUESTED_TASK: Final = "rating.tasks.make_requested"


def queue_apply(list_id: int) -> None:
    """After the commit, let a worker bring the rating list up to date."""
    _queue_on_commit(APPLY_TASK, list_id)


def queue_rebuild(list_id: int) -> None:
    """After the commit, let a worker rebuild the rating list, as a director requested."""
    _queue_on_commit(REBUILD_TASK, list_id)


def queue_official(list_id: int) -> None:
    """After the commit, let a worker make the official list that a director requested."""
    _queue_on_commit(REQUESTED_TASK, list_id)


def sweep_lists(
    *, outdated_ids: Iterable[int], rebuild_ids: Iterable[int], request_ids: Iterable[int]
) -> None:
    """Queue overdue work of these lists (ids) again: one message each, so that workers share it.

    Outdated lists use the queue of sweeps, which a long `live` queue does not delay.
    """
    for pk in outdated_ids:
        enqueue_task(APPLY_TASK, pk, lost_after=SWEEP_SECONDS, queue=SWEEP_QUEUE)
    for pk in rebuild_ids:
        enqueue_task(REBUILD_TASK, pk, lost_after=RESEND_SECONDS)
    for pk in request_ids:
        enqueue_task(REQUESTED_TASK, pk, lost_after=RESEND_SECONDS)


def _queue_on_commit(task: str, *arguments: int | str) -> None:
    def send() -> None:
        enqueue_task(task, *arguments)

    # A function and not a partial: Django logs a failed robust hook by its __qualname__.
    transaction.on_commit(send, robust=True)
