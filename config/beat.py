"""Celery beat scheduler that sends no task while a message for that task waits (`people.services.hints`)."""

from typing import Any

from celery.beat import PersistentScheduler

from people.services.hints import MESSAGE_SECONDS, RESEND_SECONDS, enqueue_task


class Scheduler(PersistentScheduler):
    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **_: Any) -> None:
        """Enqueue a periodic task as every other task, so that messages do not pile up while no worker runs.

        Saves the schedule's file each time.
        """
        del producer
        entry = self.reserve(entry) if advance else entry
        interval_seconds = entry.options["expires"]
        enqueue_task(
            entry.task,
            expires=max(interval_seconds, MESSAGE_SECONDS),
            lost_after=max(interval_seconds, RESEND_SECONDS),
        )
        self.sync()
