"""The threads in which Django runs: as many as there are, and those who wait for one thing do not hold up another.

Reading, what belongs to somebody signed in, writing and the checks of records have threads of their own: a row that somebody keeps
locked holds up writers, a thousand readers hold up nobody who reports a result, and nor do large records. So have the questions of
those who watch the site: they are answered when all other threads hang.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue

from config.stack import run_with_deep_stack
from people.addresses import without_language

Job = tuple[Callable[[], None], asyncio.AbstractEventLoop, "asyncio.Future[None]"]
# Connections to the database are as many: each thread keeps its own.
THREADS_BY_LANE: Mapping[str, int] = {"read": 4, "own": 2, "write": 4, "check": 1, "large": 1, "watch": 2}
MAX_WAITING = 1_000
# Where visitors have a record checked: small ones never wait behind those of megabytes.
CHECK_PREFIXES = ("/records/", "/api/v1/records/")
LARGE_BODY_BYTES = 200_000  # bytes; real records of a match have 5,000 to 100,000
MONITORING_PATHS = frozenset({"/healthz", "/livez", "/readyz", "/metrics"})
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


class LaneFull(Exception):
    """More wait than could be served while they still want it."""


class Lane:
    """A few threads, and a line of bounded length before them."""

    def __init__(self, name: str, threads: int, room: int = MAX_WAITING) -> None:
        self.errands: SimpleQueue[Job] = SimpleQueue()
        self.room = threads + room
        self.inside = 0
        for number in range(threads):
            threading.Thread(
                target=run_with_deep_stack, args=(self._work,), name=f"site-{name}-{number}", daemon=True
            ).start()

    async def run(self, work: Callable[[], None]) -> None:
        """Have it done by one of the threads. Raises ``LaneFull``, and what ``work`` raises."""
        if self.inside >= self.room:
            raise LaneFull
        self.inside += 1
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.errands.put((work, loop, done))
        try:
            await done
        finally:
            self.inside -= 1

    def _work(self) -> None:
        while True:
            work, loop, done = self.errands.get()
            fault: BaseException | None = None
            try:
                work()
            except BaseException as error:  # noqa: BLE001 (it is told to who asked, and the thread goes on)
                fault = error
            loop.call_soon_threadsafe(_resolve_future, done, fault)
            del work, loop, done, fault


def _resolve_future(done: "asyncio.Future[None]", fault: BaseException | None) -> None:
    if done.cancelled():
        return
    if fault is None:
        done.set_result(None)
    else:
        done.set_exception(fault)


def lane_name(method: str, path: str, cookies: str, session: str) -> str:
    """Which lane a request takes. ``session`` is the name of the cookie that says that somebody is signed in."""
    if path in MONITORING_PATHS:
        return "watch"
    if method not in _SAFE_METHODS:
        return "check" if without_language(path).startswith(CHECK_PREFIXES) else "write"
    return "own" if f"{session}=" in cookies else "read"
