"""Every page and every answer of the API that only reads is made of one moment of the database (`people.snapshot`)."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from people.snapshot import snapshot

# Others write where they read: allauth keeps addresses it finds missing.
OWN_APPS = {"config", "people", "games", "rating", "tournaments"}
READ_METHODS = {"GET", "HEAD"}


def render_view(view: Callable[..., Any], request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """What ``view`` answers, written out: a template, or a value of the API, is read from the database only then."""
    response: HttpResponse = view(request, *args, **kwargs)
    render = getattr(response, "render", None)
    return render() if callable(render) else response


class SnapshotMiddleware:
    """Innermost of the middlewares: sessions and messages are saved outside."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The view's answer, rendered."""
        if request.method not in READ_METHODS or view.__module__.partition(".")[0] not in OWN_APPS:
            return None
        # Who looks is read before: a session whose account has a new password is deleted on the way.
        bool(request.user)
        with snapshot():
            return render_view(view, request, *args, **kwargs)
