"""Limits of password attempts, counted by account *and* by the attempt's origin.

An attacker who tries passwords of an account uses up the attacker's own attempts. A browser that has signed
in to the account before has its own count, also in a hall where all share one address; an address from which
the account has signed in is not counted in the account's total. The limits are ``ACCOUNT_RATE_LIMITS``,
counted by django-allauth.
"""

from allauth.core.internal.ratelimit import RateLimitUsage, clear, consume
from django.http import HttpRequest

from people.models import User
from people.selectors import account_with_email, has_signed_in_from
from people.visitors import client_address
from people.web.door.devices import device_name

_ALLAUTH_APP = "allauth.account"
_LOOKUP_RATES = {"has_account": "20/h/user"}
_DEVICE_ACTION, _ADDRESS_ACTION, _ACCOUNT_ACTION = (
    "login_failed",
    "login_failed_address",
    "login_failed_account",
)


def may_look_up_account(request: HttpRequest) -> bool:
    """Count a check whether an address has an account; return whether it is allowed: twenty times an hour."""
    return consume(request, app="people", action="has_account", config=_LOOKUP_RATES) is not None


def consume_attempt(request: HttpRequest, login: str) -> RateLimitUsage | None:
    """Count an attempt to sign in to the account ``login`` (an address); None if no attempt is left.

    After success, ``rollback`` of the returned usage removes it from the count.
    """
    usage = RateLimitUsage(usage=[])
    for action, key in _attempt_counters(request, login):
        counter_usage = consume(request, app=_ALLAUTH_APP, action=action, key=key)
        if counter_usage is None:
            return None
        usage.usage += counter_usage.usage
    return usage


def clear_attempts(request: HttpRequest, login: str) -> None:
    """Reset the counted attempts of the account ``login`` (an address)."""
    for action, key in _attempt_counters(request, login):
        if key is not None:
            clear(request, app=_ALLAUTH_APP, action=action, key=key)


def _attempt_counters(request: HttpRequest, login: str) -> list[tuple[str, str | None]]:
    """Return the counters of an attempt, from narrowest to widest, each as action and key.

    A key of None: allauth counts by IP address.
    """
    login = login.strip().lower()
    account = account_with_email(login)
    if device := _device_key(request, account):
        return [(_DEVICE_ACTION, f"{login} device {device}")]
    address = client_address(request)
    counts: list[tuple[str, str | None]] = [
        (_DEVICE_ACTION, f"{login} address {address}"),
        (_ADDRESS_ACTION, None),
    ]
    # Also queried for an unknown account: the response takes as long.
    if not has_signed_in_from(account.pk if account else 0, address):
        counts.append((_ACCOUNT_ACTION, login))
    return counts


def _device_key(request: HttpRequest, account: User | None) -> str:
    if account is None:
        return ""
    if request.user.is_authenticated and request.user.pk == account.pk:
        return f"session {request.session.session_key}"
    return device_name(request, account.pk)
