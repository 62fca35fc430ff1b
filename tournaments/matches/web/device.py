"""The browser that a player reports from: a signed cookie with a random name, given at the first report. Opening a link gives none.

It blocks nothing: a director sees where both sides of a match were reported from one phone.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from people.ids import new_public_id

COOKIE: Final = "device"
KEPT: Final = 400 * 24 * 3600  # seconds; browsers keep none longer
_SALT: Final = "crawford.device"


def device_of(request: HttpRequest) -> str:
    """The browser's name, or a new one; a cookie that is not ours counts for nothing."""
    known = request.get_signed_cookie(COOKIE, default="", salt=_SALT)
    return (known or "")[:16] or new_public_id()


def keep_device(response: HttpResponse, device: str) -> None:
    """Let the browser keep its name."""
    response.set_signed_cookie(
        COOKIE,
        device,
        salt=_SALT,
        max_age=KEPT,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
