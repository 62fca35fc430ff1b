"""Headers of messages to workers (time sent, request id), and metrics of a worker's tasks."""

import time
from typing import Any, Final

from celery.signals import before_task_publish, task_postrun, task_prerun

from config.watch.messages import SENT_AT_HEADER
from people.watched import CURRENT_WORK_STATS, WorkStats, clean_request_id

REQUEST_ID_KEY: Final = "request_id"


@before_task_publish.connect
def add_message_headers(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Add the time and the request id to a message that is being sent."""
    if headers is None:
        return
    headers[SENT_AT_HEADER] = time.time()
    current_work = CURRENT_WORK_STATS.get()
    if current_work is not None and current_work.request_id:
        headers[REQUEST_ID_KEY] = current_work.request_id


def start_task_counts() -> None:
    """Start counting the tasks and queries of a worker and of its child processes."""
    from config.watch.requests import start_statement_counts  # noqa: PLC0415 (with it comes all that counts)

    start_statement_counts()
    task_prerun.connect(_on_task_started, dispatch_uid="config.watch")
    task_postrun.connect(_on_task_ended, dispatch_uid="config.watch")


_started_at: dict[str, float] = {}


def _on_task_started(task_id: str, task: Any, **_: Any) -> None:
    from config.watch import metrics  # noqa: PLC0415

    headers = task.request.headers or {}
    CURRENT_WORK_STATS.set(
        WorkStats(request_id=clean_request_id(headers.get(REQUEST_ID_KEY)), task=task.name)
    )
    _started_at[task_id] = time.monotonic()
    sent_at, queue = headers.get(SENT_AT_HEADER), (task.request.delivery_info or {}).get("routing_key")
    if isinstance(sent_at, int | float) and queue:
        waited_seconds = max(0.0, time.time() - sent_at)
        metrics.record_safely(lambda: metrics.TASK_WAITED.labels(queue).observe(waited_seconds))


def _on_task_ended(task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    from config.watch import metrics, requests  # noqa: PLC0415

    seconds = time.monotonic() - _started_at.pop(task_id, time.monotonic())
    stats = CURRENT_WORK_STATS.get() or WorkStats()
    CURRENT_WORK_STATS.set(None)

    def note() -> None:
        # A task that defers its message (`config.kept`) ends without a state.
        metrics.TASKS.labels(task.name, (state or "ignored").lower()).inc()
        metrics.TASK_SECONDS.labels(task.name).observe(seconds)
        if stats.statements:
            metrics.TASK_STATEMENTS.labels(task.name).inc(stats.statements)
        if state == "SUCCESS":
            metrics.TASK_LAST_END.labels(task.name).set(time.time())
        requests.record_cache_lookups(stats)

    metrics.record_safely(note)
