"""Celery tasks of the checks. Idempotent; a missed run only delays the check by an hour."""

from celery import shared_task

from tournaments.checks.background import check_due_events


@shared_task(ignore_result=True, time_limit=600)
def soundness() -> None:
    """Run the integrity check of some events."""
    check_due_events()
