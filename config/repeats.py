"""``Idempotency-Key`` of the API: a request that changes something can be repeated with the same key.

The same key with the same address and body gets the same response, with ``Idempotent-Replayed: true``; with
other content it is rejected. Only successful responses (2xx) are stored, for two days, separately for each
requester: a rejected request changed nothing and is processed again. If an operation returns a secret
(``tells_secret``: a link, a code, the name of a device), its response is not stored: a repeated request only
learns that it was done.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from config.refusals import API_PREFIX
from config.snapshot import render_view
from faults import Conflict, CrawfordError, Missing
from people.api.problems import fault_detail, problem_response, refusal_response
from people.services import repeats
from tournaments.shared.api.auth import entry_from_header

KEY_HEADER: Final = "Idempotency-Key"
MAX_KEY_LENGTH: Final = 64
SAFE_METHODS: Final = {"GET", "HEAD", "OPTIONS"}
BODY_FIELD: Final = "submission_key"


class IdempotencyMiddleware:
    """Middleware for repeated API requests; the innermost one, because it needs to know the requester."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the view's response or the stored one; None for requests without a key."""
        if request.method in SAFE_METHODS or not request.path.startswith(API_PREFIX):
            return None
        # A key that the service itself stores permanently is not stored here too (`own_key`); files come with such a key only.
        if _is_form(request) or _view_has(view, "own_key"):
            return None
        key, requester = _idempotency_key(request, view), _requester(request)
        if not key or not requester:
            return None
        if len(key) > MAX_KEY_LENGTH or not key.isprintable():
            return refusal_response(422, "request.key_odd", limit=MAX_KEY_LENGTH)
        request_digest = repeats.digest(
            str(request.method).encode(), request.get_full_path().encode(), request.body
        )
        try:
            claim = repeats.claim_key(
                scope=repeats.digest(requester, key.encode()), request_digest=request_digest
            )
        except CrawfordError as error:
            headers = {"Retry-After": "1"} if error.code == "request.key_running" else None
            present = error.present if isinstance(error, Conflict) else None
            return problem_response(
                error.status,
                [fault_detail(fault) for fault in error.faults],
                headers=headers,
                present=present,
            )
        if claim.status:
            return HttpResponse(
                claim.body,
                status=claim.status,
                content_type="application/json",
                headers={"Idempotent-Replayed": "true"},
            )
        with repeats.mark_done_on_commit(claim):
            response = render_view(view, request, *args, **kwargs)
        if 200 <= response.status_code < 300 and _view_has(view, "tells_secret"):
            repeats.mark_done(claim)
        elif 200 <= response.status_code < 300:
            repeats.save_response(claim, status=response.status_code, body=response.content.decode())
        elif 400 <= response.status_code < 500:
            repeats.discard_claim(claim)
        else:
            repeats.release_claim(claim)
        return response


def _is_form(request: HttpRequest) -> bool:
    return (request.content_type or "").startswith("multipart/")


def _view_has(view: Callable[..., Any], attribute: str) -> bool:
    """Return whether the view's class sets this attribute."""
    return bool(getattr(getattr(view, "cls", None), attribute, False))


def _idempotency_key(request: HttpRequest, view: Callable[..., Any]) -> str:
    """Return the key from the header, or from the body if the operation allows it; "" without one."""
    key = request.headers.get(KEY_HEADER, "")
    if key or not _view_has(view, "key_in_body") or BODY_FIELD.encode() not in request.body:
        return key
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):  # the view reports the error
        return ""
    body_key = body.get(BODY_FIELD) if isinstance(body, dict) else None
    return body_key if isinstance(body_key, str) else ""


def _requester(request: HttpRequest) -> bytes:
    """Return a text for the account or the personal link that sends the request; empty for anyone else.

    Nobody else can change anything.
    """
    if request.user.is_authenticated:
        return f"user:{request.user.pk}".encode()
    link = request.headers.get("Authorization", "")
    try:
        is_known = entry_from_header(link) is not None
    except Missing:
        is_known = False
    return f"link:{link}:{request.headers.get('Device', '')}".encode(errors="replace") if is_known else b""
