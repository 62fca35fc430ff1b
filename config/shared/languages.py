"""WSGI middleware for the language in the URL.

`/de/e/…` reaches Django as `/e/…` under the prefix `/de` (`SCRIPT_NAME`), so that `reverse` and every
template build URLs in that language. A shared page requested without a language redirects to the visitor's
language; only that response varies by Accept-Language. Personal pages have no language in their URL: a
visitor who comes from a German page continues in German, unless they chose another language. POST requests
are never redirected: both URLs accept them.
"""

from collections.abc import Iterable
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from config.shared.asked import chosen_language, is_live_refresh, is_served_here, preferred_language
from config.shared.memory import Headers
from config.shared.pages import AddressKind, address_kind
from people.addresses import split_language

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LANGUAGE_KEY: Final = "crawford.language"  # key of the URL's language in the environ of a request
_READ_METHODS: Final = frozenset({"GET", "HEAD"})
_PATH_SAFE_CHARS: Final = "/~:@!$&'()*+,;="
_FOUND_STATUS: Final = 302


def with_address_language(application: "WSGIApplication") -> "WSGIApplication":
    """Return ``application`` behind middleware that takes the language from the path, or redirects."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        redirect = language_redirect(environ)
        if redirect is not None:
            start_response("302 Found", redirect[1])
            return [b""]
        language, path = (
            ("", "") if environ.get("SCRIPT_NAME") else split_language(environ.get("PATH_INFO", ""))
        )
        if (
            language and address_kind(path) is AddressKind.PRIVATE
        ):  # a form, sent to where nobody's page leads
            language, environ = "", {**environ, "PATH_INFO": path}
        # Language for what Django rejects before it determines one.
        translation.activate(language or preferred_language(environ))
        if language:
            environ = {**environ, "SCRIPT_NAME": f"/{language}", "PATH_INFO": path, LANGUAGE_KEY: language}
        return application(environ, start_response)

    return answer


def language_redirect(environ: "WSGIEnvironment") -> tuple[int, Headers, bytes] | None:
    """Return status, headers and body of a redirect to the same page in another language, or None.

    Makes no query, so a server may call it in its event loop.
    """
    if environ["REQUEST_METHOD"] not in _READ_METHODS or environ.get("SCRIPT_NAME"):
        return None
    full_path = environ.get("PATH_INFO", "")
    language, path = split_language(full_path)
    kind = address_kind(path)
    if (
        not language
        and kind is AddressKind.LOCALIZED
        and is_served_here(environ)
        and not is_live_refresh(environ)
    ):
        extra_headers = [("Cache-Control", "no-cache"), ("Vary", "Accept-Language, Cookie")]
        return (
            _FOUND_STATUS,
            [_redirect_location(environ, f"/{preferred_language(environ)}{path}"), *extra_headers],
            b"",
        )
    if language and full_path == f"/{language}":
        return _FOUND_STATUS, [_redirect_location(environ, f"{full_path}/")], b""
    if language and kind is AddressKind.PRIVATE and is_served_here(environ):
        extra_headers = [("Cache-Control", "no-store"), ("Vary", "Cookie")]
        if not chosen_language(environ):
            extra_headers.append(("Set-Cookie", _language_cookie(language)))
        return _FOUND_STATUS, [_redirect_location(environ, path), *extra_headers], b""
    return None


def _redirect_location(environ: "WSGIEnvironment", path: str) -> tuple[str, str]:
    """Return the header Location; ``path`` is a known URL, so it never begins with two slashes."""
    location_path = quote(path.encode("latin-1", "replace"), safe=_PATH_SAFE_CHARS)
    query = quote(
        environ.get("QUERY_STRING", "").encode("latin-1", "replace"), safe=f"{_PATH_SAFE_CHARS}%?[]"
    )
    return "Location", f"{location_path}?{query}" if query else location_path


def _language_cookie(language: str) -> str:
    """Return a cookie that stores the chosen language until the browser is closed, as Django's view does."""
    cookie: SimpleCookie = SimpleCookie({settings.LANGUAGE_COOKIE_NAME: language})
    morsel = cookie[settings.LANGUAGE_COOKIE_NAME]
    morsel["path"] = settings.LANGUAGE_COOKIE_PATH
    morsel["samesite"] = settings.LANGUAGE_COOKIE_SAMESITE
    if settings.LANGUAGE_COOKIE_SECURE:
        morsel["secure"] = True
    return morsel.OutputString()


class AddressLanguageMiddleware(LocaleMiddleware):
    """Django's `LocaleMiddleware`, except that the language of the URL has priority."""

    def process_request(self, request: HttpRequest) -> None:
        language = request.META.get(LANGUAGE_KEY)
        if language is None:
            super().process_request(request)
            return
        translation.activate(language)
        request.LANGUAGE_CODE = translation.get_language() or language

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = request.META.get(LANGUAGE_KEY)
        if language is None:
            return super().process_response(request, response)
        response.headers.setdefault("Content-Language", language)
        return response
