"""Queue rating tasks on commit, by name, as the tasks stand above the services.

A broker that is away delays ratings until the sweep; it never fails a result.
"""

from typing import Final

from django.db import transaction

from people.services.hints import hint

APPLY_TASK: Final = "rating.tasks.apply_pending"
REBUILD_TASK: Final = "rating.tasks.rebuild"
REQUESTED_TASK: Final = "rating.tasks.make_requested"


def queue_apply(list_id: int) -> None:
    """Ask a worker, once the transaction is in, to bring the list up to date."""
    _queue(APPLY_TASK, list_id)


def queue_rebuild(list_id: int, started_by: str) -> None:
    """Ask a worker, once the transaction is in, to rebuild the list."""
    _queue(REBUILD_TASK, list_id, started_by)


def queue_official(list_id: int) -> None:
    """Ask a worker, once the transaction is in, for the official list that somebody requests_waiting."""
    _queue(REQUESTED_TASK, list_id)


def _queue(task: str, *arguments: int | str) -> None:
    def send() -> None:
        hint(task, *arguments)

    # A function of its own, not a partial: Django names a robust hook that failed by its __qualname__.
    transaction.on_commit(send, robust=True)
