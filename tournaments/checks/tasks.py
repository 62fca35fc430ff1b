"""Celery tasks of the checks. Safe to repeat; one that does not run costs an hour."""

from celery import shared_task

from tournaments.checks.background import check_due_events


@shared_task(ignore_result=True, time_limit=600)
def soundness() -> None:
    """Ask some events whether they are sound."""
    check_due_events()
