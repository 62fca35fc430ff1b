"""A circuit breaker for servers and queues.

While one is unreachable, a single caller tries it after each pause.
"""

import threading
import time


class CircuitBreaker:
    """Whether one service is reachable, as this process knows it; shared by all threads.

    ``seconds``: pause between two attempts while the service is unreachable; ``trial_seconds``: how long an
    attempt may take before another caller may try, by default ``seconds``.
    """

    def __init__(self, seconds: float, *, trial_seconds: float | None = None) -> None:
        self.seconds = seconds
        self.trying = trial_seconds
        self.lost = False
        self.asked_again = 0.0
        self._lock = threading.Lock()

    def allows_request(self) -> bool:
        """Return whether the caller may try the service now.

        Always, or once in each pause while it is unreachable.
        """
        if not self.lost:
            return True
        with self._lock:
            if time.monotonic() < self.asked_again:
                return False
            self._pause(self.seconds if self.trying is None else self.trying)
            return True

    def record_failure(self) -> bool:
        """Record a failed request.

        Return whether this is the first failure since the service was reachable.
        """
        with self._lock:
            self._pause(self.seconds)
            is_new, self.lost = not self.lost, True
        return is_new

    def record_success(self) -> bool:
        """Record a successful request; return whether the service was unreachable before."""
        if not self.lost:
            return False
        with self._lock:
            was_lost, self.lost, self.asked_again = self.lost, False, 0.0
        return was_lost

    def _pause(self, seconds: float) -> None:
        self.asked_again = time.monotonic() + seconds
