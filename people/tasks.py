"""Celery tasks of accounts: safe to repeat, and nothing is lost when one does not run."""

from celery import shared_task

from people.services.sign_ins import forget_sign_ins


@shared_task(ignore_result=True)
def forget() -> None:
    """Sign-ins whose time is over."""
    forget_sign_ins()
