"""Bodies are read in the loop, where waiting costs no thread: who sends slowly, too much or only half holds nobody else up.

A body is whole before a thread sees it. It stays in memory up to `SPOOL_BYTES`, above that in a temporary file.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Protocol

# The largest that any page takes, an archive of records; pages that take less say so themselves (`games.web.uploads`).
MAX_BODY_BYTES = 41_000_000
SPOOL_BYTES = 512_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes. ``together``: of all bodies that one process holds at a time."""

    silence_seconds: float = 10
    total_seconds: float = 60
    largest: int = MAX_BODY_BYTES
    together: int = 400_000_000


class RefusedRequest(Exception):
    """A body that is not taken: the number of its status, and the code that has words."""

    def __init__(self, number: int, code: str) -> None:
        super().__init__(number, code)
        self.number, self.code = number, code


class BodyChunks(Protocol):
    """What comes from the other side, piece by piece."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class BodyPool:
    """The bodies that this process holds."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0

    @contextmanager
    def room(self) -> Iterator["Body"]:
        body = Body(self)
        try:
            yield body
        finally:
            self.held -= body.size
            body.file.close()


class Body:
    """One of them, at its beginning when it has been read."""

    def __init__(self, bodies: BodyPool) -> None:
        self.bodies = bodies
        self.size = 0
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 (`room` closes it)

    async def read(self, pieces: BodyChunks, declared: int | None, media_type: str) -> None:
        """Take the whole of it. ``declared`` is the length that was announced; without one it came in chunks.

        Raises ``CommandRefusal``: 400 broken off, 408 too slow, 411 no length where none can be done without, 413 too large, 503 no
        room for it just now.
        """
        limits = self.bodies.limits
        if declared is not None and declared > limits.largest:
            raise RefusedRequest(413, "request.too_large")
        if declared is None and not _has_end_marker(media_type):
            raise RefusedRequest(411, "request.no_length")
        loop = asyncio.get_running_loop()
        last = loop.time() + limits.total_seconds
        try:
            async with asyncio.timeout(min(limits.silence_seconds, limits.total_seconds)) as deadline:
                async for piece in pieces:
                    if piece:
                        self._append(piece)
                        deadline.reschedule(min(loop.time() + limits.silence_seconds, last))
        except TimeoutError:
            raise RefusedRequest(408, "request.too_slow") from None
        except OSError:
            raise RefusedRequest(503, "site.no_room") from None
        if (declared is None and not self._is_complete(media_type)) or declared not in {None, self.size}:
            raise RefusedRequest(400, "request.broken_off")
        self.file.seek(0)

    def _append(self, piece: bytes) -> None:
        self.size += len(piece)
        self.bodies.held += len(piece)
        if self.size > self.bodies.limits.largest:
            raise RefusedRequest(413, "request.too_large")
        if self.bodies.held > self.bodies.limits.together:
            raise RefusedRequest(503, "site.no_room")
        self.file.write(piece)

    def _is_complete(self, media_type: str) -> bool:
        """Chunks that end early look like chunks that are over. JSON is told by its reader; parts have a last line."""
        if not media_type.startswith("multipart/") or self.size == 0:
            return True
        self.file.seek(max(0, self.size - 100))
        return self.file.read().rstrip().endswith(b"--")


def _has_end_marker(media_type: str) -> bool:
    """A form of fields does not: cut off anywhere it is another form."""
    return media_type.startswith(("multipart/", "application/json"))
