"""Something that may be away (a server, a queue): while it is, one asks it now and then, and nobody else waits with that one."""

import threading
import time


class CircuitBreaker:
    """What this process knows of it, for all its threads. ``seconds``: after how long it is asked again; ``trying``: how long the one who
    asks is waited for at most before another one does.
    """

    def __init__(self, seconds: float, *, trying: float | None = None) -> None:
        self.seconds = seconds
        self.trying = trying
        self.lost = False
        self.asked_again = 0.0
        self._lock = threading.Lock()

    def allows_request(self) -> bool:
        """Whether whoever wants it now asks it."""
        if not self.lost:
            return True
        with self._lock:
            if time.monotonic() < self.asked_again:
                return False
            self._pause(self.seconds if self.trying is None else self.trying)
            return True

    def record_failure(self) -> bool:
        """It did not answer; whether that is news."""
        with self._lock:
            self._pause(self.seconds)
            news, self.lost = not self.lost, True
        return news

    def came(self) -> bool:
        """It answered; whether that is news."""
        if not self.lost:
            return False
        with self._lock:
            news, self.lost, self.asked_again = self.lost, False, 0.0
        return news

    def _pause(self, seconds: float) -> None:
        self.asked_again = time.monotonic() + seconds
