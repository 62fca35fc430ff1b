"""The browser from which somebody speaks by a personal link: a signed cookie with a random name, given when it first says something.

Opening a link gives none. A form of ours that was sent twice, because the answer was lost on the way, comes from the same browser: the
name follows from the form's own random key where there is no cookie yet. Programs keep what the answer holds as ``device`` and
send it in a header.
"""

import re
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, get_cookie_signer
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from people.ids import ALPHABET, PUBLIC_ID_LENGTH, new_public_id
from tournaments.selectors.access.phones import Phone

COOKIE: Final = "device"
HEADER: Final = "Device"
COOKIE_MAX_AGE_SECONDS: Final = 400 * 24 * 3600  # seconds; browsers keep none longer
_SALT: Final = "crawford.device"
_RANDOM_KEY = re.compile(r"[0-9a-f]{32}", re.ASCII)


def known_device(request: HttpRequest) -> str:
    """The name that the browser or program brings; empty if it brings none that is ours."""
    given = request.headers.get(HEADER, "") or request.COOKIES.get(COOKIE, "")
    try:
        return str(_signer().unsign(given))[:PUBLIC_ID_LENGTH]
    except BadSignature:
        return ""


def device_name(request: HttpRequest, key: str = "") -> str:
    """The name of the browser, or a new one. ``key``: that of the form, from which a new one follows if nobody could guess it."""
    known = known_device(request)
    if known:
        return known
    form = key.replace("-", "").lower()
    if _RANDOM_KEY.fullmatch(form) is None:
        return new_public_id()
    digest = salted_hmac(_SALT, form, algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:PUBLIC_ID_LENGTH])


def phone_of(request: HttpRequest, key: str = "") -> Phone:
    """Where what is said now comes from."""
    user = request.user
    return Phone(device_name(request, key), user.pk if user.is_authenticated else None)


def sign_device(device: str) -> str:
    """The name as it is given out."""
    return _signer().sign(device)


def set_device_cookie(response: HttpResponse, device: str) -> None:
    """Let the browser keep its name."""
    response.set_cookie(
        COOKIE,
        sign_device(device),
        max_age=COOKIE_MAX_AGE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _signer() -> TimestampSigner:
    return get_cookie_signer(salt=COOKIE + _SALT)
