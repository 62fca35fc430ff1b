"""Measure how long others wait while request bodies never end, on the site as `make run` serves it.

    .venv/bin/python benchmarks/bodies.py [--bodies N] [--seconds N] [--site http://localhost:8000]

Without a site it starts an empty one in a temporary folder. Unfinished bodies are sent to the check of game records, where anyone may send
4 MB, and one arrives at a byte per second. Exit status 1 if a page took more than `LIMIT_REACHED` ms longer than before.
"""

import argparse
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.services import free_port

LIMIT = 100
PAGES = ("/healthz", "/en/", "/api/v1/clubs/", "/account/login/")
SENT_TO = "/api/v1/records/check/"


@contextmanager
def served() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="crawford-bodies-") as folder:
        port = str(free_port())
        extra_env = {"CRAWFORD_VAR": folder, "PORT": port, "DEMO": "no"}
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "tools" / "run.py")],
            env={**os.environ, **extra_env},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            for _ in range(600):
                if answers(f"http://127.0.0.1:{port}"):
                    break
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def answers(site: str) -> bool:
    try:
        return asked(site, "/healthz") > 0
    except OSError:
        return False


def asked(site: str, path: str) -> float:
    """Milliseconds until the page is there."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=60)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()
    return (time.perf_counter() - start) * 1000


def asked_for(site: str, seconds: float, trickle: socket.socket | None) -> list[float]:
    deadline, next_byte = time.monotonic() + seconds, 0.0
    times: list[float] = []
    while time.monotonic() < deadline:
        times += [asked(site, path) for path in PAGES]
        if trickle and time.monotonic() > next_byte:
            trickle.sendall(b"x")
            next_byte = time.monotonic() + 1
        time.sleep(0.05)
    return times


def unfinished(site: str, stack: ExitStack) -> socket.socket:
    parts = urlsplit(site)
    connection = stack.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=60))
    request_head = f"POST {SENT_TO} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 3000000\r\n"
    connection.sendall(f"{request_head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n".encode())
    return connection


def report(label: str, times: list[float]) -> float:
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)]
    print(f"{label}: {len(times)} pages, median {statistics.median(times):.1f} ms, p99 {p99:.1f}, slowest {ordered[-1]:.1f}")  # fmt: skip
    return p99


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--site")
    options = parser.parse_args()
    with ExitStack() as stack:
        site = options.site or stack.enter_context(served())
        asked_for(site, 2, None)
        before = report("no other players", asked_for(site, options.seconds, None))
        for _ in range(options.bodies):
            unfinished(site, stack)
        trickle = unfinished(site, stack)
        after = report(
            f"{options.bodies} unfinished bodies, one trickles", asked_for(site, options.seconds, trickle)
        )
    print(f"limit: {LIMIT} ms more than without them")
    return int(after > before + LIMIT)


if __name__ == "__main__":
    sys.exit(main())
