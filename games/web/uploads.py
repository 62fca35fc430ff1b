"""Limits on uploaded files, in size and number, before they are read.

The size is checked by the announced length, before the body is read: Django's own CSRF check of forms would
read all of it first. So these views disable that check and apply it after the limit.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from faults import Fault
from games.records.decoding import MAX_BYTES
from games.records.registry import SUFFIXES
from people.caching import increment_counter
from people.messages import describe
from people.services.quotas import CHECKS, quota_limit

FORM_OVERHEAD_BYTES = 100_000  # the other fields of a form and the boundaries
DAY_SECONDS = 24 * 3600
View = Callable[..., HttpResponse]


def with_suffixes(text: str | Promise) -> Any:
    """Return ``text`` (lazily) with the endings of readable formats and the size limit in MB filled in.

    ``text`` contains ``%(endings)s`` and ``%(size)s``.
    """
    params = {"endings": ", ".join(SUFFIXES), "size": MAX_BYTES // 1_000_000}
    return lazy(lambda: str(text) % params, str)()


class CheckThrottle(SimpleRateThrottle):
    """The limit of checks by one visitor in a minute and in a day; a whole club may share one address."""

    scope = "records"
    rate = "60/min"

    def get_cache_key(self, request: Request | HttpRequest, view: APIView | None) -> str:  # noqa: ARG002
        return f"often:records:{_client_key(request)}"

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not super().allow_request(request, view):
            return False
        user = request.user if request.user.is_authenticated else None
        check_count = increment_counter("checks", [_client_key(request)], DAY_SECONDS)
        if check_count > CHECKS.default_amount and check_count > (
            CHECKS.default_amount if user is None else quota_limit(CHECKS, user)
        ):
            raise DailyLimitReached
        return True


class DailyLimitReached(Throttled):
    """A visitor has used up the daily quota of checks (429)."""

    default_code = "quota.checks"

    def __init__(self) -> None:
        super().__init__(wait=DAY_SECONDS // 24, code=self.default_code)
        self.params = {"limit": CHECKS.default_amount, "contact": settings.OPERATOR_CONTACT}


def _client_key(request: Request | HttpRequest) -> str:
    user = request.user
    return f"user-{user.pk}" if user.is_authenticated else CheckThrottle().get_ident(request)  # type: ignore[arg-type]


def throttle_message(request: HttpRequest) -> str:
    """Return a message why this visitor can check no file now; "" if they can."""
    try:
        is_allowed = CheckThrottle().allow_request(request, None)  # type: ignore[arg-type]
    except DailyLimitReached as error:
        return describe(Fault(error.default_code, params={**error.params, "seconds": 0}))
    return (
        "" if is_allowed else _("You have checked many files in a short time. Wait a minute and try again.")
    )


def limit_upload(limit: int = MAX_BYTES) -> Callable[[View], View]:
    """Decorate a view: a request that announces more than a file of ``limit`` bytes is rejected (413)."""

    def decorate(view: View) -> View:
        protected_view = csrf_protect(view)

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            declared_length = request.META.get("CONTENT_LENGTH") or "0"
            if request.method == "POST" and (
                not declared_length.isdecimal() or int(declared_length) > limit + FORM_OVERHEAD_BYTES
            ):
                return render_too_large(request, limit)
            return protected_view(request, *args, **kwargs)

        return csrf_exempt(guarded)

    return decorate


def render_too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """Render the page of the error that a file is too large; ``limit``: bytes."""
    message = _("The file is too large. The limit is %(limit)s MB. Export the match without analysis.") % {
        "limit": limit // 1_000_000
    }
    return render(request, "games/refused.html", {"words": message, "back": request.path}, status=413)
