"""What all pages behind a personal link share: private headers, errors for invalid links, rate limits.

The address is the secret. These pages are therefore not cached or indexed, and their links send no referrer
to other sites. They are sent compressed, with a random number of bytes: on a slow network the player's page
is readable half a second sooner, and its length reveals nothing of its content (BREACH, breachattack.com).

The policy is ``same-origin`` rather than ``no-referrer``, since with the latter browsers send ``Origin:
null`` with our own forms, which the CSRF check rejects.
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
# Directors can renew links that fail with these codes; not those of past events or suspended accounts.
RENEWABLE_CODES: Final = frozenset({"link.revoked", "link.broken"})


def secret_view(view: View) -> View:
    """Decorate a page behind a personal link: private headers, and a 404 that says why a link is invalid."""

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
    """Add the headers that keep the address secret, and stop Django from logging it.

    Return the same response.
    """
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex, nofollow"
    # Django logs the address of every rejected request unless this attribute is set.
    response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
    return response


def is_rate_limited(request: HttpRequest, purpose: str, *, limit: int, seconds: int) -> bool:
    """Count one more request of the visitor's IP address, and return whether there are more than ``limit``.

    ``purpose``: what is counted; ``seconds``: length of the period after which counting starts again. A whole
    club shares one IP address, so limits are generous: they stop programs, not people.
    """
    return increment_counter("often", [purpose, client_address(request)], seconds) > limit


def client_address(request: HttpRequest) -> str:
    """Return the visitor's IP address.

    The header ``X-Forwarded-For`` counts only if the settings give the number of proxies.
    """
    proxies = int(api_settings.NUM_PROXIES or 0)
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if proxies and forwarded[0]:
        return str(forwarded[-min(proxies, len(forwarded))])
    return str(request.META.get("REMOTE_ADDR", ""))
