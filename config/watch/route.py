"""The route of a request, which is its URL name, so that the number of different routes is limited."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from people.watched import CURRENT_WORK_STATS


class RouteMiddleware:
    """Middleware that stores the route of a request for its metrics; the outermost one that sees views."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        _view: Callable[..., Any],
        _args: tuple[Any, ...],
        _kwargs: Mapping[str, Any],
    ) -> None:
        current_work = CURRENT_WORK_STATS.get()
        if current_work is not None and request.resolver_match is not None:
            current_work.route = request.resolver_match.view_name
