"""The folder that an engine works in: its home, what it is given, what it answers; thrown away when it is done.

Whoever works in one holds a lock in it, which the kernel lets go however a process ends. So what a killed worker left behind is told from
what is in use, by any process of this machine, and thrown away before the next one is made.
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
MIN_AGE_SECONDS: Final = 60.0  # seconds: a folder that is younger may be waiting for its lock


@contextmanager
def working_folder() -> Iterator[Path]:
    """An empty folder for one run of an engine."""
    sweep_folders()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / LOCK_NAME).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def file_counter(folder: Path, pattern: str, progress: Callable[[int], None]) -> Callable[[], None]:
    """To be called while an engine works: ``progress`` hears each time how many files of the pattern there are. Also where nothing is new: it is how
    a worker says that it is still at it, and a game may take minutes where nobody has time for it.
    """
    return lambda: progress(sum(1 for _ in folder.glob(pattern)))


def sweep_folders() -> int:
    """Throw away what was left behind; how many there were. Those of other users and those in use stay."""
    thrown = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            thrown += _remove_if_stale(folder)
    return thrown


def _remove_if_stale(folder: Path) -> bool:
    found = folder.lstat()
    if found.st_uid != os.getuid() or folder.is_symlink() or time.time() - found.st_mtime < MIN_AGE_SECONDS:
        return False
    # Without a lock in it, it was left behind while it was made.
    with suppress(FileNotFoundError), (folder / LOCK_NAME).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    shutil.rmtree(folder, ignore_errors=True)
    return True
