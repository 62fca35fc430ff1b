"""Celery tasks of the checks. They are idempotent; a missed run only delays the check by an hour."""

from celery import shared_task

from tournaments.checks.background import check_due_events


@shared_task(ignore_result=True, time_limit=600)
def soundness() -> None:
    """Run the integrity check of the events that most need one."""
    check_due_events()
