"""Real processes for tests: a Celery worker with its beat, and management commands, on the test's own database."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings

from tests.support.servers import site_environment


@contextmanager
def worker(broker_url: str, folder: Path, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker (with beat inside) that works on this test's database until the block ends or somebody kills it."""
    environment = site_environment(broker_url, CRAWFORD_VAR=str(folder), **more)
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "-A", "config", "--skip-checks", "worker", "--beat"),
                *("--pool", "prefork", "--concurrency", "2", "--loglevel", "WARNING"),
                *("--schedule", str(folder / "beat")),
            ],
            cwd=settings.BASE_DIR,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """``kill -9`` for the worker and all its children, as a power cut would do it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=10)


def start_command(broker_url: str, folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """``manage.py …`` as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=site_environment(broker_url, CRAWFORD_VAR=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until(true: Callable[[], bool], seconds: float) -> float:
    """Seconds until ``true()``; fails when it does not come true in time."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, f"not true after {seconds} s"
        time.sleep(0.1)
    return time.monotonic() - began
