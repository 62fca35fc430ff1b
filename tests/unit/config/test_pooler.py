"""PgBouncer in front of PostgreSQL, in transaction mode with fewer connections than there are people: the shipped configuration, for real."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml

from config import environment
from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import postgres_url
from tools.services import free_port, postgres_user

ROOT = Path(__file__).resolve().parents[3]
GRANIAN = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["command"]
POOL = 3


def test_database_when_pooled_then_nothing_is_said_for_a_connection(tmp_path: Path) -> None:
    given = {"ENGINE": "django.db.backends.postgresql", "NAME": "crawford"}
    made = environment.database_settings(given, tmp_path, lock_timeout=2, pooled=True)
    assert made["ENGINE"] == "config.postgres"
    assert made["DISABLE_SERVER_SIDE_CURSORS"] is True
    assert "options" not in made["OPTIONS"]
    assert made["PATIENCE"] == 2
    worker = environment.database_settings(given, tmp_path, pooled=True)
    assert worker["DISABLE_SERVER_SIDE_CURSORS"] is True
    assert not worker.get("PATIENCE")


class Pooled:
    """The site behind the pooler: an own database, and commands that see nothing of PostgreSQL itself."""

    def __init__(self, folder: Path, direct: str, url: str) -> None:
        self.direct, self.url = direct, url
        self.environment = {
            **os.environ,
            "CRAWFORD_ENV": "development",
            "CRAWFORD_VAR": str(folder / "var"),
            "DATABASE_URL": url,
            "DATABASE_POOLED": "true",
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def manage(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def pooled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pooled]:
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.skip("needs PgBouncer: apt install pgbouncer")
    folder = tmp_path_factory.mktemp("pooler")
    server, name, port = postgres_url().rpartition("/")[0], f"pooled_{uuid.uuid4().hex}", free_port()
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    parts = urlsplit(server)
    text = (ROOT / "deploy" / "pgbouncer.ini").read_text()
    for old, new in {
        "crawford = host=127.0.0.1 port=5432 dbname=crawford": f"{name} = host={parts.hostname} port={parts.port} dbname={name} user={parts.username}",
        "listen_port = 6432": f"listen_port = {port}\nunix_socket_dir =",
        "auth_type = scram-sha-256": "auth_type = any",
        "auth_file = /etc/pgbouncer/userlist.txt": "",
        "default_pool_size = 20": f"default_pool_size = {POOL}",
    }.items():
        assert old in text
        text = text.replace(old, new)
    ini = Path("/tmp") / f"crawford-pooler-{name}.ini"
    ini.write_text(text)
    user = postgres_user()
    words = [program, *(["-u", user.pw_name] if user else []), str(ini)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(words, cwd="/", stdout=log, stderr=log)
    address = f"{parts.hostname}:{port}/{name}"
    try:
        for _ in range(100):
            try:
                psycopg.connect(f"postgres://{parts.username}@{address}").close()
                break
            except psycopg.OperationalError:
                assert process.poll() is None, (folder / "log").read_text()
                time.sleep(0.1)
        yield Pooled(folder, f"{server}/{name}", f"postgres://{parts.username}@{address}")
    finally:
        process.terminate()
        process.wait(20)
        ini.unlink()
        with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.postgres
@pytest.mark.slow
@ONLY_IN_FULL
def test_site_when_behind_a_pooler_then_all_of_it_works_and_nothing_stays_on_a_connection(
    pooled: Pooled, tmp_path: Path
) -> None:
    pooled.manage("migrate", "--no-input", "--verbosity", "0")
    pooled.manage("seed_demo")
    assert "all consistent" in pooled.manage("check_events")
    pooled.manage("rebuild_ratings")
    pooled.manage("rebuild_ratings", "--check")
    port = free_port()
    changed = {
        "0.0.0.0": "127.0.0.1",
        "8000": str(port),
        "granian": str(Path(sys.executable).parent / "granian"),
    }
    with (tmp_path / "web.log").open("wb") as log:
        web = subprocess.Popen(
            [changed.get(word, word) for word in GRANIAN],
            cwd=ROOT, env=pooled.environment, stdout=log, stderr=log,
        )  # fmt: skip
    site = f"http://127.0.0.1:{port}"
    try:
        ready = until_answered(f"{site}/readyz")
        assert {check["name"]: check["code"] for check in ready["checks"]}["migrations"] == "migrations.ok"
        event = re.search(r'href="(/en/e/[^"/]+/)"', page(f"{site}/en/"))
        assert event is not None
        answers: list[int] = []
        addresses = [f"{site}/en/events/?q=x{n}" for n in range(40)] + [f"{site}{event[1]}"] * 20
        threads = [
            threading.Thread(target=lambda one=one: answers.append(len(page(one)))) for one in addresses
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == len(addresses), (
            "more at once than there are connections, and each has its answer"
        )
        # Somebody else's lock: a page that writes gives up after two seconds by itself, and says nothing of that to whoever comes next.
        with psycopg.connect(pooled.url, autocommit=True) as other:
            left = {other.execute("SHOW lock_timeout").fetchone()[0] for _ in range(20)}
        assert left == {"0"}
    finally:
        web.terminate()
        web.wait(40)
    assert "Traceback" not in (tmp_path / "web.log").read_text()


@pytest.mark.postgres
@pytest.mark.slow
@ONLY_IN_FULL
def test_transaction_when_a_row_is_locked_then_given_up_in_time_behind_a_pooler(pooled: Pooled) -> None:
    script = (
        "import time, django; django.setup();"
        "from django.db import connection, transaction, OperationalError\n"
        "began = time.monotonic()\n"
        "try:\n"
        "  with transaction.atomic(), connection.cursor() as cursor: cursor.execute('UPDATE held SET a = 2')\n"
        "except OperationalError as error: print(error.__cause__.sqlstate, time.monotonic() - began)\n"
    )
    with psycopg.connect(pooled.direct) as holder:
        holder.execute("CREATE TABLE held (a int)")
        holder.execute("INSERT INTO held VALUES (1)")
        holder.commit()
        holder.execute("UPDATE held SET a = 3")
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT, env={**pooled.environment, "CRAWFORD_PATIENCE": "1"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        holder.rollback()
    state, seconds = done.stdout.split()
    assert state == "55P03", done.stderr
    assert 0.9 < float(seconds) < 15


def until_answered(address: str) -> dict[str, list[dict[str, str]]]:
    for _ in range(300):
        try:
            return dict(json.loads(page(address)))
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"{address} does not answer")


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())
