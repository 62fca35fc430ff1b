"""The API's answer to an expected error: the same words as the page, and a machine code; and how it reads JSON."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.views import exception_handler as rest_handler

from faults import Conflict, CrawfordError
from people.messages import describe


class ShallowJSONParser(JSONParser):
    """JSON nested deeper than Python reads is malformed like any other, not a fault of ours."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """``{"code", "detail", "faults": [{code, field, detail, params}], "present"?}`` with the error's own status."""
    if not isinstance(exc, CrawfordError):
        return rest_handler(exc, context)
    body: dict[str, Any] = {
        "code": exc.code,
        "detail": describe(exc),
        "faults": [
            {"code": f.code, "field": f.field, "detail": describe(f), "params": dict(f.said)}
            for f in exc.faults
        ],
    }
    if isinstance(exc, Conflict):
        body["present"] = dict(exc.present)
    return Response(body, status=exc.status)
