"""Temporary files beside their targets, recognised by their names and locked while their process lives.

A killed process leaves its file behind without a lock; the next process that creates a file in that folder
removes it.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

_PREFIX: Final = ".crawford-"
_SUFFIX: Final = ".unfinished"
_SQLITE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")


@contextmanager
def unfinished_file(folder: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """Create a private file and yield it with its path; the file is deleted at the end unless renamed.

    Raises ``OSError``.
    """
    remove_abandoned(folder)
    file, path = _create_locked(folder)
    with file:
        try:
            yield file, path
        finally:
            _remove(path)


def remove_abandoned(folder: Path) -> None:
    """Remove files of killed processes from a folder; locked files, and files that cannot be checked, stay."""
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError), open(path, "rb", opener=_open_no_follow) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)


def _open_no_follow(path: str, flags: int) -> int:
    """Open a file without following links or waiting for pipes: others may write in the folder, too."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _create_locked(folder: Path) -> tuple[IO[bytes], Path]:
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=_PREFIX, suffix=_SUFFIX)
        with suppress(OSError):  # a file system without locks: then nobody clears away there
            fcntl.flock(handle, fcntl.LOCK_EX)
        file = os.fdopen(handle, "wb")
        if os.fstat(handle).st_nlink:
            return file, Path(name)
        file.close()  # taken for one that was left behind, in the moment before it was held


def _remove(path: Path) -> None:
    for end in _SQLITE_SUFFIXES:
        path.with_name(path.name + end).unlink(missing_ok=True)
