"""A PostgreSQL that stands still, with readers that wait for it, on the site as it is served: who watches is answered in time all the same."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.lanes import ONLY_IN_FULL
from tools.services import free_port, postgres

ROOT = Path(__file__).resolve().parents[3]
GRANIAN = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["command"]
IN_TIME = 4.0  # seconds: two, and what a machine at work adds


def ask(port: int, path: str) -> tuple[int, str, float]:
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", path)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, body, time.monotonic() - began


def until(port: int, path: str, status: int) -> None:
    for _ in range(150):
        with suppress(OSError):
            if ask(port, path)[0] == status:
                return
        time.sleep(0.2)
    pytest.fail(f"{path} is not answered by {status}")


def checks(port: int) -> dict[str, str]:
    """What `/readyz` finds, by name."""
    return {check["name"]: check["code"] for check in json.loads(ask(port, "/readyz")[1])["checks"]}


def send(number: signal.Signals, server: int) -> None:
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(server)], capture_output=True, text=True, check=False
    ).stdout.split()
    for pid in (server, *map(int, children)):
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.mark.postgres
@pytest.mark.slow
@ONLY_IN_FULL
def test_questions_of_who_watches_when_the_database_stands_still_then_answered_in_time(
    tmp_path_factory: Any,
) -> None:
    folder = Path(f"/tmp/crawford-frozen-{os.getpid()}")
    folder.mkdir(mode=0o755)
    port = free_port()
    with postgres(folder) as url:
        environment = {
            **os.environ,
            "CRAWFORD_ENV": "development",
            "CRAWFORD_VAR": str(tmp_path_factory.mktemp("var")),
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": "",
            "CACHE_URL": "",
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        changed = {
            "0.0.0.0": "127.0.0.1",
            "8000": str(port),
            "granian": str(Path(sys.executable).parent / "granian"),
        }
        web = subprocess.Popen([changed.get(word, word) for word in GRANIAN], cwd=ROOT, env=environment)
        server = int((folder / "postgres" / "postmaster.pid").read_text().split()[0])
        try:
            until(port, "/readyz", 200)
            send(signal.SIGSTOP, server)
            for number in range(20):
                threading.Thread(target=_look, args=(port, f"/en/events/?q={number}"), daemon=True).start()
            time.sleep(1)
            for path, wanted in (("/livez", 200), ("/healthz", 503), ("/readyz", 503), ("/metrics", 200)):
                status, body, took = ask(port, path)
                assert status == wanted, (path, body)
                assert took < IN_TIME, (path, took)
            found = checks(port)
            assert found["database"] in {"database.hangs", "database.away"}
            for _ in range(20):  # on a busy machine a folder may take longer than somebody who watches waits
                if found["redis"] == "redis.unused":
                    break
                time.sleep(0.5)
                found = checks(port)
            assert found["redis"] == "redis.unused"
            assert found["database"] in {"database.hangs", "database.away"}
            send(signal.SIGCONT, server)
            until(port, "/readyz", 200)
        finally:
            send(signal.SIGCONT, server)
            web.terminate()
            web.wait(60)
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def _look(port: int, path: str) -> None:
    with suppress(OSError, http.client.HTTPException):
        ask(port, path)
