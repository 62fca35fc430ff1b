"""Tasks: each message says when it was sent and by which request, and a worker counts what becomes of it."""

import time
from typing import Any, Final

from celery.signals import before_task_publish, task_postrun, task_prerun

from config.watch.messages import SENT_AT
from people.watched import NOW, Watched, request_id_of

REQUEST_ID: Final = "request_id"


@before_task_publish.connect
def mark_message(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Whoever sends it."""
    if headers is None:
        return
    headers[SENT_AT] = time.time()
    now = NOW.get()
    if now is not None and now.request_id:
        headers[REQUEST_ID] = now.request_id


def count_tasks() -> None:
    """For a worker: from now on its tasks, and those of its children, are counted."""
    from config.watch.requests import count_statements  # noqa: PLC0415 (with it comes all that counts)

    count_statements()
    task_prerun.connect(_begun, dispatch_uid="config.watch")
    task_postrun.connect(_ended, dispatch_uid="config.watch")


_begun_at: dict[str, float] = {}


def _begun(task_id: str, task: Any, **_: Any) -> None:
    from config.watch import metrics  # noqa: PLC0415

    headers = task.request.headers or {}
    NOW.set(Watched(request_id=request_id_of(headers.get(REQUEST_ID)), task=task.name))
    _begun_at[task_id] = time.monotonic()
    sent, queue = headers.get(SENT_AT), (task.request.delivery_info or {}).get("routing_key")
    if isinstance(sent, int | float) and queue:
        waited = max(0.0, time.time() - sent)
        metrics.counted(lambda: metrics.TASK_WAITED.labels(queue).observe(waited))


def _ended(task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    from config.watch import metrics, requests  # noqa: PLC0415

    taken = time.monotonic() - _begun_at.pop(task_id, time.monotonic())
    watched = NOW.get() or Watched()
    NOW.set(None)

    def note() -> None:
        # A task that puts its message aside (`config.kept`) ends without a state.
        metrics.TASKS.labels(task.name, (state or "ignored").lower()).inc()
        metrics.TASK_SECONDS.labels(task.name).observe(taken)
        if watched.statements:
            metrics.TASK_STATEMENTS.labels(task.name).inc(watched.statements)
        if state == "SUCCESS":
            metrics.TASK_LAST.labels(task.name).set(time.time())
        requests.count_cache(watched)

    metrics.counted(note)
