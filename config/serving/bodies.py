"""Request bodies, read in the event loop, where a slow, large or incomplete body occupies no thread.

A body is complete before a thread gets it. It stays in memory up to `SPOOL_BYTES`, above that in a temporary
file.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Protocol

# The largest body of any page, an archive of records; other pages have lower limits (`games.web.uploads`).
MAX_BODY_BYTES = 41_000_000
SPOOL_BYTES = 512_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of request bodies in seconds and bytes. ``max_total_bytes``: of all bodies that one process holds.

    ``silence_seconds``: between two chunks; ``max_body_bytes``: of one body.
    """

    silence_seconds: float = 10
    total_seconds: float = 60
    max_body_bytes: int = MAX_BODY_BYTES
    max_total_bytes: int = 400_000_000


class RefusedRequest(Exception):
    """A request was rejected before Django; ``number`` is the HTTP status, ``code`` that of the message."""

    def __init__(self, number: int, code: str) -> None:
        super().__init__(number, code)
        self.number, self.code = number, code


class BodyChunks(Protocol):
    """The chunks of a request body, as Granian delivers them."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class BodyPool:
    """The request bodies that this process holds at present, for the limit on their sum."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0

    @contextmanager
    def free_bytes(self) -> Iterator["Body"]:
        body = Body(self)
        try:
            yield body
        finally:
            self.held -= body.size
            body.file.close()


class Body:
    """A request body; once it was read, ``file`` is at its beginning."""

    def __init__(self, bodies: BodyPool) -> None:
        self.bodies = bodies
        self.size = 0
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 (`room` closes it)

    async def read(self, pieces: BodyChunks, declared: int | None, media_type: str) -> None:
        """Read the whole body. ``declared``: its announced length, None if it comes in chunks.

        Raises ``RefusedRequest``: 400 incomplete, 408 too slow, 411 length required, 413 too large, 503 no
        room for it now.
        """
        limits = self.bodies.limits
        if declared is not None and declared > limits.max_body_bytes:
            raise RefusedRequest(413, "request.too_large")
        if declared is None and not _has_end_marker(media_type):
            raise RefusedRequest(411, "request.no_length")
        loop = asyncio.get_running_loop()
        end_time = loop.time() + limits.total_seconds
        try:
            async with asyncio.timeout(min(limits.silence_seconds, limits.total_seconds)) as deadline:
                async for chunk in pieces:
                    if chunk:
                        self._append(chunk)
                        deadline.reschedule(min(loop.time() + limits.silence_seconds, end_time))
        except TimeoutError:
            raise RefusedRequest(408, "request.too_slow") from None
        except OSError:
            raise RefusedRequest(503, "site.no_room") from None
        if (declared is None and not self._is_complete(media_type)) or declared not in {None, self.size}:
            raise RefusedRequest(400, "request.broken_off")
        self.file.seek(0)

    def _append(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self.bodies.held += len(chunk)
        if self.size > self.bodies.limits.max_body_bytes:
            raise RefusedRequest(413, "request.too_large")
        if self.bodies.held > self.bodies.limits.max_total_bytes:
            raise RefusedRequest(503, "site.no_room")
        self.file.write(chunk)

    def _is_complete(self, media_type: str) -> bool:
        """Return whether a body without announced length is complete.

        Multipart has a last line; JSON is checked by its parser.
        """
        if not media_type.startswith("multipart/") or self.size == 0:
            return True
        self.file.seek(max(0, self.size - 100))
        return self.file.read().rstrip().endswith(b"--")


def _has_end_marker(media_type: str) -> bool:
    """Return whether a body of this type shows by itself that it is complete; a form of fields does not."""
    return media_type.startswith(("multipart/", "application/json"))
