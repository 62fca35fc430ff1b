"""Tells a browser which of the words that it keeps (``static/js/kept.js``) the site has answered on a page of its own: taken or refused,
they need not be sent again. Without it they are, and their keys see to it that nothing happens twice.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE_NAME: Final = "answered"
COOKIE_SECONDS: Final = 300  # seconds: until the next page is there
_KEY_PATTERN = re.compile(r"[\w-]{1,64}", re.ASCII)


def acknowledge_key(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of a form with a ``submission_key``."""

    @wraps(view)
    def answered(request: HttpRequest, **kwargs: str) -> HttpResponse:
        response = view(request, **kwargs)
        key = request.POST.get("submission_key", "") if request.method == "POST" else ""
        if _KEY_PATTERN.fullmatch(key):
            response.set_cookie(
                COOKIE_NAME,
                key,
                max_age=COOKIE_SECONDS,
                path="/my/",
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response

    return answered
