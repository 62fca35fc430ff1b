"""The very commands of docker-compose.yml, without the containers: real PostgreSQL, real Redis, real processes."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
import yaml

from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import postgres_url, redis_url

ROOT = Path(__file__).resolve().parents[3]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
HOST = "club.example.org"

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow, ONLY_IN_FULL]


class Installation:
    """What compose would start, started by hand."""

    def __init__(self, folder: Path, database: str, port: int) -> None:
        self.folder, self.port = folder, port
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        redis = redis_url().rpartition("/")[0]
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOSTNAME": socket.gethostname(),
            "CRAWFORD_ENV": "production",
            "CRAWFORD_VAR": str(folder / "var"),
            "CRAWFORD_STATIC_ROOT": str(folder / "static"),
            "SECRET_KEY": uuid.uuid4().hex * 2,
            "SITE_URL": f"https://{HOST}",
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": f"{redis}/8",
            "CACHE_URL": f"rediscache://{redis.partition('://')[2]}/9",
            "BEHIND_PROXY": "true",
            "ACCOUNTS": "invited",
        }

    def command(self, words: list[str]) -> list[str]:
        """The container's own address and port are free ones here; `$$` is compose's way to write `$`."""
        changed = {
            "0.0.0.0": "127.0.0.1",
            "8000": str(self.port),
            "/tmp/beat.pid": str(self.folder / "beat.pid"),
        }
        return [
            changed.get(word, word).replace("127.0.0.1:8000", f"127.0.0.1:{self.port}").replace("$$", "$")
            for word in words
        ]

    def run(self, words: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(words), cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )

    def start(self, name: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                self.command(SERVICES[name]["command"]),
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def is_well(self, name: str, within: float) -> bool:
        check = SERVICES[name]["healthcheck"]["test"][1:]
        deadline = time.monotonic() + within
        while time.monotonic() < deadline and self.running[name].poll() is None:
            if self.run(check).returncode == 0:
                return True
            time.sleep(0.5)
        return False

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def get(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        line.request("GET", path, headers={"Host": HOST, **headers})
        answer = line.getresponse()
        body = answer.read().decode(errors="replace")
        line.close()
        return answer, body


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    server, name = postgres_url().rpartition("/")[0], f"compose_{uuid.uuid4().hex}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = Installation(tmp_path, f"{server}/{name}", port)
    yield made
    for process in made.running.values():
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_compose_commands_when_run_in_order_then_a_well_installation_that_ends_cleanly(
    installation: Installation,
) -> None:
    static = installation.run(["python", "manage.py", "collectstatic", "--no-input", "--verbosity", "0"])
    assert static.returncode == 0, static.stderr
    migrated = installation.run(SERVICES["migrate"]["command"])
    assert migrated.returncode == 0, migrated.stderr

    for name in ("web", "worker", "beat"):
        installation.start(name)
    for name in ("web", "worker", "beat"):
        assert installation.is_well(name, within=60), f"{name}: {installation.log(name)}"

    behind_proxy = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    answer, page = installation.get("/account/login/", **behind_proxy)
    assert answer.status == 200
    assert "max-age=" in answer.headers["Strict-Transport-Security"]
    assert "Secure" in answer.headers["Set-Cookie"]

    sheet = re.search(r'href="(/static/css/[^"]+\.[0-9a-f]{12}\.css)"', page)[1]
    answer, _ = installation.get(sheet, **behind_proxy)
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]

    answer, _ = installation.get("/account/login/")
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/account/login/")
    answer, _ = installation.get("/account/login/", Host="elsewhere.example.org", **behind_proxy)
    assert answer.status == 400

    for process in installation.running.values():
        process.send_signal(signal.SIGTERM)
    codes = {name: process.wait(90) for name, process in installation.running.items()}
    assert codes == {"web": 0, "worker": 0, "beat": 0}, [installation.log(name) for name in codes]
