"""Ask the site as a browser does: through the whole WSGI application, with the pages that are the same for everybody in front of it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import Client
from django.urls import get_script_prefix, set_script_prefix

from config.gate import reject_malformed
from config.shared.languages import with_address_language
from config.shared.serve import SharedPages


class Site(SharedPages):
    """The application of one process, with nothing drawn yet; it counts what Django itself was asked."""

    def __init__(self, limit: int = 4_000_000, clock: Callable[[], float] | None = None) -> None:
        django = reject_malformed(with_address_language(WSGIHandler()))
        self.asked: list[str] = []

        def counting(environ: Any, start_response: Any) -> Iterable[bytes]:
            self.asked.append(environ["PATH_INFO"])
            return django(environ, start_response)

        self.now = 1000.0
        super().__init__(counting, limit, clock or (lambda: self.now))

    def later(self, seconds: float = 2) -> None:
        """Time passes: no page is right any more without a look at its versions."""
        self.now += seconds

    def visitor(self, **headers: str) -> Client:
        """Somebody with a browser of their own."""
        return visitor_of(self, **headers)

    def asked_itself(self) -> Client:
        """Somebody for whom everything is drawn, as by nobody else."""
        return visitor_of(self.application)


def visitor_of(application: Any, **headers: str) -> Client:
    client = Client(headers=headers)
    client.handler = _Bridge(application, client.handler)  # type: ignore[assignment]
    return client


@contextmanager
def _inside_the_test() -> Iterator[None]:
    """The test's own connection and transaction stay open, as with Django's test client."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


@contextmanager
def _own_prefix() -> Iterator[None]:
    """The test goes on to make its addresses as before: Django leaves a request's prefix in the thread until the next one."""
    before = get_script_prefix()
    try:
        yield
    finally:
        set_script_prefix(before)


class _Bridge:
    """Django's test client, talking to a WSGI application."""

    def __init__(self, site: Any, usual: Any) -> None:
        self.site, self.usual = site, usual

    def __call__(self, environ: dict[str, Any]) -> HttpResponse:
        told: dict[str, Any] = {}

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> None:
            told.update(status=int(status.split(maxsplit=1)[0]), headers=headers)

        with _inside_the_test(), _own_prefix():
            parts = self.site({"HTTP_HOST": "testserver", **environ}, start_response)
            try:
                body = b"".join(parts)
            finally:
                getattr(parts, "close", lambda: None)()
        response = HttpResponse(body, status=told["status"])
        del response.headers["Content-Type"]
        for name, value in told["headers"]:
            if name == "Set-Cookie":
                response.cookies.load(value)
            else:
                response.headers[name] = value
        response.wsgi_request = None  # type: ignore[assignment]
        return response
