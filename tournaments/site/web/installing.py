"""Installation of the site as an app on a phone: web app manifest, service worker, start page."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from people.addresses import without_language
from people.webpush import site_key
from tournaments.selectors.access.links import entry_from_token
from tournaments.shared.frames.player import secret_view
from tournaments.shared.frames.public import public_page, public_view

APP_NAME: Final = "Crawford"
# As in the head of every page, which also has the color of dark pages; a manifest has one color.
BACKGROUND_COLOR: Final = "#fffdf8"
ICON_PATH: Final = "img/icon-192.png"
_ICONS: Final = (
    ("img/favicon.svg", "any", "any", "image/svg+xml"),
    (ICON_PATH, "192x192", "any", "image/png"),
    ("img/icon-512.png", "512x512", "any", "image/png"),
    ("img/icon-maskable.png", "512x512", "maskable", "image/png"),
)


def _manifest(start: str) -> JsonResponse:
    """Return the web app manifest; ``start``: the path that the installed app opens first.

    The manifest's id is the same for every start path, so that the site is one app.
    """
    content: dict[str, Any] = {
        "id": "/",
        "name": APP_NAME,
        "short_name": APP_NAME,
        "description": _("Backgammon clubs and tournaments"),
        "lang": get_language(),
        "dir": "rtl" if get_language_bidi() else "ltr",
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": BACKGROUND_COLOR,
        "theme_color": BACKGROUND_COLOR,
        "icons": [
            {"src": static(path), "sizes": sizes, "purpose": purpose, "type": kind}
            for path, sizes, purpose, kind in _ICONS
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Manifest of the site: the app starts with the last personal page of this device, or with the events."""
    response = _manifest(without_language(reverse("public:start")))
    response["Cache-Control"] = "public, max-age=3600"
    return response


@secret_view
@require_safe
def entry_manifest(_request: HttpRequest, token: str) -> HttpResponse:
    """Manifest of a personal page: the app starts with this page.

    For devices on which browser and installed app share no storage.
    """
    entry_from_token(token)
    return _manifest(reverse("player:home", args=[token]))


@public_view
def start_page(request: HttpRequest) -> HttpResponse:
    """Page that opens the personal page used last on this device, or shows what works offline.

    The script is ``js/start.js``.
    """
    return public_page(request, "site/start.html", dict, versions=[], listed=False)


@require_safe
@gzip_page
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Script of the service worker, at the root of the site so that its scope covers every page.

    The release in the first line makes browsers fetch the script again after every update.
    """
    response = HttpResponse(_worker_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=1)
def _worker_script() -> str:
    source = (Path(settings.BASE_DIR) / "static" / "js" / "worker.js").read_text()
    constants = {
        "ICON": static(ICON_PATH),
        "LANGUAGES": [code for code, _name in settings.LANGUAGES],
        "PUSH_KEY": site_key(),
        "RENEWED": without_language(reverse("player:push-renewed")),
    }
    lines = [f"const {name} = {json.dumps(value)};" for name, value in constants.items()]
    return "\n".join([f"// {settings.RELEASE}", *lines, source])


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for programs that request /favicon.ico without reading a page."""
    response = HttpResponse(status=302, headers={"Location": static(ICON_PATH)})
    response["Cache-Control"] = "public, max-age=86400"
    return response
