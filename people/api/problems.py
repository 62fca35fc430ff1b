"""A refusal of the API: problem details (RFC 9457), in one shape wherever it comes from.

``type`` leads to the words of the code on this site's own page and is the same on every site; ``title`` stands for the status,
``detail`` says what is wrong here. ``code`` is that of the first of ``faults``, which name everything found at once; ``present``
says after a conflict how it stands now. Faults of ours, refusals of the framework and those before any view (``config.refusals``,
``config.gate``) are all made here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.settings import api_settings
from rest_framework.utils.encoders import JSONEncoder

from faults import Conflict, CrawfordError, Fault
from people.messages import describe, known_codes

MEDIA_TYPE = "application/problem+json"
# Every code with its words: `type` is this page at the place of the code. The same text on every site.
PAGE = "/api/v1/problems/"
TITLES = {
    400: _("The request cannot be read"),
    401: _("Not signed in"),
    403: _("Not allowed"),
    404: _("There is no such thing"),
    405: _("Not with this method"),
    406: _("Not in this format"),
    409: _("It stands otherwise now"),
    413: _("Too large"),
    415: _("Not in this media type"),
    422: _("Something in it is not right"),
    429: _("Too many requests"),
    500: _("A fault of this site"),
    503: _("Not available just now"),
}
# What the framework refuses, by its own code.
CODES = {
    "parse_error": "request.unreadable",
    "authentication_failed": "request.not_signed_in",
    "not_authenticated": "request.not_signed_in",
    "permission_denied": "request.not_allowed",
    "not_found": "request.address_unknown",
    "method_not_allowed": "request.method",
    "not_acceptable": "request.not_acceptable",
    "unsupported_media_type": "request.media_type",
    "throttled": "request.too_often",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A fault with the sentence for it, where that is not simply its code's."""

    fault: Fault
    detail: str


class TooLarge(exceptions.APIException):
    """More than is read here (413)."""

    status_code = 413
    default_code = "request.too_large"


def problem(
    status: int,
    found: Sequence[Found],
    *,
    headers: Mapping[str, str] | None = None,
    present: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The answer; ``found`` are all faults, the first one leading."""
    lead = found[0]
    body: dict[str, Any] = {
        "type": f"{PAGE}#{lead.fault.code}",
        "title": TITLES[status],
        "status": status,
        "detail": lead.detail,
        "code": lead.fault.code,
        "faults": [
            {
                "code": one.fault.code,
                "field": one.fault.field,
                "detail": one.detail,
                "params": dict(one.fault.said),
            }
            for one in found
        ],
    }
    if present is not None:
        body["present"] = dict(present)
    text = json.dumps(body, cls=JSONEncoder, ensure_ascii=False)
    return HttpResponse(text, status=status, content_type=MEDIA_TYPE, headers=headers)


def refusal(
    status: int, code: str, *, headers: Mapping[str, str] | None = None, **params: Any
) -> HttpResponse:
    """The answer to one fault that has words."""
    fault = Fault(code, params=params)
    return problem(status, [Found(fault, describe(fault))], headers=headers)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:  # noqa: ARG001
    """What REST framework asks for each exception in a view; None: it is no refusal, but a fault of ours."""
    if isinstance(exc, CrawfordError):
        found = [Found(fault, describe(fault)) for fault in exc.faults]
        present = exc.present if isinstance(exc, Conflict) else None
        return problem(exc.status, found, present=present)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if not isinstance(exc, exceptions.APIException):
        return None
    if isinstance(exc, exceptions.ValidationError):
        return problem(exc.status_code, list(_invalid_fields(exc.detail)))
    headers, said = {}, {}
    if header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if isinstance(exc, exceptions.Throttled):
        said["seconds"] = int(getattr(exc, "wait", None) or 1)
        headers["Retry-After"] = str(said["seconds"])
    code, sentence = _code_and_words(exc)
    fault = Fault(code, params=said)
    # Where a body breaks off, and why a token does not fit, the framework says better than any text for all of them.
    own = isinstance(exc, exceptions.ParseError) or code == "request.csrf"
    return problem(exc.status_code, [Found(fault, sentence if own else describe(fault))], headers=headers)


def _code_and_words(exc: exceptions.APIException) -> tuple[str, str]:
    said = str(exc.detail)
    if said.startswith("CSRF Failed: "):
        return "request.csrf", said
    code = str(getattr(exc.detail, "code", ""))
    return (code if code in known_codes() else CODES[code]), said


def _invalid_fields(detail: Any, path: tuple[str, ...] = ()) -> Iterator[Found]:
    """The framework's tree of sentences as faults; ``field`` is the way through the body, as in ``divisions.0.name``."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _invalid_fields(inner, path if whole else (*path, str(name)))
    elif isinstance(detail, list | tuple):
        for number, inner in enumerate(detail):
            sentence = isinstance(inner, str)
            yield from _invalid_fields(inner, path if sentence else (*path, str(number)))
    else:
        code = f"field.{getattr(detail, 'code', '')}"
        fault = Fault(code if code in known_codes() else "field.invalid", ".".join(path) or None)
        yield Found(fault, str(detail))
