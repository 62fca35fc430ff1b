"""The adapter that django-allauth uses during sign-in, sign-up and account changes."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal.ratelimit import RateLimitUsage
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.models import SignIn, User
from people.selectors import account_with_email
from people.services.invitations import is_open_invitation
from people.services.sign_ins import record_sign_in
from people.visitors import client_address
from people.web.door.devices import remember_device
from people.web.door.limits import clear_attempts, consume_attempt

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Rules of this site for accounts, their passwords and their mail."""

    _login_failed_rl_usage: RateLimitUsage | None

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the visitor may sign up: anyone may, or they have opened an invitation to a role."""
        return bool(settings.ACCOUNTS == "open") or is_open_invitation(request.session.get("invited", ""))

    def clean_email(self, email: str) -> str:
        """Return the address. Raises ``ValidationError`` on a site that sends no mail to confirm it."""
        if not settings.MAIL_WORKS:
            raise ValidationError(
                _("This site does not send e-mail. To change your address, contact the site operator.")
            )
        return email

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save a new account with the name that was entered."""
        user.name = form.cleaned_data.get("name", "")
        saved_user: User = super().save_user(request, user, form, commit)
        return saved_user

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt before the password is checked; raise ``ValidationError`` after too many."""
        login = str(credentials.get("email", ""))
        self._login_failed_rl_usage = consume_attempt(request, login)
        if self._login_failed_rl_usage is None:
            account = account_with_email(login)
            logger.warning(
                "sign-in refused: too many tries, account %s, from %s",
                _account_label(account),
                client_address(request),
            )
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Record a wrong password, in the log and in the account's history, without what was typed."""
        account = account_with_email(str(credentials.get("email", "")))
        record_attempt(request, account, SignIn.Outcome.WRONG_PASSWORD, SignIn.Way.PASSWORD)

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Finish the sign-in, and set the cookie by which this browser is known to the account."""
        response: HttpResponse = super().post_login(request, user, **more)
        remember_device(request, response, user)
        return response

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return only second factors where the account has any.

        A stolen session may come with the password.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        second_factors = [method for method in methods if method["id"] != "reauthenticate"]
        if second_factors and not is_mfa_enabled(user, [Authenticator.Type.TOTP]):
            second_factors.reverse()  # the key first, recovery codes after it
        return second_factors or methods

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        clear_attempts(request, str(credentials.get("email", "")))


def record_attempt(request: HttpRequest, account: User | None, outcome: str, way: str) -> None:
    """Record a sign-in or a failed attempt, in the log and in the account's history."""
    address = client_address(request)
    level = logging.INFO if outcome == SignIn.Outcome.IN else logging.WARNING
    logger.log(
        level, "sign-in: %s, by %s, account %s, from %s", outcome, way, _account_label(account), address
    )
    if account is not None:
        program = request.headers.get("User-Agent", "")
        record_sign_in(user=account, outcome=outcome, way=way, address=address, program=program)


def _account_label(account: User | None) -> str:
    """Return the account's id for the log, or "unknown".

    An unknown address is not logged: it may be a password typed into the wrong field.
    """
    return "unknown" if account is None else str(account.pk)
