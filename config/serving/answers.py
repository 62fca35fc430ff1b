"""Complete responses, buffered in the thread that made them, so that slow readers occupy no thread."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# Larger bodies go through a file, from which they are sent.
MAX_MEMORY_BYTES = 4_000_000
# Prefix of the folders for these files, and the lock file that their process holds.
FOLDER_PREFIX = "crawford-answers-"
LOCK_NAME = "held"


@dataclass(frozen=True, slots=True)
class BufferedResponse:
    """A complete response.

    ``body``: bytes, the file that holds them, or None where HTTP allows no body (HEAD, 204, 304).
    """

    status: int
    headers: list[tuple[str, str]]
    body: bytes | Path | None


def run_application(
    application: "WSGIApplication", environ: dict[str, Any], folder: Path
) -> BufferedResponse:
    """Return the application's response; a large body is written to a file in ``folder``."""
    response_start: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Any:  # noqa: ARG001
        response_start[:] = [int(status[:3]), headers]
        return None  # nothing here uses the write callable

    result = application(environ, start_response)
    try:
        status, headers = response_start
        if environ["REQUEST_METHOD"] == "HEAD" or status in {204, 304}:
            return BufferedResponse(status, headers, None)
        return BufferedResponse(status, headers, _buffer_body(result, folder))
    finally:
        if close := getattr(result, "close", None):
            close()


def _buffer_body(parts: Iterable[bytes], folder: Path) -> bytes | Path:
    chunks: list[bytes] = []
    size = 0
    remaining_parts = iter(parts)
    for part in remaining_parts:
        chunks.append(part)
        size += len(part)
        if size > MAX_MEMORY_BYTES:
            break
    else:
        return b"".join(chunks)
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.writelines(chunks)
        file.writelines(remaining_parts)
    return Path(file.name)


def create_body_folder() -> tuple[Path, IO[str]]:
    """Create a folder for large response bodies; return it with its lock file.

    The lock file has to stay open while the process lives. Deletes the folders of processes that were killed,
    whose locks are free.
    """
    temporary_folder = Path(tempfile.gettempdir())
    for stale_folder in temporary_folder.glob(f"{FOLDER_PREFIX}*"):
        with suppress(OSError), (stale_folder / LOCK_NAME).open(encoding="utf-8") as lock_file:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(stale_folder)
    new_folder = Path(tempfile.mkdtemp(prefix="crawford-begins-"))
    lock_file = (new_folder / LOCK_NAME).open("w", encoding="utf-8")
    fcntl.flock(lock_file, fcntl.LOCK_EX)
    # Renamed last to the name that other processes look for.
    return new_folder.rename(
        temporary_folder / new_folder.name.replace("crawford-begins-", FOLDER_PREFIX)
    ), lock_file
