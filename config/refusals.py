"""What Django refuses outside of every view, and what breaks: under /api/ in the API's own shape, elsewhere as a page.

An odd host, a form with too many fields, an address that nobody has, an exception that nobody expected: Django asks the
handlers here (named in ``config.urls``), whichever of the middlewares it came from.
"""

import sqlite3
import sys

import django.db
import kombu.exceptions
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware
from django.template import loader
from django.views import defaults

from config.room import disk_full_response, is_disk_full
from people.api.problems import refusal_response
from people.transactions import is_busy
from tournaments.shared.frames.quick import is_script_request

API_PREFIX = "/api/"
# A database that does not answer, is busy or starts anew; a cache or a queue likewise.
_AWAY_ERRORS = (django.db.OperationalError, django.db.InterfaceError, kombu.exceptions.OperationalError)
_REDIS_ERRORS = ("ConnectionError", "TimeoutError")
_RETRY_SECONDS = 5  # when to try again: a server that starts anew needs about as long
_BUSY_RETRY_SECONDS = 2  # where somebody else was writing: they are done by then


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not _is_api_request(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return refusal_response(413, "request.too_large")
    return refusal_response(400, "request.odd")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not _is_api_request(request):
        return defaults.permission_denied(request, exception)
    return refusal_response(403, "request.not_allowed")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not _is_api_request(request):
        return defaults.page_not_found(request, exception)
    return refusal_response(404, "request.address_unknown")


def server_error(request: HttpRequest) -> HttpResponse:
    """Nothing of what broke is told, but whether it makes sense to try again. A script of a page that waits for a line gets no page."""
    error = sys.exception()
    by_program = _is_api_request(request) or is_script_request(request)
    if is_disk_full(error):
        return disk_full_response(request, by_program=by_program)
    away = _is_away(error)
    again = {"Retry-After": str(_BUSY_RETRY_SECONDS if is_busy(error) else _RETRY_SECONDS)} if away else {}
    if by_program:
        code = "site.locked" if is_busy(error) else "site.unavailable" if away else "site.fault"
        return refusal_response(503 if away else 500, code, headers=again)
    if away:
        return _unavailable_response(request, busy=is_busy(error), headers=again)
    return defaults.server_error(request)


def _unavailable_response(request: HttpRequest, *, busy: bool, headers: dict[str, str]) -> HttpResponse:
    """A page that needs no database. What is only read it asks for again by itself; what was sent is sent again by whoever sent it."""
    reads = request.method in {"GET", "HEAD"}
    page = loader.get_template("503.html").render({"busy": busy, "reads": reads})
    response = HttpResponse(page, status=503, headers={**headers, "Cache-Control": "no-store"})
    if reads:
        response["Refresh"] = headers["Retry-After"]
    return response


class ReaderSlashMiddleware(CommonMiddleware):
    """Whoever asks for an address without its last slash is led to it; but a program that sends something would come there
    with a GET and nothing in its hands. It hears that there is no such address.
    """

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        sends = request.method not in {"GET", "HEAD"}
        return not (sends and _is_api_request(request)) and super().should_redirect_with_slash(request)


def _is_api_request(request: HttpRequest) -> bool:
    return request.path_info.startswith(API_PREFIX)


def _is_away(exc: BaseException | None) -> bool:
    # Where it was never imported nothing of Redis can be away, and importing it takes a tenth of a second.
    redis = sys.modules.get("redis.exceptions")
    away = (
        (*_AWAY_ERRORS, *(getattr(redis, name) for name in _REDIS_ERRORS))
        if redis is not None
        else _AWAY_ERRORS
    )
    if not isinstance(exc, away):
        return False
    cause = exc.__cause__
    # SQLite says the same of a statement that is wrong, which is a fault of ours and stays one.
    return not (
        isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode == sqlite3.SQLITE_ERROR
    )
