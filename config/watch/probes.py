"""Probes of services that may hang, with an answer within a bounded time.

A stopped server or a broken network does not answer, so a caller would wait until the system's timeout.
Therefore each probe has a thread that may wait, and its callers wait for a moment and then get no answer.
While a probe hangs no second one starts, so nothing piles up.
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
    """No answer within the time; ``seconds``: since the probe started."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer for {seconds:.0f} s")
        self.seconds = seconds


class Probe:
    """``ask`` may wait and may raise; it may use the database, with a connection of its own that is closed
    afterwards.
    """

    def __init__(self, name: str, ask: Callable[[], Any], *, holds: float = RESULT_SECONDS) -> None:
        self.name, self.ask, self.holds = name, ask, holds
        self._lock = threading.Lock()
        self._asked: Future[Any] | None = None
        self._since = 0.0

    def start(self) -> "Future[Any]":
        """Start the probe, unless it is running or was answered a moment ago."""
        with self._lock:
            asked, now = self._asked, time.monotonic()
            if asked is None or (asked.done() and now - self._since > self._result_seconds(asked)):
                asked, self._since = Future(), now
                self._asked = asked
                threading.Thread(
                    target=self._run, args=(asked,), name=f"probe-{self.name}", daemon=True
                ).start()
        return asked

    def _result_seconds(self, asked: "Future[Any]") -> float:
        """Seconds for which the answer holds; an error holds shortly, because the service may be back."""
        return min(RESULT_SECONDS, self.holds) if asked.exception() else self.holds

    def answer(self, within: float) -> Any:
        """Return or raise the result of ``ask``, now or a moment ago.

        Raises ``ProbeTimeout`` after ``within`` seconds.
        """
        asked, since = self.start(), self._since
        try:
            return asked.result(within)
        except TimeoutError:
            if asked.done():  # the timeout was raised by ``ask`` itself
                raise
            raise ProbeTimeout(time.monotonic() - since) from None

    def _run(self, asked: "Future[Any]") -> None:
        try:
            found = self.ask()
        except BaseException as error:  # noqa: BLE001 (it is told to who asked)
            asked.set_exception(error)
        else:
            asked.set_result(found)
        finally:
            with suppress(Exception):
                connections.close_all()
