"""Render every page and API response that only reads from one snapshot of the database.

The snapshot is that of `people.snapshot`.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from people.snapshot import snapshot

# Other apps write where they read: allauth saves addresses that it finds missing.
OWN_APPS = {"config", "people", "games", "rating", "tournaments"}
READ_METHODS = {"GET", "HEAD"}


def render_view(view: Callable[..., Any], request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Return the rendered response of ``view``: templates and API values only read when rendered."""
    response: HttpResponse = view(request, *args, **kwargs)
    render = getattr(response, "render", None)
    return render() if callable(render) else response


class SnapshotMiddleware:
    """Middleware that renders in a snapshot.

    The innermost one, because sessions and messages are saved outside.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the view's response, rendered in a snapshot; None for a request that may write."""
        if request.method not in READ_METHODS or view.__module__.partition(".")[0] not in OWN_APPS:
            return None
        # Load the user first: a session whose account has a new password is deleted on the way.
        bool(request.user)
        with snapshot():
            return render_view(view, request, *args, **kwargs)
