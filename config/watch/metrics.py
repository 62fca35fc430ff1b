"""Figures of all processes of this computer, for Prometheus: who counts writes into files of its own in one folder, and whoever is asked adds
them up (prometheus_client, multiprocess mode).

A file has its room on the disk before anything is written: a mapped page that a full disk has no room for would end the process. Who finds
no room, or no folder, counts nothing and says so once. The files of processes that have ended are added to one, so that nothing counts
backwards and the folder does not grow.
"""

import fcntl
import logging
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings

FOLDER: Final = Path(settings.METRICS_FOLDER)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FOLDER)  # read when the next line is imported

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values  # noqa: E402
from prometheus_client.mmap_dict import MmapedDict  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

log = logging.getLogger(__name__)
# These parts of the library say no types.
_Adding: Any = MultiProcessCollector
_File: Any = MmapedDict
_Value: Any = values.MultiProcessValue
# Bytes for each kind of file, taken when a process begins: room for some 4,000 and some 1,000 series.
ROOM: Final = {"counter": 1 << 20, "histogram": 1 << 18, "gauge_max": 1 << 16}
ENDED: Final = "0"  # whose files are those of all who have ended
_FOLDING: Final = "folding.lock"
_HELD: Final = ".held"

_mine: dict[str, Any] = {"pid": 0, "name": "", "hold": None}


def _identity() -> str:
    """Who writes: asked with every figure, so no more than a look at a number. A process that was forked is another one."""
    pid = os.getpid()
    if _mine["pid"] != pid:
        name = f"{re.sub(r'[^A-Za-z0-9.-]', '-', socket.gethostname())}-{pid}"
        FOLDER.mkdir(parents=True, exist_ok=True)
        # A bare number: it is never closed, and a file object would complain of that.
        hold = os.open(FOLDER / f"{name}{_HELD}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if hasattr(os, "posix_fallocate"):
            for (kind, size), whose in product(ROOM.items(), (name, ENDED)):
                with (FOLDER / f"{kind}_{whose}.db").open("ab") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
        _mine.update(pid=pid, name=name, hold=hold)
        fold()
    return str(_mine["name"])


def _made() -> bool:
    try:
        _identity()
        values.ValueClass = _Value(_identity)
    except OSError as error:
        log.warning("Nothing is counted for /metrics: %s", error)
        return False
    return True


def counted(note: Callable[[], None]) -> None:
    """Write figures down. A request or a task never fails for them."""
    if COUNTS:
        try:
            note()
        except (OSError, ValueError) as error:
            log.warning("A figure for /metrics was not written down: %s", error)


class OfAll:
    """A collector: what every process of this computer has counted, with those that have ended."""

    def collect(self) -> Iterator[Any]:
        if COUNTS:
            with _alone():
                yield from _Adding(None, str(FOLDER)).collect()


@contextmanager
def _alone() -> Iterator[None]:
    """Nobody folds while somebody adds up."""
    with (FOLDER / _FOLDING).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fold() -> int:
    """Add the files of processes that have ended to one; of how many they were."""
    with _alone():
        ended = [(path, hold) for path in FOLDER.glob(f"*{_HELD}") if (hold := _taken(path)) is not None]
        for path, hold in ended:
            name = path.name.removesuffix(_HELD)
            for file in FOLDER.glob(f"*_{name}.db"):
                _add(file, FOLDER / file.name.replace(f"_{name}.db", f"_{ENDED}.db"))
                file.unlink()
            path.unlink()
            hold.close()
    return len(ended)


def _taken(path: Path) -> IO[str] | None:
    """The lock of a process that has ended; None while it lives, or one of its children that has counted nothing yet."""
    with suppress(OSError):
        hold = path.open("a")
        try:
            fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            hold.close()
            return None
        return hold
    return None


def _add(file: Path, to: Path) -> None:
    """Counts and histograms are summed up, of times the later one stays. A file that nothing was written to has nothing."""
    largest = file.name.startswith("gauge_max")
    total = _File(str(to))
    try:
        for key, value, stamp, _ in _File.read_all_values_from_file(str(file)):
            before, _ = total.read_value(key)
            total.write_value(key, max(before, value) if largest else before + value, stamp)
    finally:
        total.close()


COUNTS: Final = _made()
_OWN: Final = CollectorRegistry()

REQUESTS: Final = Counter(
    "crawford_requests", "Requests answered.", ["route", "method", "status"], registry=_OWN
)
REQUEST_SECONDS: Final = Counter(
    "crawford_route_seconds", "Seconds spent on requests.", ["route"], registry=_OWN
)
STATEMENTS: Final = Counter(
    "crawford_route_statements", "Statements sent to the database by requests.", ["route"], registry=_OWN
)
LATENCY: Final = Histogram(
    "crawford_request_seconds", "Seconds until a request was answered, by kind: memory, reading, writing.", ["kind"],
    buckets=(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10), registry=_OWN,
)  # fmt: skip
REFUSED: Final = Counter(
    "crawford_refused", "Requests refused before any page: body too slow, too many at once.", ["code"], registry=_OWN
)  # fmt: skip
CACHE: Final = Counter("crawford_cache", "Looks into the cache.", ["found"], registry=_OWN)
TASKS: Final = Counter("crawford_tasks", "Tasks that ended.", ["task", "state"], registry=_OWN)
TASK_SECONDS: Final = Histogram(
    "crawford_task_seconds", "Seconds that a task took.", ["task"], buckets=(0.1, 1, 10, 60, 600), registry=_OWN
)  # fmt: skip
TASK_STATEMENTS: Final = Counter(
    "crawford_task_statements", "Statements sent to the database by tasks.", ["task"], registry=_OWN
)
TASK_WAITED: Final = Histogram(
    "crawford_task_waited_seconds", "Seconds from when a message was sent until its task began.", ["queue"],
    buckets=(0.5, 2, 10, 60, 600), registry=_OWN,
)  # fmt: skip
TASK_LAST: Final = Gauge(
    "crawford_task_last_success_timestamp_seconds", "When a task of this kind last ended well.", ["task"],
    multiprocess_mode="max", registry=_OWN,
)  # fmt: skip
