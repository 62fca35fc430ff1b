"""The site as an operator sets it up, as processes: two web processes with production settings, and Caddy with the shipped configuration in
front, which speaks HTTPS by a certificate of its own.
"""

import http.client
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import yaml

from tools.services import free_port

BIN = Path(sys.executable).parent
GRANIAN: Sequence[str] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"][
    "command"
]
# Its certificate is made by the proxy itself, for this run.
UNKNOWN = ssl.create_default_context()
UNKNOWN.check_hostname, UNKNOWN.verify_mode = False, ssl.CERT_NONE
RECORD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.mat"\r\n\r\nno record\r\n--x--\r\n'
FORM = "multipart/form-data; boundary=x"
SENT_TO = "/api/v1/records/check/"


def line_to(site: str, timeout: float = 30) -> http.client.HTTPConnection:
    parts = urlsplit(site)
    if parts.scheme == "https":
        return http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=UNKNOWN)
    return http.client.HTTPConnection(parts.netloc, timeout=timeout)


def ask(site: str, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    connection = line_to(site)
    try:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@dataclass
class Fronted:
    """``webs``: the web processes by their number; ``site``: the address of the proxy."""

    folder: Path
    port: int
    doors: tuple[int, int]
    environment: dict[str, str]
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def site(self) -> str:
        return f"https://localhost:{self.port}"

    def var(self, number: int) -> Path:
        return self.folder / f"var{number}"

    def door(self, number: int) -> str:
        return f"http://127.0.0.1:{self.doors[number]}"

    def manage(self, *words: str, **more: str) -> str:
        result = subprocess.run(
            [str(BIN / "python"), "manage.py", *words],
            cwd=ROOT, env={**self.environment, **more}, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return result.stdout

    def start_web(self, number: int) -> None:
        """The very command of docker-compose.yml, on a port and in a folder of its own, as a container has them."""
        replacements = {
            "0.0.0.0": "127.0.0.1",
            "8000": str(self.doors[number]),
            "granian": str(BIN / "granian"),
        }
        self._start(
            f"web{number}", [replacements.get(word, word) for word in GRANIAN], {"CRAWFORD_VAR": str(self.var(number))}
        )  # fmt: skip
        self.wait_for(self.door(number), "/livez")

    def start_proxy(self) -> None:
        caddy = shutil.which("caddy")
        if caddy is None:
            sys.exit("Caddy is not installed: apt install caddy")
        extra_env = {
            "SITE_URL": self.site,
            "TLS": "tls internal",
            "UPSTREAMS": " ".join(f"127.0.0.1:{port}" for port in self.doors),
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder / "caddy"),
        }
        # Another port for HTTP than 80, which may be somebody's; nothing is put into the machine's store of certificates.
        text = (ROOT / "deploy" / "Caddyfile").read_text()
        text = text.replace(
            "\tadmin off\n", f"\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n", 1
        )
        (self.folder / "Caddyfile").write_text(text)
        command = [caddy, "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]
        self._start("caddy", command, extra_env)
        self.wait_for(self.site, "/en/")

    def _start(self, name: str, command: Sequence[str], extra_env: dict[str, str]) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command, cwd=ROOT, env={**self.environment, **extra_env}, stdout=log, stderr=log
            )

    def end(self, name: str) -> None:
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def wait_for(self, site: str, path: str) -> None:
        for _ in range(300):
            with suppress(OSError, http.client.HTTPException):
                if ask(site, "GET", path)[0] == 200:
                    return
            time.sleep(0.2)
        for name in self.running:
            print(f"--- {name}\n{(self.folder / f'{name}.log').read_text()[-3000:]}")
        sys.exit(f"{site}{path} does not answer")


@contextmanager
def fronted(folder: Path, *, proxy: bool = True) -> Iterator[Fronted]:
    """Up and well, with the demo's events; all of it ended with the block."""
    port = free_port()
    removed_names = {
        "DATABASE_URL",
        "CACHE_URL",
        "CELERY_BROKER_URL",
        "CRAWFORD_VAR",
        "DJANGO_SETTINGS_MODULE",
    }
    environment = {name: value for name, value in os.environ.items() if name not in removed_names} | {
        "CRAWFORD_ENV": "production",
        "CRAWFORD_VAR": str(folder / "var0"),
        "CRAWFORD_STATIC_ROOT": str(folder / "static"),
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "CELERY_BROKER_URL": f"filesystem://{folder / 'broker'}",
        "SECRET_KEY": "of-this-run-alone-0123456789-abcdefghijklmnopqrstuvwxyz",
        "SITE_URL": f"https://localhost:{port}",
        "ACCOUNTS": "invited",
        "BEHIND_PROXY": "true",
        "PYTHONPATH": str(ROOT),
        "LOG_LEVEL": "WARNING",
    }
    site = Fronted(folder, port, (free_port(), free_port()), environment)
    site.manage("migrate", "--no-input", "--verbosity", "0")
    site.manage("seed_demo", CRAWFORD_ENV="development")
    site.manage("collectstatic", "--no-input", "--verbosity", "0")
    try:
        for number in (0, 1) if proxy else (0,):
            site.start_web(number)
        if proxy:
            site.start_proxy()
        yield site
    finally:
        for name in list(site.running):
            site.end(name)


@dataclass
class Load:
    """Who asks without a pause: ``answers`` by kind and status, and every request that got none, or one of a broken server."""

    site: str
    people: int
    answers: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    slowest: float = 0.0
    _ending: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def on(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._ask_on, args=(number,)) for number in range(self.people)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ending = True
            for thread in threads:
                thread.join()

    def _ask_on(self, person: int) -> None:
        requests: list[Callable[[int], tuple[str, int]]] = [self._page, self._search, self._record]
        count = 0
        while not self._ending:
            start = time.monotonic()
            try:
                kind, status = requests[count % len(requests)](person * 10_000 + count)
                failure = f"{kind} {status}" if status >= 500 else ""
            except (OSError, http.client.HTTPException) as error:
                kind, status, failure = "request", 0, f"{type(error).__name__}: {error}"
            with self._lock:
                self.answers[f"{kind} {status}"] += 1
                self.slowest = max(self.slowest, time.monotonic() - start)
                if failure:
                    self.lost.append(failure)
            count += 1
            time.sleep(0.01)

    def _page(self, _: int) -> tuple[str, int]:
        return "page", ask(self.site, "GET", "/en/", **self._from(0))[0]

    def _search(self, number: int) -> tuple[str, int]:
        """Another one each time: no memory has it."""
        return "search", ask(self.site, "GET", f"/en/events/?q=x{number}", **self._from(number))[0]

    def _record(self, number: int) -> tuple[str, int]:
        """Something that is sent."""
        headers = {"Content-Type": FORM, **self._from(number)}
        return "record", ask(self.site, "POST", SENT_TO, RECORD, **headers)[0]

    def _from(self, number: int) -> dict[str, str]:
        """Somebody else each time; a proxy of ours says so itself."""
        if self.site.startswith("https:"):
            return {}
        return {
            "Host": "localhost",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        }
