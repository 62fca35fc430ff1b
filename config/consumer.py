"""Celery consumer that defers messages for tasks that this release does not know (`config.kept`)."""

import logging
from typing import Any

from celery.worker import consumer

from config.kept import defer_message, log_deferred

log = logging.getLogger(__name__)


class Consumer(consumer.Consumer):
    """Consumer that keeps a message for an unknown task, which Celery would discard with a traceback."""

    def on_unknown_task(self, body: Any, message: Any, exc: Exception) -> None:
        name = (message.headers or {}).get("task")
        if not name:
            super().on_unknown_task(body, message, exc)
            return
        defer_message(self.app, message)
        message.ack_log_error(log, self.connection_errors)  # type: ignore[attr-defined]  # made when it starts
        log_deferred(name)
