"""The Celery app.

Messages are hints, the database is the truth: a task carries ids alone, looks for what is undone and is safe to repeat. A lost
message costs a few seconds, because a sweep runs when a worker starts and every `SWEEP_EVERY` seconds after that.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_ready

from config.kept import KeepingTask, give_out
from config.queues import FOLDERS, ROUTES, SWEEPS
from config.watch.tasks import count_tasks
from people.services.hints import hint

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("crawford", task_cls=KeepingTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.checks"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """A receiver here is what tells Celery to leave the logging of the settings alone."""


@worker_init.connect
def watch_tasks(**_: Any) -> None:
    """Before a worker has children: what it counts, they count."""
    count_tasks()


@worker_ready.connect
def sweep_at_start(sender: Any, **_: Any) -> None:
    """Whatever was lost while no worker ran is found at once, and what an older one kept is done."""
    give_out(sender.app)
    for task in SWEEPS:
        hint(task, lost_after=0.0)
    if ROUTES[FOLDERS]["queue"] in sender.app.amqp.queues.consume_from:
        hint(FOLDERS, lost_after=0.0)
