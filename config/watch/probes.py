"""A question to something that may hang, with an answer in a bounded time.

A server that is stopped, or a network that swallows everything, answers nothing, and whoever asked waits for as long as the system likes. So each
question has a thread of its own that may wait, and who wants to know waits for a moment and then hears that there is no answer yet.
While one question hangs no second one is asked: nothing piles up.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

from django.db import connections

# Seconds for which an answer holds: however often somebody asks, the servers are asked so often.
RESULT_SECONDS: Final = 1.0


class ProbeTimeout(Exception):
    """No answer within the time; ``seconds``: since when one is waited for."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer for {seconds:.0f} s")
        self.seconds = seconds


class Probe:
    """``ask`` may wait and may raise; it may use the database, whose connection is its own and is closed after it."""

    def __init__(self, name: str, ask: Callable[[], Any], *, holds: float = RESULT_SECONDS) -> None:
        self.name, self.ask, self.holds = name, ask, holds
        self._lock = threading.Lock()
        self._asked: Future[Any] | None = None
        self._since = 0.0

    def start(self) -> "Future[Any]":
        """Have it asked, unless somebody waits for that already or was answered a moment ago."""
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
        """What is away may be back the next moment."""
        return min(RESULT_SECONDS, self.holds) if asked.exception() else self.holds

    def answer(self, within: float) -> Any:
        """What ``ask`` gives or raises, now or a moment ago. Raises ``ProbeTimeout`` after ``within`` seconds."""
        asked, since = self.start(), self._since
        try:
            return asked.result(within)
        except TimeoutError:
            if asked.done():  # it is what was asked that gave up
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
