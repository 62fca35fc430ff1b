"""`make run`: run the whole site on this computer until Ctrl-C: web, worker and beat, without installing a server.

`HOST` and `PORT` set the address. Set `HOST` to an address of this computer to allow phones in the same network. With
`CRAWFORD_ENV=production` it runs as a small site on a server, behind a proxy that handles HTTPS.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import alone  # noqa: E402
from tools.supervise import Program, Supervisor  # noqa: E402

USUAL_PORT = 8000
PORTS_TRIED = 20
BIN = Path(sys.executable).parent
EVERYWHERE = {"0.0.0.0", "::"}


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def choose_port(host: str) -> int:
    """Return the port from ``PORT``, or the default port, or the next free one after it.

    Exits with a message if the requested port is not valid or in use.
    """
    requested = os.environ.get("PORT")
    if requested is not None:
        if not requested.isdigit() or not 0 < int(requested) < 65536:
            sys.exit(f"PORT is {requested!r}; it must be a number between 1 and 65535.")
        if not is_free(host, int(requested)):
            sys.exit(
                f"Port {requested} on {host} is in use. Try another one: PORT={int(requested) + 1} make run"
            )
        return int(requested)
    for port in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED):
        if is_free(host, port):
            if port != USUAL_PORT:
                print(f"Port {USUAL_PORT} is used by another program; using {port}.", flush=True)
            return port
    sys.exit(
        f"Ports {USUAL_PORT} to {USUAL_PORT + PORTS_TRIED - 1} on {host} are all in use. Choose another one: PORT=… make run"
    )


def environment(host: str, port: int, variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables of all processes of the site.

    ``variables``: the caller's variables and those of ``.env``, which override what follows from ``host`` and
    ``port``.
    """
    names = ["localhost", "127.0.0.1", "[::1]"]
    if host in EVERYWHERE:
        if not variables.get("SITE_URL"):
            sys.exit(
                "HOST means all addresses of this computer. Set SITE_URL to the address that phones will use."
            )
    elif host not in names:
        names.append(host)
    displayed_host = host if host not in {"127.0.0.1", "::1"} else "localhost"
    site = (variables.get("SITE_URL") or f"http://{displayed_host}:{port}").rstrip("/")
    defaults = {
        "SITE_URL": site,
        "ALLOWED_HOSTS": ",".join(dict.fromkeys([*names, urlsplit(site).hostname or "localhost"])),
        "CSRF_TRUSTED_ORIGINS": site,
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return {**defaults, **{name: value for name, value in variables.items() if value or name not in defaults}}


def programs(host: str, port: int) -> list[Program]:
    # The only user of a container may be root; messages are JSON, which cannot run code.
    ignored_warning = "ignore:You're running the worker with superuser privileges"
    celery = [str(BIN / "python"), "-W", ignored_warning, "-m", "celery", "--app", "config", "--quiet"]
    return [
        Program(
            "web",
            [
                *(str(BIN / "granian"), "--interface", "rsgi", "--http", "1", "--no-ws"),
                *("--host", host, "--port", str(port), "--workers", "1", "--log-level", "warning"),
                *("--backlog", "4096", "--respawn-failed-workers", "--workers-kill-timeout", "5"),
                "config.rsgi:application",
            ],
            vital=True,
        ),
        Program(
            "worker",
            [
                *celery,
                "worker",
                "--pool",
                "solo",
                "--without-gossip",
                "--without-mingle",
                "--without-heartbeat",
            ],
        ),
        Program("beat", [*celery, "beat"]),
    ]


class Greeting:
    """A callable that prints the address of the site once it responds, and returns whether it did."""

    def __init__(self, host: str, port: int, site: str, started: float) -> None:
        local_host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
        self.address = f"http://{local_host}:{port}/healthz"
        self.site, self.started = site, started

    def __call__(self) -> bool:
        try:
            with urllib.request.urlopen(self.address, timeout=2) as answer:
                if answer.status != 200:
                    return False
        except (OSError, urllib.error.URLError):
            return False
        seconds = time.monotonic() - self.started
        print(f"\n  Crawford is at {self.site}   (ready after {seconds:.1f} s, Ctrl-C ends it)\n", flush=True)
        for line in sign_ins():
            print(f"  {line}", flush=True)
        print(flush=True)
        return True


def sign_ins() -> list[str]:
    """Return the lines on how to sign in to the demo, empty if this installation has no demo."""
    note = ROOT / (alone.variables().get("CRAWFORD_VAR", "").strip() or "var") / "demo.txt"
    return note.read_text().splitlines() if note.exists() else []


def main() -> int:
    started_at = time.monotonic()
    os.chdir(ROOT)
    host = os.environ.get("HOST") or "127.0.0.1"
    port = choose_port(host)
    env = environment(host, port, alone.variables())
    with ExitStack() as stack:
        alone.lock_paths(stack, env["SITE_URL"])
        result = subprocess.run([sys.executable, ROOT / "tools" / "prepare.py"], env=env, check=False)
        if result.returncode != 0:
            return result.returncode
        return Supervisor(programs(host, port), env).run(Greeting(host, port, env["SITE_URL"], started_at))


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
