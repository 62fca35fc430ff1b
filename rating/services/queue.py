"""Queue rating tasks on commit. A broker that is away delays ratings until the sweep; it never fails a result."""

from functools import partial

from django.db import transaction


def queue_apply(list_id: int) -> None:
    transaction.on_commit(partial(_send, list_id), robust=True)


def _send(list_id: int) -> None:
    from rating.tasks import apply_pending  # the task module imports the services

    apply_pending.delay(list_id)
