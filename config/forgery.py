"""What a browser hears whose form came without the site's cookie, or from another site: nothing is taken.

A result that somebody typed on their phone is not lost by that: the form stands there again, to be sent once more. Not so for a form
that another site sent.
"""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.urls import Resolver404, resolve
from django.views.csrf import csrf_failure

from tournaments.matches.web.player import report_again

_TOKEN = "CSRF token"  # how Django begins its other reasons that a lost cookie has  # noqa: S105


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Named in the settings; ``reason`` is Django's."""
    ours = "Origin" in request.headers and (reason == REASON_NO_CSRF_COOKIE or reason.startswith(_TOKEN))
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return csrf_failure(request, reason)
    if ours and request.method == "POST" and found.view_name == "player:report":
        return report_again(request, **found.kwargs)
    return csrf_failure(request, reason)
