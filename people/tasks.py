"""Celery tasks of accounts: idempotent, and without loss if one does not run."""

from celery import shared_task

from people.services.outbox import send_due_mail


@shared_task(ignore_result=True, time_limit=240)
def send_mail() -> None:
    """Send the mail that is due. Started by a message or by the periodic sweep."""
    send_due_mail()
