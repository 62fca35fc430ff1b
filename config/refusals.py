"""Handlers for errors outside of views: in the API's format under /api/, elsewhere as a page.

Named in ``config.urls``; Django calls them for a wrong host, a form with too many fields, an unknown URL or
an unexpected exception, whichever middleware raised it.
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
# The database, cache or queue does not answer, is busy or restarts.
_AWAY_ERRORS = (django.db.OperationalError, django.db.InterfaceError, kombu.exceptions.OperationalError)
_REDIS_ERRORS = ("ConnectionError", "TimeoutError")
_RETRY_SECONDS = 5  # seconds until a retry: about the time that a server needs to restart
_BUSY_RETRY_SECONDS = 2  # seconds until a retry after another writer


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
    """Return the response to an unexpected exception: no details, but whether to try again.

    Scripts and API clients get no page.
    """
    error = sys.exception()
    by_program = _is_api_request(request) or is_script_request(request)
    if is_disk_full(error):
        return disk_full_response(request, by_program=by_program)
    is_unavailable = _is_away(error)
    retry_headers = (
        {"Retry-After": str(_BUSY_RETRY_SECONDS if is_busy(error) else _RETRY_SECONDS)}
        if is_unavailable
        else {}
    )
    if by_program:
        code = "site.locked" if is_busy(error) else "site.unavailable" if is_unavailable else "site.fault"
        return refusal_response(503 if is_unavailable else 500, code, headers=retry_headers)
    if is_unavailable:
        return _unavailable_response(request, busy=is_busy(error), headers=retry_headers)
    return defaults.server_error(request)


def _unavailable_response(request: HttpRequest, *, busy: bool, headers: dict[str, str]) -> HttpResponse:
    """Return a page that needs no database. A GET reloads itself; other requests have to be sent again."""
    is_read_request = request.method in {"GET", "HEAD"}
    page = loader.get_template("503.html").render({"busy": busy, "reads": is_read_request})
    response = HttpResponse(page, status=503, headers={**headers, "Cache-Control": "no-store"})
    if is_read_request:
        response["Refresh"] = headers["Retry-After"]
    return response


class ReaderSlashMiddleware(CommonMiddleware):
    """Middleware that redirects addresses without their final slash, except API requests that write.

    A redirected client would repeat the request as a GET without body, so it gets a 404 instead.
    """

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        is_write_request = request.method not in {"GET", "HEAD"}
        return not (is_write_request and _is_api_request(request)) and super().should_redirect_with_slash(
            request
        )


def _is_api_request(request: HttpRequest) -> bool:
    return request.path_info.startswith(API_PREFIX)


def _is_away(exc: BaseException | None) -> bool:
    # If it was never imported, no Redis is in use; importing it takes a tenth of a second.
    redis_exceptions = sys.modules.get("redis.exceptions")
    error_types = (
        (*_AWAY_ERRORS, *(getattr(redis_exceptions, name) for name in _REDIS_ERRORS))
        if redis_exceptions is not None
        else _AWAY_ERRORS
    )
    if not isinstance(exc, error_types):
        return False
    cause = exc.__cause__
    # SQLite raises the same error for an invalid statement, which is a bug and stays a 500.
    return not (
        isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode == sqlite3.SQLITE_ERROR
    )
