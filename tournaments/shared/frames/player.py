"""The frame of every page behind a secret link: who holds it, and that the link stays with them.

The address is the key. So these pages are kept in no cache and no search engine, and carry no link that would tell
another site where the visitor came from. They are sent compressed, behind a random number of bytes: on a slow network the page of a player
is readable half a second sooner, and its length tells nobody what stands in it (BREACH, breachattack.com). ``same-origin`` rather than ``no-referrer``: under the latter browsers send
``Origin: null`` with our own forms, which the CSRF check rightly refuses.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.defaults import permission_denied
from rest_framework.settings import api_settings

from faults import Missing
from people.caching import increment_counter
from people.messages import describe

View = Callable[..., HttpResponse]
# A director gives out a good link in the place of such a one; of an event that is long over, or a suspended account, nobody does.
RENEWABLE_CODES: Final = frozenset({"link.revoked", "link.broken"})


def secret_view(view: View) -> View:
    """A page behind a link: private headers, and a friendly 404 that says what to do when the link is no longer good."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            response = view(request, **kwargs)
        except Missing as missing:
            context = {"reason": describe(missing), "can_be_made": missing.code in RENEWABLE_CODES}
            response = render(request, "shared/gone.html", context, status=404)
        except PermissionDenied as denied:
            response = permission_denied(request, denied)
        return add_private_headers(response)

    return gzip_page(guarded)


def add_private_headers(response: HttpResponse) -> HttpResponse:
    """``response`` with the headers that keep the link a secret, and without the log line that would write it down."""
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex, nofollow"
    # Django logs the address of every refused request unless it believes that this was done already.
    response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
    return response


def is_rate_limited(request: HttpRequest, purpose: str, *, limit: int, seconds: int) -> bool:
    """Whether this address has done ``purpose`` more than ``limit`` times in the running period.

    A whole club sits behind one address, so limits are generous: they stop machines, not people.
    """
    return increment_counter("often", [purpose, client_address(request)], seconds) > limit


def client_address(request: HttpRequest) -> str:
    """The visitor's address; a proxy's word is taken only where the settings name one."""
    proxies = int(api_settings.NUM_PROXIES or 0)
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if proxies and forwarded[0]:
        return str(forwarded[-min(proxies, len(forwarded))])
    return str(request.META.get("REMOTE_ADDR", ""))
