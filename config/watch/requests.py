"""Around the whole site: every request has an id, and is counted.

An id that comes in `X-Request-ID` (8 to 64 letters, digits, dots, dashes) is taken over, so that a proxy's log and ours say the same; any other
request gets one. It goes out with the answer, into every log line, and with the messages to workers (`config.watch.tasks`).
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import connections
from django.db.backends.signals import connection_created

from config.serving.lanes import WATCHED
from config.watch import metrics
from config.watch.life import PATH, life
from people.watched import NOW, Watched, new_request_id, request_id_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from prometheus_client import Counter, Histogram

    from config.shared.serve import SharedPages

access = logging.getLogger("crawford.access")
HEADER: Final = "X-Request-ID"
# What needed no view: pages from memory, and whoever is led elsewhere; files; questions of those who watch; what nobody has.
MEMORY: Final = "(memory)"
FILE: Final = "(file)"
WATCH: Final = "(watch)"
NONE: Final = "(none)"
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS: Final = _READING | {"POST", "PUT", "PATCH", "DELETE"}
_ERRORS: Final = 400

Given = tuple[int, list[tuple[str, str]], bytes]


class WatchedSite:
    """``site``, with ids and figures. Its answers are those of ``site``."""

    def __init__(self, site: "SharedPages") -> None:
        self.site = site
        count_statements()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        request = _Request(environ)

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            request.answered = int(status[:3])
            return start_response(status, [*headers, (HEADER, request.watched.request_id)], *more)

        try:
            return _Parts(self.site(environ, start), request)
        except BaseException:
            request.ended()
            raise

    def instant(self, environ: dict[str, Any]) -> Given | None:
        """As `SharedPages.instant`; and whether this process lives, also while all threads are busy."""
        if environ["PATH_INFO"] == PATH:
            status, body = life()
            return status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body
        began = time.perf_counter()
        found = self.site.instant(environ)
        if found is None:
            return None
        status, headers, body = found
        taken = time.perf_counter() - began
        _count(environ["REQUEST_METHOD"], status, taken, Watched(route=MEMORY))
        given = request_id_of(environ.get("HTTP_X_REQUEST_ID")) or new_request_id()
        return status, [*headers, (HEADER, given)], body


def watched_refusal(refused: Callable[[str, int, str], Given]) -> Callable[[str, int, str], Given]:
    """``refused``, counted: what never came as far as the site."""

    def answer(path: str, status: int, code: str) -> Given:
        metrics.counted(lambda: metrics.REFUSED.labels(code).inc())
        return refused(path, status, code)

    return answer


class _Request:
    def __init__(self, environ: "WSGIEnvironment") -> None:
        self.method, self.path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        given = request_id_of(environ.get("HTTP_X_REQUEST_ID"))
        self.watched = Watched(request_id=given or new_request_id())
        self.began = time.perf_counter()
        self.answered = 500
        self._before = NOW.set(self.watched)

    def ended(self) -> None:
        taken = time.perf_counter() - self.began
        watched = self.watched
        watched.route = watched.route or _without_a_view(self.path, self.answered)
        _count(self.method, self.answered, taken, watched)
        if settings.ACCESS_LOG:
            access.info(
                "%s %s %s in %.0f ms, %s statements", self.method, self.path, self.answered, taken * 1000, watched.statements,
                extra={"status": self.answered, "milliseconds": round(taken * 1000, 1), "statements": watched.statements},
            )  # fmt: skip
        NOW.reset(self._before)


def _without_a_view(path: str, status: int) -> str:
    if path in WATCHED:
        return WATCH
    if status >= _ERRORS:
        return NONE
    return FILE if path.startswith(settings.STATIC_URL) else MEMORY


class _Parts:
    """The body as it came. The request is over when it is closed: some of it may be made while it is read."""

    def __init__(self, parts: Iterable[bytes], request: _Request) -> None:
        self.parts, self.request = parts, request

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.parts)

    def close(self) -> None:
        try:
            if close := getattr(self.parts, "close", None):
                close()
        finally:
            self.request.ended()


def _count(method: str, status: int, seconds: float, watched: Watched) -> None:
    route = watched.route
    kind = "memory" if route == MEMORY else "reading" if method in _READING else "writing"

    def note() -> None:
        requests, latency, spent, sent = _series(
            route, method if method in _METHODS else "other", status, kind
        )
        requests.inc()
        latency.observe(seconds)
        spent.inc(seconds)
        if watched.statements:
            sent.inc(watched.statements)
        count_cache(watched)

    metrics.counted(note)


@lru_cache(maxsize=4096)
def _series(route: str, method: str, status: int, kind: str) -> "tuple[Counter, Histogram, Counter, Counter]":
    """What a request of this kind is counted by: looked up once, for a page out of memory takes no longer than that."""
    return (
        metrics.REQUESTS.labels(route, method, str(status)),
        metrics.LATENCY.labels(kind),
        metrics.REQUEST_SECONDS.labels(route),
        metrics.STATEMENTS.labels(route),
    )


def count_cache(watched: Watched) -> None:
    if watched.hits:
        metrics.CACHE.labels("yes").inc(watched.hits)
    if watched.misses:
        metrics.CACHE.labels("no").inc(watched.misses)


def count_statements() -> None:
    """From now on every statement of this process is counted for whatever sends it."""
    connection_created.connect(_count_on, dispatch_uid="config.watch")
    for connection in connections.all(initialized_only=True):
        _count_on(connection)


def _count_on(connection: Any, **_: Any) -> None:
    if with_statement_counted not in connection.execute_wrappers:
        connection.execute_wrappers.append(with_statement_counted)


def with_statement_counted(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
) -> Any:
    """Execute it, and count it for what is under way, if anything is."""
    now = NOW.get()
    if now is not None:
        now.statements += 1
    return execute(sql, params, many, context)
