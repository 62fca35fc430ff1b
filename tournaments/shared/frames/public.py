"""What all public pages share: responses with 200, 304 or 404. Selectors decide what a page may show."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from faults import Missing
from people.audience import Audience, activate_audience
from people.web.versioned import page_etag, versioned_response
from tournaments.models import Event
from tournaments.selectors.access import visibility
from tournaments.selectors.access.links import is_display_key
from tournaments.selectors.access.visibility import VisibleEvent

View = Callable[..., HttpResponse]


def public_view(view: View) -> View:
    """Decorate a read-only public page: only GET and HEAD are allowed, and ``Missing`` becomes a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Missing as missing:
            raise Http404(missing.code) from missing

    return require_safe(guarded)


def public_page(
    request: HttpRequest,
    template: str,
    context: Callable[[], dict[str, Any]],
    *,
    versions: Sequence[object],
    role: str = "",
    listed: bool = True,
) -> HttpResponse:
    """Render ``template`` with ``context()``, or return a 304 without calling either.

    ``versions``: values that change whenever the page does, for the ETag. ``role``: empty if the page is the
    same for all visitors, signed in or not. ``listed``: False keeps search engines out. The response is
    compressed: a bracket of 1,024 entries is then a tenth of its size.
    """
    for_everybody = not role

    @gzip_page
    def render_page(request: HttpRequest) -> HttpResponse:
        page_context = {
            "etag": page_etag(request, versions, role=role, everybody=for_everybody),
            "canonical": f"{settings.SITE_URL}{request.path}",
            "everybody": True,
            "listed": listed,
            "hall": request.GET.get("view") == "hall",
        }
        return render(request, template, {**context(), **page_context})

    response = versioned_response(
        request, versions, lambda: render_page(request), role=role, everybody=for_everybody
    )
    patch_vary_headers(response, ["Accept-Encoding"])
    if not listed:
        response["X-Robots-Tag"] = "noindex"
    return response


def is_listed(visible: VisibleEvent) -> bool:
    """Return whether search engines may index the pages of the event."""
    return visibility.is_listed(visible.event)


def set_hall_audience(request: HttpRequest, event: Event) -> bool:
    """Return whether the address has the event's display key.

    If so, the page shows names as on displays in the hall, where some are abbreviated.
    """
    if not is_display_key(event, request.GET.get("hall", "")):
        return False
    activate_audience(Audience.HALL)
    return True
