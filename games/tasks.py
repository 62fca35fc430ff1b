"""Celery tasks of game records. They take ids, call one service and are idempotent.

A lost message only causes a delay.
"""

import threading

from celery import shared_task
from django.conf import settings
from django.db import connections

from games.analysis import folders
from games.analysis.limits import WALL_SECONDS
from games.services import analyses
from games.services.held import delete_old_held_records
from games.services.imports import delete_orphan_archives, process_import, queue_import, unfinished_imports
from people.services.hints import RESEND_SECONDS

ANALYSIS_THREAD_NAME = "analyst"


@shared_task(ignore_result=True)
def import_records(batch_id: int) -> None:
    """Process files of one import for a while; the rest is queued again."""
    process_import(batch_id=batch_id)


@shared_task(ignore_result=True, time_limit=WALL_SECONDS + 100)
def analyse() -> None:
    """Analyse the next waiting record; then other tasks of this worker have priority.

    A single worker for everything continues with other work meanwhile: the engine is a separate process, and
    waiting for it takes a thread.
    """
    if not settings.ANALYSE_BESIDE:
        analyses.notify_other_worker()
        if analyses.process_next_analysis():
            analyses.notify_worker()
    elif not any(thread.name == ANALYSIS_THREAD_NAME for thread in threading.enumerate()):
        threading.Thread(target=_analyse_in_thread, name=ANALYSIS_THREAD_NAME, daemon=True).start()


def _analyse_in_thread() -> None:
    try:
        while analyses.process_next_analysis():
            pass
    finally:
        connections.close_all()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Queue imports whose files no worker processes, put back analyses of dead workers, delete old files.

    A message may have been lost, or a worker may have died.
    """
    for pk in unfinished_imports():
        queue_import(batch_id=pk, lost_after=RESEND_SECONDS)
    delete_old_held_records()
    delete_orphan_archives()
    analyses.sweep_analyses()


@shared_task(ignore_result=True)
def sweep_folders() -> None:
    """Delete the folders of killed engines on this machine."""
    folders.sweep_folders()
