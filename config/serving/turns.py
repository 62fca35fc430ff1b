"""Locks by sender: requests of one sender wait for each other, and do not delay other senders."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from config.serving.bodies import RefusedRequest

MAX_WAITING = 3  # per key, beside the one that is being served


class KeyedLocks:
    """Locks of one event loop, one for each key, which exist only while they are in use."""

    def __init__(self, max_waiting: int = MAX_WAITING) -> None:
        self.most = 1 + max_waiting
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of ``key`` in the block.

        Raises ``RefusedRequest`` (429) if too many wait for it already.
        """
        lock, usage_count = self._locks.get(key) or (asyncio.Lock(), 0)
        if usage_count >= self.most:
            raise RefusedRequest(429, "request.too_many_at_once")
        self._locks[key] = lock, usage_count + 1
        try:
            async with lock:
                yield
        finally:
            _, usage_count = self._locks.pop(key)
            if usage_count > 1:
                self._locks[key] = lock, usage_count - 1
