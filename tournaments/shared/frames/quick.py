"""What a page's own scripts ask for: its next version, and actions that are answered in a line instead of with a page.

A script says so in a header that no form and no other site can send. The action itself, its checks and its words are those
of the page without scripts.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

_HEADER = "X-Requested-With"


def is_live_request(request: HttpRequest) -> bool:
    """Whether this is a page that renews itself (``live.js``)."""
    return request.headers.get(_HEADER) == "live"


def is_script_request(request: HttpRequest) -> bool:
    """Whether a script waits for a line (``board.js``)."""
    return request.headers.get(_HEADER) == "desk"


def success_response(request: HttpRequest, words: str, back: str) -> HttpResponse:
    """It is done: the words alone for a script, or on the page that it was done from."""
    if is_script_request(request):
        return JsonResponse({"message": words})
    messages.success(request, words)
    return redirect(back)


def refusal_response(reasons: list[str], status: int, now: str = "") -> HttpResponse:
    """It is not done: why, and how things stand now."""
    return JsonResponse({"reasons": reasons, "now": now}, status=status)
