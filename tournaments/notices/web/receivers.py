"""What ends a sign-in ends the notifications of the account on that browser."""

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
    """A sign-out, in the browser where it happens."""
    if user is not None and user.pk is not None:
        unsubscribe_device(user_id=user.pk, device=device_name(request, user.pk))


@receiver(sessions_ended)
def end_elsewhere(user_id: int, keep_device: str, **_: Any) -> None:
    """All sessions of the account, or all but one: from afar, by a changed password, by a suspension. In that transaction."""
    unsubscribe_account(user_id=user_id, keep=keep_device)
