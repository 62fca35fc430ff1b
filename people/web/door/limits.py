"""How often a password may be tried: counted by account *and* by where the try comes from.

A stranger who tries passwords at somebody's account uses up the stranger's tries. A browser that has signed in to the account
before has its own, also in a hall where all share one address; an address from which it has signed in is not counted
among those of the whole world. The numbers stand in ``ACCOUNT_RATE_LIMITS`` and are counted by django-allauth.
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
    """Whether whoever is signed in may ask once more if an address has an account: twenty times an hour."""
    return consume(request, app="people", action="has_account", config=_LOOKUP_RATES) is not None


def consume_attempt(request: HttpRequest, login: str) -> RateLimitUsage | None:
    """One try at this account, or None if there are none left. It is given back (``rollback``) when the password was right."""
    used = RateLimitUsage(usage=[])
    for action, key in _attempt_counters(request, login):
        one = consume(request, app=_ALLAUTH_APP, action=action, key=key)
        if one is None:
            return None
        used.usage += one.usage
    return used


def clear_attempts(request: HttpRequest, login: str) -> None:
    """Whoever has replaced the password by mail begins anew."""
    for action, key in _attempt_counters(request, login):
        if key is not None:
            clear(request, app=_ALLAUTH_APP, action=action, key=key)


def _attempt_counters(request: HttpRequest, login: str) -> list[tuple[str, str | None]]:
    """What is counted, from the narrowest to the widest: action, and key if it is not the address alone."""
    login = login.strip().lower()
    account = account_with_email(login)
    if device := _device_key(request, account):
        return [(_DEVICE_ACTION, f"{login} device {device}")]
    address = client_address(request)
    counts: list[tuple[str, str | None]] = [
        (_DEVICE_ACTION, f"{login} address {address}"),
        (_ADDRESS_ACTION, None),
    ]
    # Asked for an account that nobody has, too: the answer takes as long.
    if not has_signed_in_from(account.pk if account else 0, address):
        counts.append((_ACCOUNT_ACTION, login))
    return counts


def _device_key(request: HttpRequest, account: User | None) -> str:
    if account is None:
        return ""
    if request.user.is_authenticated and request.user.pk == account.pk:
        return f"session {request.session.session_key}"
    return device_name(request, account.pk)
