"""Temporary folders of engines for input and output, deleted afterwards.

A folder in use has a lock, which the kernel releases however the process ends. So any process of this machine
can recognise the folders of killed workers, which are deleted before the next folder is created.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PREFIX: Final = "crawford-analysis-"
LOCK_NAME: Final = "in-use"
MIN_AGE_SECONDS: Final = 60.0  # seconds; a younger folder may be about to get its lock


@contextmanager
def working_folder() -> Iterator[Path]:
    """Provide an empty folder for one run of an engine, deleted afterwards; deletes stale folders first."""
    sweep_folders()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / LOCK_NAME).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def file_counter(folder: Path, pattern: str, progress: Callable[[int], None]) -> Callable[[], None]:
    """Return a function that calls ``progress`` with the number of files that match ``pattern``.

    It calls it also if the number has not changed: that shows that the worker is alive, as a game may take
    minutes.
    """
    return lambda: progress(sum(1 for _ in folder.glob(pattern)))


def sweep_folders() -> int:
    """Delete folders left behind by killed workers; return their number.

    Folders of other users, folders in use and folders younger than a minute stay.
    """
    deleted_count = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            deleted_count += _remove_if_stale(folder)
    return deleted_count


def _remove_if_stale(folder: Path) -> bool:
    folder_stat = folder.lstat()
    if (
        folder_stat.st_uid != os.getuid()
        or folder.is_symlink()
        or time.time() - folder_stat.st_mtime < MIN_AGE_SECONDS
    ):
        return False
    # Without a lock, its creation was interrupted.
    with suppress(FileNotFoundError), (folder / LOCK_NAME).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    shutil.rmtree(folder, ignore_errors=True)
    return True
