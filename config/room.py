"""A full disk: reading still works; a request that writes gets a 503 with the reason."""

import errno
import sqlite3

import django.db
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from people.api.problems import refusal_response

_FULL_FILES = {errno.ENOSPC, errno.EDQUOT}
_FULL_SQLITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
_FULL_POSTGRES = "53100"
# An operator has to free space first.
_RETRY_HEADERS = {"Retry-After": "60"}


def is_disk_full(exc: BaseException | None) -> bool:
    """Return whether the exception means that a database or file has no space left."""
    if isinstance(exc, OSError):
        return exc.errno in _FULL_FILES
    cause = exc.__cause__ if isinstance(exc, django.db.Error) else None
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", None) in _FULL_SQLITE
    return getattr(cause, "sqlstate", None) == _FULL_POSTGRES


def disk_full_response(request: HttpRequest, *, by_program: bool) -> HttpResponse:
    """Return the 503 for a full disk; ``by_program``: in the API's format, otherwise as a page."""
    if by_program:
        return refusal_response(503, "site.no_room", headers=_RETRY_HEADERS)
    response = render(request, "full.html", status=503)
    for name, value in _RETRY_HEADERS.items():
        response[name] = value
    return response
