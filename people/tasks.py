"""Celery tasks of accounts: safe to repeat, and nothing is lost when one does not run."""

from celery import shared_task

from people.services.outbox import send_due_mail


@shared_task(ignore_result=True, time_limit=240)
def send_mail() -> None:
    """Send the mail that is due. A message and the sweep are the same: both look into the table."""
    send_due_mail()
