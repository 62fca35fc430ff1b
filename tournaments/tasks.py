"""Celery tasks: safe to repeat, and nothing is lost when one does not run."""

from celery import shared_task

from tournaments.site.services import claim_mail
from tournaments.site.services.retention import forget as forget_what_is_due


@shared_task(ignore_result=True)
def forget() -> None:
    """What was kept for a time, and whose time is over."""
    forget_what_is_due()


@shared_task(ignore_result=True)
def mail_claims(address: str, language: str) -> None:
    """Write to whoever asked by an address, if it is stored for a player."""
    claim_mail.mail_claims(address=address, language=language)
