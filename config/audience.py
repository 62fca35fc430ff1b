"""The audience for which a response reads names (`people.audience`).

The public, except behind a role or a personal link.

What a request writes does not depend on the audience: services read full names (`people.transactions`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from people.audience import Audience, activate_audience, current_audience, override_audience

# Pages that require a role, and pages of the own account.
PRIVATE_NAMESPACES = {"director", "operators", "people", "rating_director", "admin", "usersessions"}
_ACCOUNT_PREFIXES = ("account_", "mfa_", "usersessions_")


class AudienceMiddleware:
    """Middleware that sets the public audience until the address is resolved, then that of the page.

    Afterwards the previous audience is restored.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with override_audience(Audience.PUBLIC):
            response = self.get_response(request)
            if isinstance(response, StreamingHttpResponse):
                parts = cast("Iterable[bytes]", response.streaming_content)
                response.streaming_content = _with_audience(current_audience(), parts)
            return response

    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: tuple[Any, ...], _kwargs: dict[str, Any]
    ) -> None:
        match = request.resolver_match
        assert match is not None
        namespace = match.namespaces[0] if match.namespaces else ""
        is_account_page = not namespace and str(match.url_name).startswith(_ACCOUNT_PREFIXES)
        if namespace in PRIVATE_NAMESPACES or is_account_page:
            activate_audience(Audience.FULL)
        elif namespace == "player":
            activate_audience(Audience.HALL)


def _with_audience(audience: Audience, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a streamed body, each with the audience of the view, which has already returned."""
    part_iterator = iter(parts)
    while True:
        with override_audience(audience):
            try:
                part = next(part_iterator)
            except StopIteration:
                return
        yield part
