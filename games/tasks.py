"""Celery tasks. They carry ids, call one service and are safe to repeat; a lost message costs seconds, never a record."""

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
    """Work on one import until nothing is left to do."""
    process_import(batch_id=batch_id)


@shared_task(ignore_result=True, time_limit=WALL_SECONDS + 100)
def analyse() -> None:
    """Analyse the next record that waits; then whoever else waits for this worker comes first.

    Where one worker does everything, it goes on with other work meanwhile: the engine is a process of its own, and waiting for it takes
    a thread.
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
    """Find imports with files that nobody is at (a message was lost, a worker died), and throw old files away."""
    for pk in unfinished_imports():
        queue_import(batch_id=pk, lost_after=RESEND_SECONDS)
    delete_old_held_records()
    delete_orphan_archives()
    analyses.sweep_analyses()


@shared_task(ignore_result=True)
def sweep_folders() -> None:
    """Throw away what engines that were killed left behind here."""
    folders.sweep_folders()
