"""The site as an RSGI application: bodies read in the event loop, Django in threads, complete responses.

Granian's own WSGI reads a body in the thread that answers, without a deadline: nine unfinished bodies
occupied all eight threads. Reasons and alternatives: docs/decisions/0059-nothing-that-waits.md.
"""

import asyncio
import io
import logging
import resource
import shutil
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Protocol

from config.serving.answers import create_body_folder, run_application
from config.serving.bodies import BodyChunks, BodyPool, Limits, RefusedRequest
from config.serving.environ import Scope, build_environ
from config.serving.lanes import LARGE_BODY_BYTES, THREADS_BY_LANE, Lane, LaneFull, lane_name
from config.serving.turns import KeyedLocks

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger(__name__)
# Granian opens a file when it begins to send it; an open file is sent to its end.
FILE_LIFETIME_SECONDS = 60
MAX_CONNECTIONS = 8_192
# Seconds before a computing thread yields. A report waits for its turn after each of twenty statements, beside a
# page that is rendered: with the default of five milliseconds its slowest took a third longer.
SWITCH_INTERVAL_SECONDS = 0.001


# Status, headers and body of a request (PEP 3333), or None.
InstantResponder = Callable[[dict[str, Any]], tuple[int, list[tuple[str, str]], bytes] | None]


class Exchange(BodyChunks, Protocol):
    """A request's body and the means to answer the request, as Granian provides them."""

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None: ...


class Site:
    """RSGI application around a WSGI ``application``.

    ``build_refusal``: returns status, headers and body for a path, a status and a code. ``session``: name of
    the session cookie. ``instant_responder``: returns a response that needs no thread, in the loop, or None.
    ``client``: returns the visitor's address from the environ; large checks of one address are done one by
    one.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        *,
        build_refusal: Callable[[str, int, str], tuple[int, list[tuple[str, str]], bytes]],
        session: str,
        instant_responder: InstantResponder | None = None,
        client: Callable[[dict[str, Any]], str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.application = application
        self.refused = build_refusal
        self.session = session
        self.instant = instant_responder
        self.client = client or (lambda environ: str(environ["REMOTE_ADDR"]))
        self.turns = KeyedLocks()
        self.bodies = BodyPool(limits or Limits())
        self.lanes = {name: Lane(name, threads) for name, threads in THREADS_BY_LANE.items()}
        self.folder, self._hold = create_body_folder()

    def __rsgi_init__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Raise the limit of open files, because each connection is one.

        Shorten the threads' switch interval.
        """
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        file_limit = MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, hard)
        if soft != resource.RLIM_INFINITY and soft < file_limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit, hard))

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._hold.close()

    async def __rsgi__(self, scope: Scope, exchange: Exchange) -> None:
        try:
            await self._respond(scope, exchange)
        except RefusedRequest as refusal:
            self._refuse(scope, exchange, refusal.number, refusal.code)
        except LaneFull:
            self._refuse(scope, exchange, 503, "site.busy")
        except Exception:
            log.exception("No answer: %s %s", scope.method, scope.path)
            self._refuse(scope, exchange, 500, "site.fault")

    async def _respond(self, scope: Scope, exchange: Exchange) -> None:
        headers = scope.headers
        if self.instant is not None and scope.method in {"GET", "HEAD"}:
            instant_answer = self.instant(build_environ(scope, io.BytesIO(), 0))
            if instant_answer is not None:
                status, fields, content = instant_answer
                if content:
                    exchange.response_bytes(status, fields, content)
                else:
                    exchange.response_empty(status, fields)
                return
        lane = lane_name(scope.method, scope.path, headers.get("cookie") or "", self.session)
        declared_length, chunked = headers.get("content-length"), "transfer-encoding" in headers
        if not chunked and declared_length in {None, "0"}:
            await self.lanes[lane].run(partial(self._run_application, scope, exchange, io.BytesIO(), 0))
            return
        length = None if chunked or declared_length is None else int(declared_length[:20])
        with self.bodies.free_bytes() as body:
            await body.read(exchange, length, (headers.get("content-type") or "").lower())
            job = partial(self._run_application, scope, exchange, body.file, body.size)
            if lane != "check" or body.size <= LARGE_BODY_BYTES:
                await self.lanes[lane].run(job)
                return
            async with self.turns.of(self.client(build_environ(scope, io.BytesIO(), 0))):
                await self.lanes["large"].run(job)

    def _run_application(self, scope: Scope, exchange: Exchange, body: IO[bytes], size: int) -> None:
        """Run the application and send its response.

        In a thread: Granian accepts the response from any thread.
        """
        response = run_application(self.application, build_environ(scope, body, size), self.folder)
        match response.body:
            case None:
                exchange.response_empty(response.status, response.headers)
            case bytes():
                exchange.response_bytes(response.status, response.headers, response.body)
            case path:
                exchange.response_file(response.status, response.headers, str(path))
                deletion_timer = threading.Timer(FILE_LIFETIME_SECONDS, path.unlink, [True])
                deletion_timer.daemon = True
                deletion_timer.start()

    def _refuse(self, scope: Scope, exchange: Exchange, status: int, code: str) -> None:
        exchange.response_bytes(*self.refused(scope.path, status, code))
