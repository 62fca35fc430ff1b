"""Run several processes together: start them, prefix their output, restart those that end, and stop all of them at once.

Independent of Crawford; uses only the standard library. A child never outlives the supervisor: each leads its own process group, which is
stopped as a whole, and on Linux the kernel stops it even if the supervisor is killed (it is started through this file as a program, which
requests that and then becomes the child).
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import IO

END_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
PATIENCE = 10.0
PAUSE, LONGEST_PAUSE = 1.0, 30.0
STEADY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run. If a ``vital`` program cannot start at all, all others are stopped."""

    name: str
    command: Sequence[str]
    vital: bool = False


@dataclass(slots=True)
class Running:
    program: Program
    process: "subprocess.Popen[str]"
    started: float
    restart_count: int = 0
    ended_at: float | None = None


@dataclass(slots=True)
class Supervisor:
    programs: Sequence[Program]
    environment: Mapping[str, str]
    output: IO[str] = field(default_factory=lambda: sys.stdout)
    _running: list[Running] = field(default_factory=list)
    _ending: bool = False

    def run(self, when_up: Callable[[], bool]) -> int:
        """Run until a signal; return the exit status. ``when_up`` is called until it returns True once.

        It returns True when the site responds. Until then, the end of a vital program ends all programs.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._end)
        self._running = [self._start(program) for program in self.programs]
        has_started, code = False, 0
        while not self._ending:
            has_started = has_started or when_up()
            for running in list(self._running):
                if running.process.poll() is None or self._ending:
                    continue
                if running.program.vital and not has_started:
                    self.say(f"{running.program.name} did not start; see the reason above.")
                    self._ending, code = True, 1
                    break
                self._restart(running, time.monotonic())
            time.sleep(0.2)
        self._stop()
        return code

    def say(self, text: str) -> None:
        print(text, file=self.output, flush=True)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._ending = True

    def _start(self, program: Program) -> Running:
        process = subprocess.Popen(
            [sys.executable, "-S", "-E", __file__, str(os.getpid()), *program.command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._relay, args=(program.name, process.stdout), daemon=True).start()
        return Running(program, process, time.monotonic())

    def _relay(self, name: str, lines: IO[str]) -> None:
        for line in lines:
            self.say(f"{name:<7}| {line.rstrip()}")

    def _restart(self, fallen: Running, now: float) -> None:
        """Restart a program that ended, with growing pauses, so that errors do not flood the screen."""
        if fallen.ended_at is None:
            fallen.ended_at = now
            fallen.restart_count = 1 if now - fallen.started > STEADY_SECONDS else fallen.restart_count + 1
            self._signal(fallen, signal.SIGKILL)
            self.say(f"{fallen.program.name} ended (code {fallen.process.returncode}); it will be restarted.")
        elif now - fallen.ended_at > min(PAUSE * 2 ** (fallen.restart_count - 1), LONGEST_PAUSE):
            restarted = self._start(fallen.program)
            restarted.restart_count = fallen.restart_count
            self._running[self._running.index(fallen)] = restarted

    def _stop(self) -> None:
        self.say("Stopping …")
        for running in self._running:
            self._signal(running, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        for running in self._running:
            try:
                running.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.say(f"{running.program.name} does not stop; killing it.")
            # Also after a clean end: no process of its group may remain.
            self._signal(running, signal.SIGKILL)
            running.process.wait()

    @staticmethod
    def _signal(running: Running, number: signal.Signals) -> None:
        try:
            os.killpg(running.process.pid, number)
        except ProcessLookupError:
            return


def _replace_process(parent: int, command: list[str]) -> None:
    """Make the kernel stop this process when its parent ends, then replace it by the program."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGTERM)
    if os.getppid() == parent:
        os.execvp(command[0], command)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    _replace_process(int(sys.argv[1]), sys.argv[2:])
