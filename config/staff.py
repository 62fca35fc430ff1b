"""Require two-step sign-in of operators; until it is set up, only their account pages open."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from config.refusals import API_PREFIX
from people.api.problems import refusal_response
from people.web.door.factors import has_second_factor

_OPEN_PREFIXES = ("/account/", "/i18n/", "/.well-known/")


class StaffSecondFactorMiddleware:
    """Middleware that requires two-step sign-in of operators. Makes no query for other visitors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Redirect an operator without second factor to its set-up; an API request gets a 403."""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path_info.startswith(
            _OPEN_PREFIXES
        ):
            return None
        if not getattr(request.user, "is_staff", False) or has_second_factor(request):
            return None
        if request.path_info.startswith(API_PREFIX):
            return refusal_response(403, "account.second_factor")
        return redirect("mfa_index")
