"""WSGI wrapper that gives every request an id and counts it.

An id in `X-Request-ID` (8 to 64 letters, digits, dots, dashes) is used, so that a proxy's log has the same;
other requests get a new id. It is part of the response, of every log line, and of messages to workers
(`config.watch.tasks`).
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import connections
from django.db.backends.signals import connection_created

from config.serving.lanes import MONITORING_PATHS
from config.watch import metrics
from config.watch.life import LIVEZ_PATH, livez_response
from people.watched import CURRENT_WORK_STATS, WorkStats, clean_request_id, new_request_id

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from prometheus_client import Counter, Histogram

    from config.shared.serve import SharedPages

access_log = logging.getLogger("crawford.access")
REQUEST_ID_HEADER: Final = "X-Request-ID"
# Routes without a view: shared pages and redirects; files; monitoring; unknown URLs.
MEMORY_ROUTE: Final = "(memory)"
FILE_ROUTE: Final = "(file)"
MONITORING_ROUTE: Final = "(watch)"
NO_ROUTE: Final = "(none)"
_READ_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_KNOWN_METHODS: Final = _READ_METHODS | {"POST", "PUT", "PATCH", "DELETE"}
_MIN_ERROR_STATUS: Final = 400

RawResponse = tuple[int, list[tuple[str, str]], bytes]


class MonitoredSite:
    """WSGI application that answers as ``site`` does and adds request ids and metrics."""

    def __init__(self, site: "SharedPages") -> None:
        self.site = site
        start_statement_counts()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        request = _Request(environ)

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            request.answered = int(status[:3])
            return start_response(status, [*headers, (REQUEST_ID_HEADER, request.watched.request_id)], *more)

        try:
            return _ResponseBody(self.site(environ, start), request)
        except BaseException:
            request.ended()
            raise

    def instant_response(self, environ: dict[str, Any]) -> RawResponse | None:
        """Return `SharedPages.instant_response` with id and metrics, and `/livez`.

        Works while threads are busy.
        """
        if environ["PATH_INFO"] == LIVEZ_PATH:
            status, body = livez_response()
            return status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body
        started_at = time.perf_counter()
        response = self.site.instant_response(environ)
        if response is None:
            return None
        status, headers, body = response
        seconds = time.perf_counter() - started_at
        _record_request(environ["REQUEST_METHOD"], status, seconds, WorkStats(route=MEMORY_ROUTE))
        request_id = clean_request_id(environ.get("HTTP_X_REQUEST_ID")) or new_request_id()
        return status, [*headers, (REQUEST_ID_HEADER, request_id)], body


def with_refusal_count(
    build_refusal: Callable[[str, int, str], RawResponse],
) -> Callable[[str, int, str], RawResponse]:
    """Return a function like ``build_refusal`` that also counts; for requests that never reach the site."""

    def answer(path: str, status: int, code: str) -> RawResponse:
        metrics.record_safely(lambda: metrics.REFUSALS.labels(code).inc())
        return build_refusal(path, status, code)

    return answer


class _Request:
    def __init__(self, environ: "WSGIEnvironment") -> None:
        self.method, self.path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        request_id = clean_request_id(environ.get("HTTP_X_REQUEST_ID"))
        self.watched = WorkStats(request_id=request_id or new_request_id())
        self.began = time.perf_counter()
        self.answered = 500
        self._before = CURRENT_WORK_STATS.set(self.watched)

    def ended(self) -> None:
        seconds = time.perf_counter() - self.began
        stats = self.watched
        stats.route = stats.route or _route_without_view(self.path, self.answered)
        _record_request(self.method, self.answered, seconds, stats)
        if settings.ACCESS_LOG:
            access_log.info(
                "%s %s %s in %.0f ms, %s statements", self.method, self.path, self.answered, seconds * 1000, stats.statements,
                extra={"status": self.answered, "milliseconds": round(seconds * 1000, 1), "statements": stats.statements},
            )  # fmt: skip
        CURRENT_WORK_STATS.reset(self._before)


def _route_without_view(path: str, status: int) -> str:
    if path in MONITORING_PATHS:
        return MONITORING_ROUTE
    if status >= _MIN_ERROR_STATUS:
        return NO_ROUTE
    return FILE_ROUTE if path.startswith(settings.STATIC_URL) else MEMORY_ROUTE


class _ResponseBody:
    """The parts of a response body, unchanged. Closing it ends the request, as parts may be computed late."""

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


def _record_request(method: str, status: int, seconds: float, stats: WorkStats) -> None:
    route = stats.route
    kind = "memory" if route == MEMORY_ROUTE else "reading" if method in _READ_METHODS else "writing"

    def note() -> None:
        request_counter, latency_histogram, seconds_counter, statement_counter = _request_metrics(
            route, method if method in _KNOWN_METHODS else "other", status, kind
        )
        request_counter.inc()
        latency_histogram.observe(seconds)
        seconds_counter.inc(seconds)
        if stats.statements:
            statement_counter.inc(stats.statements)
        record_cache_lookups(stats)

    metrics.record_safely(note)


@lru_cache(maxsize=4096)
def _request_metrics(
    route: str, method: str, status: int, kind: str
) -> "tuple[Counter, Histogram, Counter, Counter]":
    """Return the metrics for requests of this kind; cached, because a page from memory takes no longer."""
    return (
        metrics.REQUESTS.labels(route, method, str(status)),
        metrics.LATENCY.labels(kind),
        metrics.REQUEST_SECONDS.labels(route),
        metrics.STATEMENTS.labels(route),
    )


def record_cache_lookups(stats: WorkStats) -> None:
    if stats.hits:
        metrics.CACHE_LOOKUPS.labels("yes").inc(stats.hits)
    if stats.misses:
        metrics.CACHE_LOOKUPS.labels("no").inc(stats.misses)


def start_statement_counts() -> None:
    """Count every database query of this process for the request or task that makes it."""
    connection_created.connect(_add_statement_wrapper, dispatch_uid="config.watch")
    for connection in connections.all(initialized_only=True):
        _add_statement_wrapper(connection)


def _add_statement_wrapper(connection: Any, **_: Any) -> None:
    if count_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(count_statement)


def count_statement(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    """Execute a database query, and count it for the current request or task, if any."""
    current_work = CURRENT_WORK_STATS.get()
    if current_work is not None:
        current_work.statements += 1
    return execute(sql, params, many, context)
