"""Probes of services that may hang, with a result within a bounded time.

A stopped server or a broken network does not answer, so a caller would wait until the system's timeout.
Therefore each probe has a thread that may wait, and its callers wait only for a limited time. While a probe
hangs no second one starts, so nothing piles up.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

from django.db import connections

# Seconds for which an answer is reused, however many callers there are.
RESULT_SECONDS: Final = 1.0


class ProbeTimeout(Exception):
    """A probe had no result in time; ``seconds``: since the probe started."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer for {seconds:.0f} s")
        self.seconds = seconds


class Probe:
    """A check of a service by calling ``ask``, which may wait and may raise; its result is reused for a time.

    ``ask`` may use the database, with a connection of its own that is closed afterwards.
    """

    def __init__(
        self, name: str, query: Callable[[], Any], *, result_seconds: float = RESULT_SECONDS
    ) -> None:
        self.name, self.ask, self.holds = name, query, result_seconds
        self._lock = threading.Lock()
        self._asked: Future[Any] | None = None
        self._since = 0.0

    def start(self) -> "Future[Any]":
        """Start the probe, unless it is running or has a recent result; return its future."""
        with self._lock:
            future, now = self._asked, time.monotonic()
            if future is None or (future.done() and now - self._since > self._result_seconds(future)):
                future, self._since = Future(), now
                self._asked = future
                threading.Thread(
                    target=self._run, args=(future,), name=f"probe-{self.name}", daemon=True
                ).start()
        return future

    def _result_seconds(self, future: "Future[Any]") -> float:
        """Return for how many seconds a result is reused.

        Shorter after an error, as the service may be back.
        """
        return min(RESULT_SECONDS, self.holds) if future.exception() else self.holds

    def answer(self, timeout: float) -> Any:
        """Return or raise the result of ``ask``, of a new call or a recent one.

        Raises ``ProbeTimeout`` after ``timeout`` seconds.
        """
        future, started_at = self.start(), self._since
        try:
            return future.result(timeout)
        except TimeoutError:
            if future.done():  # the timeout was raised by ``ask`` itself
                raise
            raise ProbeTimeout(time.monotonic() - started_at) from None

    def _run(self, future: "Future[Any]") -> None:
        try:
            result = self.ask()
        except BaseException as error:  # noqa: BLE001 (it is told to who asked)
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            with suppress(Exception):
                connections.close_all()
