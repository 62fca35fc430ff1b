"""Responses to a page's own scripts: updates of the page, and messages instead of pages for actions.

Scripts are recognised by a header that forms and other sites cannot send. Actions, checks and texts are those
of the page without scripts.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

_HEADER = "X-Requested-With"


def is_live_request(request: HttpRequest) -> bool:
    """Return whether the request is from a page that updates itself (``live.js``)."""
    return request.headers.get(_HEADER) == "live"


def is_script_request(request: HttpRequest) -> bool:
    """Return whether the request is from a script that expects JSON with a message (``board.js``)."""
    return request.headers.get(_HEADER) == "desk"


def success_response(request: HttpRequest, message: str, back: str) -> HttpResponse:
    """Respond to a completed action.

    A script gets the message as JSON; a form is redirected to ``back``, which shows it.
    """
    if is_script_request(request):
        return JsonResponse({"message": message})
    messages.success(request, message)
    return redirect(back)


def refusal_response(reasons: list[str], status: int, now: str = "") -> HttpResponse:
    """Return JSON for a script whose action was refused: ``reasons``, and the current state in ``now``."""
    return JsonResponse({"reasons": reasons, "now": now}, status=status)
