"""Celery tasks. They carry ids, call one service and are safe to repeat; a lost message costs seconds, never a record."""

from celery import shared_task

from games.services.held import drop_old_files
from games.services.imports import drop_lost_archives, queue_import, unfinished_imports, work_on


@shared_task(ignore_result=True)
def import_records(batch_id: int) -> None:
    """Work on one import until nothing is left to do."""
    work_on(batch_id=batch_id)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Find imports with files that nobody is at (a message was lost, a worker died), and throw old files away."""
    for pk in unfinished_imports():
        queue_import(batch_id=pk)
    drop_old_files()
    drop_lost_archives()
