"""Error responses of the API: problem details (RFC 9457), in one format wherever the error comes from.

``type`` links to the message of the code on a page of this site and is the same on every site; ``title``
names the status, ``detail`` is the message of the first error. ``code`` is that of the first of ``faults``,
which lists all errors found; after a conflict ``present`` gives the present state. All error responses are
built here: for errors of services and of REST framework and for those raised before any view
(``config.refusals``, ``config.gate``).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.settings import api_settings

from faults import Conflict, CrawfordError, Fault
from people.api.answers import Answer, JSONRenderer, Moment, field_description
from people.messages import describe, known_codes
from people.models.naming import Named

MEDIA_TYPE = "application/problem+json"
# The page of all codes with their messages, with the code as fragment. The same text on every site.
PROBLEMS_PATH = "/api/v1/problems/"
TITLES = {
    400: _("Invalid request"),
    401: _("Not signed in"),
    403: _("Not allowed"),
    404: _("Not found"),
    405: _("Method not allowed"),
    406: _("Response format not available"),
    408: _("Request timed out"),
    409: _("Conflict with the current state"),
    411: _("Content length required"),
    413: _("Too large"),
    415: _("Media type not supported"),
    422: _("Invalid data"),
    429: _("Too many requests"),
    500: _("Server error"),
    503: _("Temporarily unavailable"),
}
# Errors of REST framework by its own code.
FRAMEWORK_CODES = {
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


Reference = Annotated[str, msgspec.Meta(extra_json_schema={"format": "uri-reference"})]


class FaultDetail(Answer, frozen=True):
    """One error in a request."""

    code: str
    field: Annotated[str | None, field_description("Path in the body, such as `divisions.0.name`.")]
    detail: Annotated[str, field_description("A message for people, in the language of the request.")]
    params: Annotated[dict[str, Any], field_description("The values in the message, as data.")]


class ChangeMade(Answer, frozen=True):
    """A change that another user made since the version that the request expected."""

    who: str
    at: Moment
    action: Annotated[str, field_description("Code of the action.")]
    what: Annotated[str, field_description("A message for people, in the language of the request.")]


class Problem(Answer, frozen=True):
    """Why a request was rejected: problem details of RFC 9457, with all errors at once."""

    type: Annotated[
        Reference, field_description("Address of the code's description; the same on every site.")
    ]
    title: Annotated[str, field_description("The kind of error, for people.")]
    status: int
    detail: Annotated[str, field_description("The first error, for people.")]
    code: Annotated[str, field_description("The first error, for programs.")]
    faults: list[FaultDetail]
    present: Annotated[
        dict[str, Any] | msgspec.UnsetType, field_description("The current state, only after a conflict.")
    ] = msgspec.UNSET
    changes: Annotated[
        list[ChangeMade] | msgspec.UnsetType,
        field_description(
            "After a conflict, for directors and assistants of the event: the latest changes, newest first."
        ),
    ] = msgspec.UNSET


class TooLarge(exceptions.APIException):
    """The request body or file is too large (413)."""

    status_code = 413
    default_code = "request.too_large"


class TooManyRequests(exceptions.Throttled):
    """Too many attempts (429).

    ``code`` says of what, ``wait`` are the seconds until the next attempt is allowed.
    """

    def __init__(self, code: str, wait: int) -> None:
        super().__init__(wait=wait, code=code)


def problem_response(
    status: int,
    fault_details: Sequence[FaultDetail],
    *,
    headers: Mapping[str, str] | None = None,
    present: Mapping[str, Any] | None = None,
    changes: Sequence[ChangeMade] | None = None,
) -> HttpResponse:
    """Return the error response with these errors; the first one decides ``code`` and ``detail``.

    ``present``: after a conflict, the present state. ``changes``: the changes made meanwhile with their
    authors, where known and visible to the caller.
    """
    first = fault_details[0]
    body = Problem(
        type=f"{PROBLEMS_PATH}#{first.code}",
        title=str(TITLES[status]),
        status=status,
        detail=first.detail,
        code=first.code,
        faults=list(fault_details),
        present=msgspec.UNSET if present is None else dict(present),
        changes=msgspec.UNSET if changes is None else list(changes),
    )
    text = JSONRenderer().render(body)
    return HttpResponse(text, status=status, content_type=MEDIA_TYPE, headers=headers)


def fault_detail(fault: Fault, sentence: str | None = None) -> FaultDetail:
    """Return the fault as part of a response.

    ``sentence`` replaces the registered message of the fault's code.
    """
    # Players and entries are named as the recipient may see them.
    params = {
        key: str(value) if isinstance(value, Named) else value for key, value in fault.all_params.items()
    }
    return FaultDetail(fault.code, fault.field, describe(fault) if sentence is None else sentence, params)


def refusal_response(
    status: int, code: str, *, headers: Mapping[str, str] | None = None, **params: Any
) -> HttpResponse:
    """Return the error response for a single error ``code``; ``params`` are the parameters of its message."""
    return problem_response(status, [fault_detail(Fault(code, params=params))], headers=headers)


def exception_handler(
    exc: Exception,
    context: Mapping[str, Any],  # noqa: ARG001 (the framework's signature)
    *,
    changes: Sequence[ChangeMade] | None = None,
) -> HttpResponse | None:
    """Return the error response for an exception of a view (REST framework's hook).

    None for an internal error.

    ``changes``: as in ``problem_response``.
    """
    if isinstance(exc, CrawfordError):
        fault_details = [fault_detail(fault) for fault in exc.faults]
        present = exc.present if isinstance(exc, Conflict) else None
        return problem_response(exc.status, fault_details, present=present, changes=changes)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if not isinstance(exc, exceptions.APIException):
        return None
    if isinstance(exc, exceptions.ValidationError):
        return problem_response(exc.status_code, list(_invalid_fields(exc.detail)))
    headers, params = {}, {}
    if header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if isinstance(exc, exceptions.Throttled):
        params["seconds"] = int(getattr(exc, "wait", None) or 1)
        headers["Retry-After"] = str(params["seconds"])
        params |= getattr(exc, "params", {})
    code, sentence = _code_and_message(exc)
    fault = Fault(code, params=params)
    # For malformed bodies and invalid tokens the framework's message is more precise than a fixed text.
    has_own_message = isinstance(exc, exceptions.ParseError) or code == "request.csrf"
    return problem_response(
        exc.status_code, [fault_detail(fault, sentence if has_own_message else None)], headers=headers
    )


def _code_and_message(exc: exceptions.APIException) -> tuple[str, str]:
    text = str(exc.detail)
    if text.startswith("CSRF Failed: "):
        return "request.csrf", text
    code = str(getattr(exc.detail, "code", ""))
    return (code if code in known_codes() else FRAMEWORK_CODES[code]), text


def _invalid_fields(detail: Any, path: tuple[str, ...] = ()) -> Iterator[FaultDetail]:
    """Yield REST framework's nested messages, each with its path in the body (``divisions.0.name``)."""
    if isinstance(detail, Mapping):
        for name, nested in detail.items():
            is_non_field = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _invalid_fields(nested, path if is_non_field else (*path, str(name)))
    elif isinstance(detail, list | tuple):
        for number, nested in enumerate(detail):
            is_message = isinstance(nested, str)
            yield from _invalid_fields(nested, path if is_message else (*path, str(number)))
    else:
        detail_code = str(getattr(detail, "code", ""))
        code = detail_code if "." in detail_code else f"field.{detail_code}"
        fault = Fault(code if code in known_codes() else "field.invalid", ".".join(path) or None)
        yield fault_detail(fault, str(detail))
