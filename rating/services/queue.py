"""Queue rating tasks on commit. A broker that is away delays ratings until the sweep; it never fails a result."""

from django.db import transaction


def queue_apply(list_id: int) -> None:
    """Ask a worker, once the transaction is in, to bring the list up to date."""

    def send() -> None:
        from rating.tasks import apply_pending  # the task module imports the services

        # No retry: whoever reported a result must not wait for a broker that is away.
        apply_pending.apply_async((list_id,), retry=False)

    # A function of its own, not a partial: Django names a robust hook that failed by its __qualname__.
    transaction.on_commit(send, robust=True)


def queue_rebuild(list_id: int, started_by: str) -> None:
    """Ask a worker, once the transaction is in, to rebuild the list."""

    def send() -> None:
        from rating.tasks import rebuild

        rebuild.apply_async((list_id, started_by), retry=False)

    transaction.on_commit(send, robust=True)
