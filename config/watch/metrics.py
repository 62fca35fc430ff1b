"""Metrics of all processes of this computer for Prometheus (prometheus_client, multiprocess mode).

Each process writes to files of its own in one folder, and the process that answers `/metrics` adds them up.
Disk space is allocated in advance: a mapped page without space on a full disk would end the process. A
process without space or folder counts nothing and logs that once. The files of ended processes are merged
into one, so that no counter decreases and the folder does not grow.
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
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_FOLDER)  # read by the next import

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values  # noqa: E402
from prometheus_client.mmap_dict import MmapedDict  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

log = logging.getLogger(__name__)
# These parts of the library have no types.
_Collector: Any = MultiProcessCollector
_MetricFile: Any = MmapedDict
_MetricValue: Any = values.MultiProcessValue
# Bytes for each kind of file, allocated at the start: room for about 4,000 and 1,000 series.
FILE_BYTES_BY_KIND: Final = {"counter": 1 << 20, "histogram": 1 << 18, "gauge_max": 1 << 16}
ENDED_PROCESSES: Final = "0"  # name of the merged files of ended processes
_FOLD_LOCK: Final = "folding.lock"
_HOLD_SUFFIX: Final = ".held"

_process: dict[str, Any] = {"pid": 0, "name": "", "hold": None}


def _process_name() -> str:
    """Return the name of this process in file names; a forked process gets another one. Called often."""
    pid = os.getpid()
    if _process["pid"] != pid:
        name = f"{re.sub(r'[^A-Za-z0-9.-]', '-', socket.gethostname())}-{pid}"
        METRICS_FOLDER.mkdir(parents=True, exist_ok=True)
        # A bare descriptor: it is never closed, and a file object would warn about that.
        descriptor = os.open(METRICS_FOLDER / f"{name}{_HOLD_SUFFIX}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if hasattr(os, "posix_fallocate"):
            for (kind, size), process_name in product(FILE_BYTES_BY_KIND.items(), (name, ENDED_PROCESSES)):
                with (METRICS_FOLDER / f"{kind}_{process_name}.db").open("ab") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
        _process.update(pid=pid, name=name, hold=descriptor)
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


def record_safely(record: Callable[[], None]) -> None:
    """Call ``record``, which records metrics; an error is logged and never fails the request or task."""
    if IS_ENABLED:
        try:
            record()
        except (OSError, ValueError) as error:
            log.warning("A figure for /metrics was not written down: %s", error)


class AllProcessesCollector:
    """Prometheus collector of what every process of this computer has counted, including ended ones."""

    def collect(self) -> Iterator[Any]:
        if IS_ENABLED:
            with _hold_fold_lock():
                yield from _Collector(None, str(METRICS_FOLDER)).collect()


@contextmanager
def _hold_fold_lock() -> Iterator[None]:
    """Prevent other processes from merging files while the block runs."""
    with (METRICS_FOLDER / _FOLD_LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fold_ended_processes() -> int:
    """Merge the files of ended processes into one; return the number of processes."""
    with _hold_fold_lock():
        ended = [
            (path, lock_file)
            for path in METRICS_FOLDER.glob(f"*{_HOLD_SUFFIX}")
            if (lock_file := _lock_if_ended(path)) is not None
        ]
        for path, lock_file in ended:
            name = path.name.removesuffix(_HOLD_SUFFIX)
            for file in METRICS_FOLDER.glob(f"*_{name}.db"):
                _add_metric_file(
                    file, METRICS_FOLDER / file.name.replace(f"_{name}.db", f"_{ENDED_PROCESSES}.db")
                )
                file.unlink()
            path.unlink()
            lock_file.close()
    return len(ended)


def _lock_if_ended(path: Path) -> IO[str] | None:
    """Return the locked file of an ended process; None while the process or one of its children lives."""
    with suppress(OSError):
        lock_file = path.open("a")
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock_file.close()
            return None
        return lock_file
    return None


def _add_metric_file(file: Path, target_path: Path) -> None:
    """Add the values of ``file`` to those of another file; of times keep the later one."""
    is_maximum = file.name.startswith("gauge_max")
    target_file = _MetricFile(str(target_path))
    try:
        for key, value, timestamp, _ in _MetricFile.read_all_values_from_file(str(file)):
            previous, _ = target_file.read_value(key)
            target_file.write_value(key, max(previous, value) if is_maximum else previous + value, timestamp)
    finally:
        target_file.close()


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
