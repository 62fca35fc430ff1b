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

METRICS_FOLDER: Final = Path(settings.METRICS_FOLDER)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_FOLDER)  # read when the next line is imported

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values  # noqa: E402
from prometheus_client.mmap_dict import MmapedDict  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

log = logging.getLogger(__name__)
# These parts of the library say no types.
_Collector: Any = MultiProcessCollector
_MetricFile: Any = MmapedDict
_MetricValue: Any = values.MultiProcessValue
# Bytes for each kind of file, taken when a process begins: room for some 4,000 and some 1,000 series.
FILE_BYTES_BY_KIND: Final = {"counter": 1 << 20, "histogram": 1 << 18, "gauge_max": 1 << 16}
ENDED_PROCESSES: Final = "0"  # whose files are those of all who have ended
_FOLD_LOCK: Final = "folding.lock"
_HOLD_SUFFIX: Final = ".held"

_process: dict[str, Any] = {"pid": 0, "name": "", "hold": None}


def _process_name() -> str:
    """Who writes: asked with every figure, so no more than a look at a number. A process that was forked is another one."""
    pid = os.getpid()
    if _process["pid"] != pid:
        name = f"{re.sub(r'[^A-Za-z0-9.-]', '-', socket.gethostname())}-{pid}"
        METRICS_FOLDER.mkdir(parents=True, exist_ok=True)
        # A bare number: it is never closed, and a file object would complain of that.
        hold = os.open(METRICS_FOLDER / f"{name}{_HOLD_SUFFIX}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if hasattr(os, "posix_fallocate"):
            for (kind, size), whose in product(FILE_BYTES_BY_KIND.items(), (name, ENDED_PROCESSES)):
                with (METRICS_FOLDER / f"{kind}_{whose}.db").open("ab") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
        _process.update(pid=pid, name=name, hold=hold)
        fold_ended_processes()
    return str(_process["name"])


def _set_up_values() -> bool:
    try:
        _process_name()
        values.ValueClass = _MetricValue(_process_name)
    except OSError as error:
        log.warning("Nothing is counted for /metrics: %s", error)
        return False
    return True


def record_safely(note: Callable[[], None]) -> None:
    """Write figures down. A request or a task never fails for them."""
    if IS_ENABLED:
        try:
            note()
        except (OSError, ValueError) as error:
            log.warning("A figure for /metrics was not written down: %s", error)


class AllProcessesCollector:
    """A collector: what every process of this computer has counted, with those that have ended."""

    def collect(self) -> Iterator[Any]:
        if IS_ENABLED:
            with _hold_fold_lock():
                yield from _Collector(None, str(METRICS_FOLDER)).collect()


@contextmanager
def _hold_fold_lock() -> Iterator[None]:
    """Nobody folds while somebody adds up."""
    with (METRICS_FOLDER / _FOLD_LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fold_ended_processes() -> int:
    """Add the files of processes that have ended to one; of how many they were."""
    with _hold_fold_lock():
        ended = [
            (path, hold)
            for path in METRICS_FOLDER.glob(f"*{_HOLD_SUFFIX}")
            if (hold := _lock_if_ended(path)) is not None
        ]
        for path, hold in ended:
            name = path.name.removesuffix(_HOLD_SUFFIX)
            for file in METRICS_FOLDER.glob(f"*_{name}.db"):
                _add_metric_file(
                    file, METRICS_FOLDER / file.name.replace(f"_{name}.db", f"_{ENDED_PROCESSES}.db")
                )
                file.unlink()
            path.unlink()
            hold.close()
    return len(ended)


def _lock_if_ended(path: Path) -> IO[str] | None:
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


def _add_metric_file(file: Path, to: Path) -> None:
    """Counts and histograms are summed up, of times the later one stays. A file that nothing was written to has nothing."""
    largest = file.name.startswith("gauge_max")
    total = _MetricFile(str(to))
    try:
        for key, value, stamp, _ in _MetricFile.read_all_values_from_file(str(file)):
            before, _ = total.read_value(key)
            total.write_value(key, max(before, value) if largest else before + value, stamp)
    finally:
        total.close()


IS_ENABLED: Final = _set_up_values()
_REGISTRY: Final = CollectorRegistry()

REQUESTS: Final = Counter(
    "crawford_requests", "Requests answered.", ["route", "method", "status"], registry=_REGISTRY
)
REQUEST_SECONDS: Final = Counter(
    "crawford_route_seconds", "Seconds spent on requests.", ["route"], registry=_REGISTRY
)
STATEMENTS: Final = Counter(
    "crawford_route_statements", "Statements sent to the database by requests.", ["route"], registry=_REGISTRY
)
LATENCY: Final = Histogram(
    "crawford_request_seconds", "Seconds until a request was answered, by kind: memory, reading, writing.", ["kind"],
    buckets=(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10), registry=_REGISTRY,
)  # fmt: skip
REFUSALS: Final = Counter(
    "crawford_refused", "Requests refused before any page: body too slow, too many at once.", ["code"], registry=_REGISTRY
)  # fmt: skip
CACHE_LOOKUPS: Final = Counter("crawford_cache", "Looks into the cache.", ["found"], registry=_REGISTRY)
TASKS: Final = Counter("crawford_tasks", "Tasks that ended.", ["task", "state"], registry=_REGISTRY)
TASK_SECONDS: Final = Histogram(
    "crawford_task_seconds", "Seconds that a task took.", ["task"], buckets=(0.1, 1, 10, 60, 600), registry=_REGISTRY
)  # fmt: skip
TASK_STATEMENTS: Final = Counter(
    "crawford_task_statements", "Statements sent to the database by tasks.", ["task"], registry=_REGISTRY
)
TASK_WAITED: Final = Histogram(
    "crawford_task_waited_seconds", "Seconds from when a message was sent until its task began.", ["queue"],
    buckets=(0.5, 2, 10, 60, 600), registry=_REGISTRY,
)  # fmt: skip
TASK_LAST_END: Final = Gauge(
    "crawford_task_last_success_timestamp_seconds", "When a task of this kind last ended well.", ["task"],
    multiprocess_mode="max", registry=_REGISTRY,
)  # fmt: skip
