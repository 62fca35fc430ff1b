"""Run a program with limits of processor time, memory and file size; it ends when its caller ends.

`python -m games.analysis.bounded SECONDS MEMORY FILE PARENT -- program …` sets the limits and becomes the
program.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from games.analysis.port import BROKEN, LIMIT_REACHED, EngineError

ROOT: Final = Path(__file__).resolve().parent.parent.parent
POLL_SECONDS: Final = 0.2  # between checks of the progress
MAX_OUTPUT_CHARS: Final = 200_000  # read of a program's output
LOWEST_PRIORITY: Final = 19
_PARENT_DIES: Final = 1  # PR_SET_PDEATHSIG


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits of a process.

    ``cpu_seconds``: processor time; ``clock``: wall-clock seconds; ``memory`` and ``file`` (the size of any
    file): bytes.
    """

    cpu_seconds: int
    clock: float
    memory: int = 1_000_000_000
    file: int = 50_000_000


def run_limited(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: ProcessLimits,
    on_poll: Callable[[], None] = lambda: None,
) -> str:
    """Run a program in ``folder`` and return what it printed.

    ``on_poll`` is called several times a second; an exception in it ends the program. Raises ``EngineError``:
    LIMIT if the program was ended by a limit, BROKEN if it could not be started or failed.
    """
    launcher = [sys.executable, "-m", "games.analysis.bounded"]
    limit_arguments = [str(limits.cpu_seconds), str(limits.memory), str(limits.file), str(os.getpid())]
    output_path = folder / "printed.txt"
    with output_path.open("wb") as output_file:
        try:
            process = subprocess.Popen(  # noqa: S603 (this Python, this module; the program is the site's own setting)
                [*launcher, *limit_arguments, "--", *command],
                cwd=folder,
                env={**environment, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
                stdin=subprocess.DEVNULL,
                stdout=output_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(BROKEN, error=type(error).__name__) from error
        try:
            status = _wait(process, limits.clock, on_poll)
        finally:
            _kill_group(process)
    with output_path.open("rb") as output:
        text = output.read(MAX_OUTPUT_CHARS).decode(errors="replace")
    if status is None or -status in (signal.SIGXCPU, signal.SIGXFSZ, signal.SIGKILL):
        raise EngineError(LIMIT_REACHED, seconds=limits.cpu_seconds)
    if status != 0:
        raise EngineError(BROKEN, status=status, printed=text[-300:])
    return text


def _wait(process: subprocess.Popen[bytes], seconds: float, on_poll: Callable[[], None]) -> int | None:
    """Wait for the program and return its exit status; None when the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            return process.wait(POLL_SECONDS)
        except subprocess.TimeoutExpired:
            on_poll()
    return None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill all processes of the program's process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main(arguments: Sequence[str]) -> None:
    """Set the limits given on the command line, lower the priority, and become the program."""
    seconds, memory_bytes, file_bytes, parent_pid = (int(argument) for argument in arguments[:4])
    with suppress(OSError, AttributeError):  # not Linux: the limits end it
        ctypes.CDLL(None).prctl(_PARENT_DIES, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        raise SystemExit(1)
    for number in (signal.SIGXFSZ, signal.SIGPIPE):  # Python ignores them, and programs inherit that
        signal.signal(number, signal.SIG_DFL)
    os.nice(LOWEST_PRIORITY)
    # Where Linux schedules by session (a desktop), nice counts within this session only; this is the priority of the session.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(name, None)
    command = list(arguments[5:])
    os.execv(command[0], command)  # noqa: S606 (no shell)


if __name__ == "__main__":
    main(sys.argv[1:])
