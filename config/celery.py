"""The Celery app.

A message only says that there may be work; the database holds the work. A task carries ids only, looks for
work that is not done, and is safe to repeat. A lost message costs a few seconds, because periodic tasks run
when a worker starts and every `SWEEP_SECONDS` seconds after that.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_ready

from config.kept import DeferringTask, requeue_deferred
from config.queues import ROUTES, SWEEP_FOLDERS_TASK, SWEEP_TASKS
from config.watch.tasks import start_task_counts
from people.services.hints import enqueue_task

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("crawford", task_cls=DeferringTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.checks"])


@setup_logging.connect
def leave_logging_configured(**_: Any) -> None:
    """Do nothing: because this signal has a receiver, Celery keeps the logging of the settings."""


@worker_init.connect
def start_task_metrics(**_: Any) -> None:
    """Start counting tasks and queries before a worker forks, so that its child processes count, too."""
    start_task_counts()


@worker_ready.connect
def queue_sweeps(sender: Any, **_: Any) -> None:
    """Enqueue the periodic tasks and put deferred messages back when a worker starts."""
    requeue_deferred(sender.app)
    for task in SWEEP_TASKS:
        enqueue_task(task, lost_after=0.0)
    if ROUTES[SWEEP_FOLDERS_TASK]["queue"] in sender.app.amqp.is_waiting.consume_from:
        enqueue_task(SWEEP_FOLDERS_TASK, lost_after=0.0)
