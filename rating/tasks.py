"""Celery tasks of ratings. Each takes ids, calls one service and is idempotent.

A lost message only causes a delay.
"""

from celery import shared_task

from people.services.hints import enqueue_task
from rating.services import official as official_lists
from rating.services.apply import outdated_lists, update_list_ratings
from rating.services.official import lists_with_due_days, make_due_lists
from rating.services.queue import sweep_lists
from rating.services.rebuild import empty_old_generations, interrupted_list_ids, run_requested_rebuild
from rating.services.table_jobs import clean_up_imports, process_import, sweep_imports


@shared_task(ignore_result=True)
def apply_pending(list_id: int) -> None:
    """Bring one rating list up to date."""
    update_list_ratings(list_id)


@shared_task(ignore_result=True, time_limit=3600)
def rebuild(list_id: int, started_by: str = "") -> None:  # noqa: ARG001 (messages of earlier releases name it)
    """Rebuild one rating list, as a director requested."""
    run_requested_rebuild(list_id=list_id)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Queue overdue work again (a message was lost, a worker died, a period closed), and delete old data."""
    sweep_lists(
        outdated_ids=outdated_lists(),
        rebuild_ids=interrupted_list_ids(),
        request_ids=official_lists.requested_list_ids(),
    )
    sweep_imports()
    clean_up_imports()
    empty_old_generations()


@shared_task(ignore_result=True)
def make_requested(list_id: int) -> None:
    """Make the official list that a director requested."""
    official_lists.make_requested(list_id=list_id)


@shared_task(ignore_result=True)
def import_table(import_id: int) -> None:
    """Check one imported table, or write its rows if a director has confirmed them."""
    process_import(import_id=import_id)


@shared_task(ignore_result=True)
def official() -> None:
    """Queue each rating list with an official list that is due, also for days on which no worker ran."""
    for pk in lists_with_due_days():
        enqueue_task(make_official.name, pk)


@shared_task(ignore_result=True)
def make_official(list_id: int) -> None:
    """Make the official lists of one rating list that are due."""
    make_due_lists(list_id)
