"""In front of Django: the language of an address.

`/de/e/…` is asked of Django as `/e/…` under the prefix `/de` (WSGI's `SCRIPT_NAME`), so that `reverse` and every template build addresses in
that language by themselves. Who asks for a page for everybody without a language is led to it in their own; that answer alone varies by
what the browser likes. Pages of one's own have no language in their address: whoever comes to one from a page in German reads on in
German, unless they have chosen otherwise. What is sent (POST) is led nowhere: it is taken at either address.
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

LANGUAGE_KEY: Final = "crawford.language"  # of the address, in the environment of a request
_READ_METHODS: Final = frozenset({"GET", "HEAD"})
_PATH_SAFE_CHARS: Final = "/~:@!$&'()*+,;="
_FOUND_STATUS: Final = 302


def with_address_language(application: "WSGIApplication") -> "WSGIApplication":
    """``application``, asked without the language of the address, or not at all by whoever is led elsewhere."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        elsewhere = language_redirect(environ)
        if elsewhere is not None:
            start_response("302 Found", elsewhere[1])
            return [b""]
        language, path = (
            ("", "") if environ.get("SCRIPT_NAME") else split_language(environ.get("PATH_INFO", ""))
        )
        if (
            language and address_kind(path) is AddressKind.PRIVATE
        ):  # a form, sent to where nobody's page leads
            language, environ = "", {**environ, "PATH_INFO": path}
        # What Django refuses before it has looked for a language is said in this one.
        translation.activate(language or preferred_language(environ))
        if language:
            environ = {**environ, "SCRIPT_NAME": f"/{language}", "PATH_INFO": path, LANGUAGE_KEY: language}
        return application(environ, start_response)

    return answer


def language_redirect(environ: "WSGIEnvironment") -> tuple[int, Headers, bytes] | None:
    """Status, headers and body for whoever is led to the same page at another address; None for all others. Asks no database, so a
    server may call it in its loop.
    """
    if environ["REQUEST_METHOD"] not in _READ_METHODS or environ.get("SCRIPT_NAME"):
        return None
    whole = environ.get("PATH_INFO", "")
    language, path = split_language(whole)
    kind = address_kind(path)
    if (
        not language
        and kind is AddressKind.LOCALIZED
        and is_served_here(environ)
        and not is_live_refresh(environ)
    ):
        more = [("Cache-Control", "no-cache"), ("Vary", "Accept-Language, Cookie")]
        return (
            _FOUND_STATUS,
            [_redirect_location(environ, f"/{preferred_language(environ)}{path}"), *more],
            b"",
        )
    if language and whole == f"/{language}":
        return _FOUND_STATUS, [_redirect_location(environ, f"{whole}/")], b""
    if language and kind is AddressKind.PRIVATE and is_served_here(environ):
        more = [("Cache-Control", "no-store"), ("Vary", "Cookie")]
        if not chosen_language(environ):
            more.append(("Set-Cookie", _language_cookie(language)))
        return _FOUND_STATUS, [_redirect_location(environ, path), *more], b""
    return None


def _redirect_location(environ: "WSGIEnvironment", path: str) -> tuple[str, str]:
    """On this site: ``path`` is one that its addresses know, so it never begins with two slashes."""
    where = quote(path.encode("latin-1", "replace"), safe=_PATH_SAFE_CHARS)
    query = quote(
        environ.get("QUERY_STRING", "").encode("latin-1", "replace"), safe=f"{_PATH_SAFE_CHARS}%?[]"
    )
    return "Location", f"{where}?{query}" if query else where


def _language_cookie(language: str) -> str:
    """The language that somebody reads, as a choice, until the browser is closed: as Django's own view keeps it."""
    cookie: SimpleCookie = SimpleCookie({settings.LANGUAGE_COOKIE_NAME: language})
    kept = cookie[settings.LANGUAGE_COOKIE_NAME]
    kept["path"] = settings.LANGUAGE_COOKIE_PATH
    kept["samesite"] = settings.LANGUAGE_COOKIE_SAMESITE
    if settings.LANGUAGE_COOKIE_SECURE:
        kept["secure"] = True
    return kept.OutputString()


class AddressLanguageMiddleware(LocaleMiddleware):
    """Django's own, but a language in the address goes before what was chosen and what the browser likes."""

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
