"""Lanes: pools of threads for Django, so that requests that wait for one thing do not delay others.

Reading, personal pages, writing and checks of records have separate threads: a locked row delays writers
only, a thousand readers delay no report of a result, and large records do not either. Monitoring has its own
threads, which answer when all others hang.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue

from config.stack import run_with_deep_stack
from people.addresses import without_language

Job = tuple[Callable[[], None], asyncio.AbstractEventLoop, "asyncio.Future[None]"]
# Each thread keeps a database connection.
THREADS_BY_LANE: Mapping[str, int] = {"read": 4, "own": 2, "write": 4, "check": 1, "large": 1, "watch": 2}
MAX_WAITING = 1_000
# Checks of records by visitors: small ones never wait behind those of megabytes.
CHECK_PREFIXES = ("/records/", "/api/v1/records/")
LARGE_BODY_BYTES = 200_000  # bytes; real records of a match have 5,000 to 100,000
MONITORING_PATHS = frozenset({"/healthz", "/livez", "/readyz", "/metrics"})
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


class LaneFull(Exception):
    """Too many requests wait for this pool of threads to be served in time."""


class Lane:
    """A pool of threads, with a queue of limited length."""

    def __init__(self, name: str, threads: int, max_waiting: int = MAX_WAITING) -> None:
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self.capacity = threads + max_waiting
        self.job_count = 0
        for number in range(threads):
            threading.Thread(
                target=run_with_deep_stack, args=(self._work,), name=f"site-{name}-{number}", daemon=True
            ).start()

    async def run(self, work: Callable[[], None]) -> None:
        """Run ``work`` in a thread of the pool and wait for it.

        Raises ``LaneFull``, and what ``work`` raises.
        """
        if self.job_count >= self.capacity:
            raise LaneFull
        self.job_count += 1
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self.jobs.put((work, loop, future))
        try:
            await future
        finally:
            self.job_count -= 1

    def _work(self) -> None:
        while True:
            work, loop, future = self.jobs.get()
            raised_error: BaseException | None = None
            try:
                work()
            except BaseException as error:  # noqa: BLE001 (it is told to who asked, and the thread goes on)
                raised_error = error
            loop.call_soon_threadsafe(_resolve_future, future, raised_error)
            del work, loop, future, raised_error


def _resolve_future(future: "asyncio.Future[None]", error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def lane_name(method: str, path: str, cookies: str, session_cookie: str) -> str:
    """Return the name of the pool for a request. ``session_cookie``: name of the session cookie."""
    if path in MONITORING_PATHS:
        return "watch"
    if method not in _SAFE_METHODS:
        return "check" if without_language(path).startswith(CHECK_PREFIXES) else "write"
    return "own" if f"{session_cookie}=" in cookies else "read"
