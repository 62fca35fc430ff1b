"""Start the whole site without data as `make run` does, check it, stop it as Ctrl-C does, and start it a second time.

The data is in a temporary folder, so other installations are not affected.
"""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 180.0
PAGES = ("/", "/account/login/", "/api/v1/schema/", "/healthz")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: str, port: int, more: Mapping[str, str] = MappingProxyType({})) -> "subprocess.Popen[str]":
    """Start ``make run`` with its data in ``folder``.

    ``more``: variables that override those of this process.
    """
    return subprocess.Popen(
        [sys.executable, ROOT / "tools" / "run.py"],
        env={**os.environ, "CRAWFORD_VAR": folder, "PORT": str(port), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def read(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    for line in process.stdout or ():
        lines.put(line.rstrip())
    lines.put(None)


def until_ready(lines: "queue.Queue[str | None]", output: list[str]) -> str:
    """Return the address that the site prints; exit with the site's output if it does not start.

    ``lines``: the lines printed by the site, which are also added to ``output``.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            line = lines.get(timeout=1)
        except queue.Empty:
            continue
        if line is None:
            break
        output.append(line)
        address_match = re.search(r"Crawford is at (http://\S+)", line)
        if address_match:
            return address_match[1]
    sys.exit("The site did not start:\n" + "\n".join(output))


def request_pages(site: str) -> None:
    for page in PAGES:
        try:
            urllib.request.urlopen(site + page, timeout=20).close()
        except urllib.error.HTTPError as error:
            sys.exit(f"{page} returned status {error.code}")


def processes_of(folder: str) -> list[str]:
    """Return the command lines of all processes that use this data folder."""
    variable = f"CRAWFORD_VAR={folder}".encode()
    command_lines = []
    for process_folder in Path("/proc").glob("[0-9]*"):
        try:
            if variable in (process_folder / "environ").read_bytes().split(b"\0"):
                command_lines.append(
                    (process_folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
        except OSError:
            continue
    return command_lines


def start_and_stop(folder: str, port: int, label: str) -> list[str]:
    started_at = time.monotonic()
    process, output = start(folder, port), list[str]()
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=read, args=(process, lines), daemon=True).start()
    try:
        site = until_ready(lines, output)
        ready_seconds = time.monotonic() - started_at
        request_pages(site)
        stop_sent_at = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(30)
    remaining = processes_of(folder)
    if code != 0 or remaining:
        sys.exit(f"After Ctrl-C the exit code is {code} and these processes are still running: {remaining}")
    print(
        f"{label}: ready after {ready_seconds:.1f} s, stopped within {time.monotonic() - stop_sent_at:.1f} s, nothing left running"
    )
    return output


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="crawford-try-") as folder:
        port = free_port()
        start_and_stop(folder, port, "first start")
        if not any("already has data" in line for line in start_and_stop(folder, port, "second start")):
            sys.exit("The second start did not find the data of the first.")


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    main()
