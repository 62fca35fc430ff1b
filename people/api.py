"""The API's answer to an expected error: the same words as the page, and a machine code."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler as rest_handler

from people.errors import Conflict, CrawfordError
from people.messages import describe


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """``{"code", "detail", "faults": [{code, field, detail, params}], "present"?}`` with the error's own status."""
    if not isinstance(exc, CrawfordError):
        return rest_handler(exc, context)
    body: dict[str, Any] = {
        "code": exc.code,
        "detail": describe(exc),
        "faults": [
            {"code": f.code, "field": f.field, "detail": describe(f), "params": dict(f.params)}
            for f in exc.faults
        ],
    }
    if isinstance(exc, Conflict):
        body["present"] = dict(exc.present)
    return Response(body, status=exc.status)
