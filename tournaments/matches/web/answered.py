"""Acknowledgement of reports that a browser stores (``static/js/kept.js``) and sent by a page's own form.

The site has accepted or rejected them, and they need not be sent again. Without the acknowledgement they are,
and their keys make that idempotent.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE_NAME: Final = "answered"
COOKIE_SECONDS: Final = 300  # seconds, until the next page is loaded
_KEY_PATTERN = re.compile(r"[\w-]{1,64}", re.ASCII)


def acknowledge_key(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of a form with a ``submission_key``."""

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
