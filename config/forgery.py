"""The response to a form whose CSRF check failed; nothing is changed.

A form sent by a page of this site is shown again with its input, to be submitted again; a form of another
site is not.
"""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.urls import Resolver404, resolve
from django.views.csrf import csrf_failure

from people.web.resend import can_resubmit, render_resubmit_form
from tournaments.matches.web.player import report_without_cookie

_TOKEN_REASON = "CSRF token"  # how Django begins its other reasons that a lost cookie has  # noqa: S105


def csrf_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the response to a failed CSRF check; named in the settings. ``reason`` is Django's."""
    is_same_origin = "Origin" in request.headers and (
        reason == REASON_NO_CSRF_COOKIE or reason.startswith(_TOKEN_REASON)
    )
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return csrf_failure(request, reason)
    if is_same_origin and request.method == "POST" and match.view_name == "player:report":
        return report_without_cookie(request, **match.kwargs)
    if is_same_origin and can_resubmit(request):
        return render_resubmit_form(request)
    return csrf_failure(request, reason)
