"""Celery tasks. They carry ids, call one service and are safe to repeat; a lost message costs seconds, never a record."""

import threading

from celery import shared_task
from django.conf import settings
from django.db import connections

from games.analysis import folders
from games.analysis.limits import PATIENCE
from games.services import analyses
from games.services.held import drop_old_files
from games.services.imports import drop_lost_archives, queue_import, unfinished_imports, work_on
from people.services.hints import RESEND_AFTER

ANALYST = "analyst"


@shared_task(ignore_result=True)
def import_records(batch_id: int) -> None:
    """Work on one import until nothing is left to do."""
    work_on(batch_id=batch_id)


@shared_task(ignore_result=True, time_limit=PATIENCE + 100)
def analyse() -> None:
    """Analyse the next record that waits; then whoever else waits for this worker comes first.

    Where one worker does everything, it goes on with other work meanwhile: the engine is a process of its own, and waiting for it takes
    a thread.
    """
    if not settings.ANALYSE_BESIDE:
        analyses.tell_others()
        if analyses.work():
            analyses.tell()
    elif not any(thread.name == ANALYST for thread in threading.enumerate()):
        threading.Thread(target=_analyse_beside, name=ANALYST, daemon=True).start()


def _analyse_beside() -> None:
    try:
        while analyses.work():
            pass
    finally:
        connections.close_all()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Find imports with files that nobody is at (a message was lost, a worker died), and throw old files away."""
    for pk in unfinished_imports():
        queue_import(batch_id=pk, lost_after=RESEND_AFTER)
    drop_old_files()
    drop_lost_archives()
    analyses.sweep()


@shared_task(ignore_result=True)
def sweep_folders() -> None:
    """Throw away what engines that were killed left behind here."""
    folders.sweep_folders()
