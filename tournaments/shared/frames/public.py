"""The frame of every public page: what it may show is decided by selectors, here it becomes a 200, a 304 or a 404."""

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
    """A page for reading: GET and HEAD only; what is missing, or not for this visitor, is a 404."""

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
    """``template`` drawn with ``context()``, or a 304 without calling either. ``listed=False``: keep search engines out.

    It is sent compressed: a bracket of 1,024 is a tenth of its size then, and a hall follows it by wireless. Without a ``role`` it is the
    same page for everybody, signed in or not.
    """
    everybody = not role

    @gzip_page
    def draw(request: HttpRequest) -> HttpResponse:
        frame = {
            "etag": page_etag(request, versions, role=role, everybody=everybody),
            "canonical": f"{settings.SITE_URL}{request.path}",
            "everybody": True,
            "listed": listed,
            "hall": request.GET.get("view") == "hall",
        }
        return render(request, template, {**context(), **frame})

    response = versioned_response(request, versions, lambda: draw(request), role=role, everybody=everybody)
    patch_vary_headers(response, ["Accept-Encoding"])
    if not listed:
        response["X-Robots-Tag"] = "noindex"
    return response


def is_listed(visible: VisibleEvent) -> bool:
    """Whether search engines may keep the page."""
    return visibility.is_listed(visible.event)


def set_hall_audience(request: HttpRequest, event: Event) -> bool:
    """A screen of the hall, opened by the address that a director was given, shows the names by which people are called there. Whether it
    is one.
    """
    if not is_display_key(event, request.GET.get("hall", "")):
        return False
    activate_audience(Audience.HALL)
    return True
