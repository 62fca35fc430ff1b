"""Identification of the device (browser) that uses a personal link, by a signed cookie with a random name.

The cookie is set at the first action; opening a link sets none. A form sent twice, because the response was
lost, must come from the same device: without a cookie, the name is derived from the form's random key.
Programs save ``device`` from the response and send it in a header.
"""

import re
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, get_cookie_signer
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from people.ids import ALPHABET, PUBLIC_ID_LENGTH, new_public_id
from tournaments.selectors.access.phones import RequestOrigin

COOKIE: Final = "device"
HEADER: Final = "Device"
COOKIE_MAX_AGE_SECONDS: Final = 400 * 24 * 3600  # seconds; the maximum that browsers accept
_SALT: Final = "crawford.device"
_RANDOM_KEY = re.compile(r"[0-9a-f]{32}", re.ASCII)


def known_device(request: HttpRequest) -> str:
    """Return the device name that the browser or program sent.

    Empty if it is missing or its signature is not valid.
    """
    signed_name = request.headers.get(HEADER, "") or request.COOKIES.get(COOKIE, "")
    try:
        return str(_signer().unsign(signed_name))[:PUBLIC_ID_LENGTH]
    except BadSignature:
        return ""


def device_name(request: HttpRequest, key: str = "") -> str:
    """Return the name of the device, or a new name if the request has none.

    ``key``: submission key of the form, from which a new name is derived if the key is random.
    """
    device = known_device(request)
    if device:
        return device
    hex_key = key.replace("-", "").lower()
    if _RANDOM_KEY.fullmatch(hex_key) is None:
        return new_public_id()
    digest = salted_hmac(_SALT, hex_key, algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:PUBLIC_ID_LENGTH])


def current_device(request: HttpRequest, key: str = "") -> RequestOrigin:
    """Return the device from which the current action comes, with the id of the signed-in user or None.

    ``key``: submission key of the form, from which the name of a new device is derived.
    """
    user = request.user
    return RequestOrigin(device_name(request, key), user.pk if user.is_authenticated else None)


def sign_device(device: str) -> str:
    """Return the device name with its signature, for the cookie or the response."""
    return _signer().sign(device)


def set_device_cookie(response: HttpResponse, device: str) -> None:
    """Add the cookie with the signed device name to the response."""
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
