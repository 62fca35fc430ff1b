"""Cookie that tells a browser which stored report has reached the site.

A browser stores reports until the site has accepted or rejected them (``static/js/kept.js``). This cookie
names a report that was sent by a page's own form, so that the script does not send it again. Without the
cookie it does, and the submission key makes that idempotent.
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
    """Decorate a form view: the response sets the cookie to the ``submission_key`` of the POST."""

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
