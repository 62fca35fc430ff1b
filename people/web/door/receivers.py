"""Receivers of django-allauth's signals about accounts."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_changed,
    password_changed,
    password_reset,
    password_set,
    user_logged_in,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from django.dispatch import receiver
from django.http import HttpRequest

from people.models import SignIn, User
from people.services.sign_ins import end_sessions
from people.web.door.adapters import record_attempt


@receiver(user_logged_in)
def keep_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    """Record a sign-in in the account's history, with the second factor that was used."""
    way = SignIn.Way.PASSWORD
    for record in get_authentication_records(request, user):
        if record.get("passwordless"):
            way = SignIn.Way.PASSKEY
        elif record.get("method") == "mfa":
            way = SignIn.Way(record["type"])
    record_attempt(request, user, SignIn.Outcome.IN, way)


@receiver(authentication_failed)
def keep_wrong_code(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Record in the account's history that the password was right and the second factor wrong."""
    record_attempt(request, user, SignIn.Outcome.WRONG_CODE, SignIn.Way(authenticator.type))


@receiver(email_changed)
def tell_new_address(
    user: User, from_email_address: EmailAddress | None, to_email_address: EmailAddress, **_: Any
) -> None:
    """Send a mail about a changed address to the new address; django-allauth writes to the old one."""
    if from_email_address is not None and from_email_address.email != to_email_address.email:
        context = {"from_email": from_email_address.email, "to_email": to_email_address.email}
        get_adapter().send_notification_mail(
            "account/email/email_changed", user, context=context, email=to_email_address.email
        )


@receiver([password_changed, password_reset, password_set])
def leave_everywhere(user: User, **_: Any) -> None:
    """End all sessions of an account after a change of its password."""
    end_sessions(user=user)
