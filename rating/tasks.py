"""Celery tasks. They carry ids, call one service and are safe to repeat; a lost message costs seconds, never a rating."""

from celery import shared_task

from people.services.hints import hint
from rating.services import official as official_lists
from rating.services.apply import apply_list, lists_behind
from rating.services.official import lists_due, make_due
from rating.services.queue import sweep_lists
from rating.services.rebuild import dead_rebuilds, rebuild_requested, tidy
from rating.services.table_jobs import sweep_tables, tidy_tables, work_on


@shared_task(ignore_result=True)
def apply_pending(list_id: int) -> None:
    """Bring one list up to date."""
    apply_list(list_id)


@shared_task(ignore_result=True, time_limit=3600)
def rebuild(list_id: int, started_by: str = "") -> None:  # noqa: ARG001 (messages of earlier releases name it)
    """Rebuild one list, because a director asked for it."""
    rebuild_requested(list_id=list_id)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Find what is left undone (a message was lost, a worker died, a period closed) and tell workers of it; tidy up."""
    sweep_lists(behind=lists_behind(), rebuilds=dead_rebuilds(), requests=official_lists.requests_waiting())
    sweep_tables()
    tidy_tables()
    tidy()


@shared_task(ignore_result=True)
def make_requested(list_id: int) -> None:
    """Make the official list that a director asked for."""
    official_lists.make_requested(list_id=list_id)


@shared_task(ignore_result=True)
def import_table(import_id: int) -> None:
    """Check one table, or take it in."""
    work_on(import_id=import_id)


@shared_task(ignore_result=True)
def official() -> None:
    """Find lists whose schedule wants an official list by now, and queue each: a day on which no worker ran is made up for."""
    for pk in lists_due():
        hint(make_official.name, pk)


@shared_task(ignore_result=True)
def make_official(list_id: int) -> None:
    """Make the official lists that are due of one list."""
    make_due(list_id)
