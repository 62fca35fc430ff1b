"""Signal receivers that end an account's push subscriptions when it is signed out."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from people.models import User
from people.services.sign_ins import sessions_ended
from people.web.door.devices import device_name
from tournaments.notices.services.phones import unsubscribe_account, unsubscribe_device


@receiver(user_logged_out)
def end_here(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Unsubscribe the browser that signs out."""
    if user is not None and user.pk is not None:
        unsubscribe_device(user_id=user.pk, device=device_name(request, user.pk))


@receiver(sessions_ended)
def end_elsewhere(user_id: int, keep_device: str, **_: Any) -> None:
    """Unsubscribe the browsers of an account whose sessions were ended, except that of ``keep_device``.

    The signal is sent after a remote sign-out, a password change or a suspension, in its transaction.
    """
    unsubscribe_account(user_id=user_id, kept_device=keep_device)
