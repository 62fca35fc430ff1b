"""Programs that answer on a port of this computer, for those that measure them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.services import free_port

BIN, HERE = Path(sys.executable).parent, Path(__file__).resolve().parent
# So that a server finds `config` and the yardstick (`bare/site.py`), wherever it is started.
PATHS = os.pathsep.join((str(HERE.parent), str(HERE)))


def granian(
    port: int, application: str, *extra_options: str, interface: str = "rsgi", workers: int = 1
) -> list[str]:
    """The server program of the site with ``application``; ``extra_options``: other words for it."""
    address = ("--http", "1", "--no-ws", "--host", "127.0.0.1", "--port", str(port))
    return [
        *(str(BIN / "granian"), "--interface", interface, *address),
        *("--workers", str(workers), "--log-level", "warning", *extra_options, application),
    ]


@contextmanager
def served(application: str, *extra_options: str, interface: str = "rsgi", workers: int = 1) -> Iterator[str]:
    """Its address, once somebody listens there."""
    port = free_port()
    site = f"http://localhost:{port}"
    server = subprocess.Popen(
        granian(port, application, *extra_options, interface=interface, workers=workers),
        env={**os.environ, "SITE_URL": site, "PYTHONPATH": PATHS},
    )
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield site
    finally:
        server.terminate()
        server.wait()
