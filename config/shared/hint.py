"""A cookie that tells scripts whether there is a session.

A shared page names no visitor; its script requests `/me.json`, and would do so for every visitor. So a second
cookie accompanies the session cookie, which scripts cannot read: it says only that there is a session.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HINT_COOKIE = "crawford_in"


def session_hint(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that sets and deletes the hint cookie together with the session cookie."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if session is not None and not session.value:
            response.delete_cookie(HINT_COOKIE, samesite=settings.SESSION_COOKIE_SAMESITE)
        elif session is not None or _needs_hint(request, response):
            response.set_cookie(
                HINT_COOKIE,
                "1",
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite=settings.SESSION_COOKIE_SAMESITE,
            )
        return response

    return middleware


def _needs_hint(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response should set the hint cookie that a signed-in visitor lacks.

    Not on public (shared) pages, which set no cookie.
    """
    user = request.__dict__.get("_cached_user")
    if user is None or not user.is_authenticated or HINT_COOKIE in request.COOKIES:
        return False
    return "public" not in response.get("Cache-Control", "")
