"""A small site on a server: `make run` in production, behind a proxy, with its settings in variables alone."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lanes import ONLY_IN_FULL
from tools.try_run import free_port

ROOT = Path(__file__).resolve().parents[3]
HOST = "club.example.org"
BEHIND_PROXY = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}

pytestmark = [pytest.mark.slow, ONLY_IN_FULL]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    env = {
        "PATH": os.environ["PATH"],
        "PORT": str(port),
        "CRAWFORD_ENV": "production",
        "CRAWFORD_VAR": str(tmp_path / "var"),
        "CRAWFORD_STATIC_ROOT": str(tmp_path / "static"),
        "DATABASE_URL": f"sqlite:///{tmp_path}/club.sqlite3",
        "SECRET_KEY": uuid.uuid4().hex * 2,
        "SITE_URL": f"https://{HOST}",
        "ACCOUNTS": "invited",
        "BEHIND_PROXY": "true",
    }
    command = [sys.executable, str(ROOT / "tools" / "run.py")]
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        heard = []
        for line in process.stdout:
            heard.append(line)
            if "Crawford is at" in line:
                break
        assert f"Crawford is at https://{HOST}" in heard[-1], "".join(heard)
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        process.wait(60)


def test_make_run_when_in_production_then_pages_with_their_files(site: str) -> None:
    def asked(path: str) -> str:
        request = urllib.request.Request(site + path, headers=BEHIND_PROXY)
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert answer.status == 200
            return str(answer.read().decode())

    sheet = re.search(r'href="(/static/css/[^"]+\.[0-9a-f]{12}\.css)"', asked("/account/login/"))
    assert sheet is not None
    asked(sheet[1])
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(
            urllib.request.Request(site + "/", headers={**BEHIND_PROXY, "Host": "elsewhere.example.org"}),
            timeout=20,
        )
