"""Remember which accounts have signed in with a browser: by a signed cookie, without identifying hardware.

The cookie grants no access. Sign-in attempts from a browser that an account has used are counted separately,
so that others cannot use them up.
"""

import secrets
from collections.abc import Mapping

from django.conf import settings
from django.core.signing import BadSignature, dumps, loads
from django.http import HttpRequest, HttpResponse

from people.models import User

COOKIE_NAME = "crawford_device"
SALT = "people.door.device"
COOKIE_SECONDS = 180 * 24 * 3600  # seconds
MAX_ACCOUNTS = 5  # accounts that one browser remembers


def device_name(request: HttpRequest, user_id: int | None) -> str:
    """Return the random name by which the account knows this browser; "" if it never signed in here."""
    return _known_devices(request).get(str(user_id), "")


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add the account to this browser's cookie, with a random name for the browser.

    At most ``MAX_ACCOUNTS``.
    """
    devices = dict(_known_devices(request))
    name = devices.pop(str(user.pk), "") or secrets.token_urlsafe(9)
    latest = dict([*devices.items()][-(MAX_ACCOUNTS - 1) :]) | {str(user.pk): name}
    response.set_cookie(
        COOKIE_NAME,
        dumps(latest, salt=SALT),
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_devices(request: HttpRequest) -> Mapping[str, str]:
    try:
        devices = loads(request.COOKIES.get(COOKIE_NAME, ""), salt=SALT, max_age=COOKIE_SECONDS)
    except BadSignature:
        return {}
    return devices if isinstance(devices, dict) else {}
