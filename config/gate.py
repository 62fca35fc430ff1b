"""WSGI middleware that rejects or repairs requests that no browser sends.

The site's URLs, forms and cookies are UTF-8.

`Content-Type: …; charset=…` chooses the codec by which Django reads even the query of a GET, and Python has
codecs that are no text encodings or that produce characters no database can store; a header that cannot be
parsed ends in a bare 500 before Django begins. A form of any size is written to the disk before a page can
refuse it. Therefore this runs in front of Django.
"""

import codecs
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.http import parse_header_parameters

from config.refusals import API_PREFIX
from config.serving.bodies import MAX_BODY_BYTES
from faults import Fault
from people.addresses import split_language
from people.api.problems import refusal_response
from people.messages import describe

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_ACCEPTED_CHARSETS = {"utf-8", "ascii"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_PLAIN_TEXT = "text/plain; charset=utf-8"
RETRY_AFTER = {503: "5", 429: "30"}  # seconds, by status


def reject_malformed(application: "WSGIApplication") -> "WSGIApplication":
    """Return ``application`` behind checks: a malformed body gets a 400, a large one a 413.

    An invalid header of a request without body is ignored.
    """

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        content_length = environ.get("CONTENT_LENGTH") or "0"
        if content_length.isdecimal() and int(content_length[:20]) > MAX_BODY_BYTES:
            return _send_refusal(environ, start_response, "413 Content Too Large", "request.too_large")
        if not _is_utf8(environ.get("CONTENT_TYPE", "")):
            if environ["REQUEST_METHOD"].upper() not in _SAFE_METHODS:
                return _send_refusal(environ, start_response, "400 Bad Request", "request.unreadable")
            environ = {**environ, "CONTENT_TYPE": ""}
        return application(environ, start_response)

    return answer


def _send_refusal(
    environ: "WSGIEnvironment", start_response: "StartResponse", status: str, code: str
) -> Iterable[bytes]:
    _, headers, body = build_refusal(environ.get("PATH_INFO", ""), int(status.partition(" ")[0]), code)
    start_response(status, headers)
    return [body]


def build_refusal(path: str, status: int, code: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return status, headers and body for a request that is rejected before any view.

    Below /api/ in the API's format, otherwise a line of text.
    """
    if path.startswith(API_PREFIX):
        response = refusal_response(status, code)
        media_type, body = response["Content-Type"], response.content
    else:
        with translation.override(split_language(path).language or settings.LANGUAGE_CODE):
            media_type, body = _PLAIN_TEXT, f"{describe(Fault(code))}\n".encode()
    retry_headers = [("Retry-After", RETRY_AFTER[status])] if status in RETRY_AFTER else []
    return status, [("Content-Type", media_type), *retry_headers], body


def drop_nul_cookies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that drops cookies with a NUL character: PostgreSQL rejects such values.

    No session of this site has such a value.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return get_response(request)

    return middleware


def _is_utf8(content_type: str) -> bool:
    try:
        charset = parse_header_parameters(content_type)[1].get("charset", "utf-8")
        return codecs.lookup(charset).name in _ACCEPTED_CHARSETS
    except (LookupError, ValueError):
        return False
