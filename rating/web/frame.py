"""The layout of public rating pages: read-only, 304 while unchanged, 404 if missing."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from faults import Missing
from people import zones
from people.web.versioned import page_etag, versioned_response
from rating.models import RatingList
from rating.selectors.visibility import names_version

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def public_view(view: View[P]) -> View[P]:
    """Decorate a view: only GET and HEAD are allowed, and ``Missing`` becomes a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Missing as error:
            raise Http404(error.code) from error

    return cast("View[P]", require_safe(guarded))


def visitor_zone(request: HttpRequest, club_id: int) -> ZoneInfo:
    """Return the time zone for one visitor: the zone of the account, else the club's."""
    zone_name = getattr(request.user, "timezone", "")
    return zones.zone_by_name(zone_name) if zone_name else club_zone(club_id)


def club_zone(club_id: int) -> ZoneInfo:
    """Return the time zone of a page that is the same for everyone.

    It is the club's own, else that of its events, else the site's.
    """
    return zones.club_zone(club_id)


def render_list_page(
    request: HttpRequest,
    template: str,
    context: Callable[[], dict[str, Any]],
    *,
    about: RatingList,
    versions: Sequence[object] = (),
) -> HttpResponse:
    """Render a public page about a list with the context that ``context()`` returns, or return a 304.

    ``versions``: further values that change when the page changes; for a 304 ``context`` is not called.
    """
    zone = club_zone(about.club_id)
    versions = [about.version, names_version(), *versions, zone.key]

    @gzip_page
    def draw(request: HttpRequest) -> HttpResponse:
        frame = {
            "list": about,
            "etag": page_etag(request, versions, everybody=True),
            "canonical": f"{settings.SITE_URL}{request.path}",
            "everybody": True,
        }
        with timezone.override(zone):
            return render(request, template, {**context(), **frame})

    response = versioned_response(request, versions, lambda: draw(request), everybody=True)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
