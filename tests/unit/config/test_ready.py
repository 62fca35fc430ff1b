"""`/readyz`: every check in words and codes, and an answer in time whatever hangs."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from config import wsgi
from config.checks import check_catalogues
from config.watch import messages
from config.watch.probes import Probe, ProbeTimeout
from config.watch.ready import (
    BROKER_PROBE,
    DATABASE_PROBE,
    LATE_SECONDS,
    MAX_SECONDS,
    MIGRATIONS_PROBE,
    RATINGS_PROBE,
    Check,
    Level,
    _ratings_check,
    _release_migrations,
    overall_state,
)
from rating.selectors.behind import RatingBacklog
from tests.support.servers import redis_url


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    """What was answered a moment ago, or is still asked, is about another test's tables and servers; whichever test asked."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    for probe in (DATABASE_PROBE, MIGRATIONS_PROBE, BROKER_PROBE, RATINGS_PROBE):
        probe._asked = None


def readiness(client: Client) -> tuple[int, str, dict[str, Any]]:
    answer = client.get("/readyz", headers={"host": "10.0.0.7:8000"})
    body = answer.json()
    assert answer["Cache-Control"] == "no-store"
    return answer.status_code, body["status"], {check["name"]: check for check in body["checks"]}


def test_probe_when_what_it_asks_hangs_then_told_in_time_and_asked_once() -> None:
    asked: list[int] = []
    release = threading.Event()

    def hang() -> str:
        asked.append(1)
        release.wait(20)
        return "at last"

    probe = Probe("test", hang)
    began = time.monotonic()
    for _ in range(5):
        with pytest.raises(ProbeTimeout):
            probe.answer(0.02)
    assert time.monotonic() - began < 15
    assert asked == [1]
    release.set()
    assert probe.answer(5) == "at last"


def test_probe_when_it_raises_then_so_does_its_answer_and_the_next_one_asks_anew() -> None:
    answers: list[Any] = [OSError("gone"), TimeoutError("of its own"), "here"]

    def ask() -> Any:
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    probe = Probe("test", ask, result_seconds=-1)
    for kind in (OSError, TimeoutError):
        with pytest.raises(kind):
            probe.answer(5)
    assert probe.answer(5) == "here"


def test_probe_when_asked_often_then_the_server_is_asked_once_a_moment() -> None:
    asked: list[int] = []
    probe = Probe("test", lambda: asked.append(1), result_seconds=30)
    for _ in range(50):
        probe.answer(5)
    assert asked == [1]


@pytest.mark.django_db(transaction=True)
def test_readyz_when_all_is_well_then_every_check_has_a_code_and_a_sentence(client: Client) -> None:
    status, state, found = readiness(client)
    assert (status, state) == (200, "ready")
    assert list(found) == ["database", "migrations", "redis", "messages", "ratings", "texts"]
    assert all(check["code"] == f"{name}.ok" and check["detail"] for name, check in found.items())


@pytest.mark.django_db(transaction=True)
def test_readyz_when_a_migration_is_missing_then_not_ready_and_named(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("rating", "0001_initial")
    try:
        status, state, found = readiness(client)
    finally:
        recorder.record_applied("rating", "0001_initial")
    assert (status, state) == (503, "not ready")
    assert found["migrations"]["code"] == "migrations.missing"
    assert "rating.0001_initial" in found["migrations"]["detail"]
    assert found["database"]["code"] == "database.ok"


def test_migrations_of_this_release_are_those_that_lie_beside_the_code() -> None:
    root = Path(__file__).resolve().parents[3]
    ours = {path.stem for path in (root / "tournaments" / "migrations").glob("0*.py")}
    assert {name for app, name in _release_migrations() if app == "tournaments"} == ours


@pytest.mark.django_db(transaction=True)
def test_readyz_when_redis_says_nothing_then_impaired_and_in_time(client: Client, settings) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(5)
        settings.CELERY_BROKER_URL = f"redis://:secret-word@127.0.0.1:{silent.getsockname()[1]}/0"
        began = time.monotonic()
        answer = client.get("/readyz")
        took = time.monotonic() - began
    codes = {check["name"]: check["code"] for check in answer.json()["checks"]}
    assert (answer.status_code, answer.json()["status"]) == (200, "impaired")
    assert codes["redis"] in {"redis.away", "redis.hangs"}
    assert codes["messages"] == "messages.unknown"
    assert codes["database"] == "database.ok"
    assert took < MAX_SECONDS + 3
    assert "secret-word" not in answer.content.decode()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_readyz_when_the_database_hangs_then_not_ready_in_time(client: Client) -> None:
    """A lock that is never given back stands for a database that does not answer."""
    given = connection.get_connection_params()
    with psycopg.connect(
        dbname=given["dbname"],
        host=given.get("host"),
        port=given.get("port"),
        user=given.get("user"),
        password=given.get("password"),
    ) as holder:
        holder.execute("LOCK TABLE django_migrations, rating_pending IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        status, state, found = readiness(client)
        took = time.monotonic() - began
        assert (status, state) == (503, "not ready")
        assert found["migrations"]["code"] == "migrations.hangs"
        assert found["ratings"]["code"] == "ratings.hangs"
        assert found["database"]["code"] == "database.ok"
        assert took < MAX_SECONDS + 3
        holder.rollback()


@pytest.mark.django_db(transaction=True)
def test_readyz_when_nobody_takes_messages_then_the_queue_is_named(
    client: Client, settings, tmp_path: Path
) -> None:
    settings.CELERY_BROKER_URL = "filesystem://localhost"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path)}
    assert readiness(client)[2]["redis"]["code"] == "redis.unused"
    BROKER_PROBE._asked = None
    old = time.time_ns() - (LATE_SECONDS + 60) * 1_000_000_000
    for name in (f"{old:020d}_a.mail.msg", f"{old:020d}_b.rebuild.msg", f"{time.time_ns():020d}_c.live.msg"):
        (tmp_path / name).write_text("{}")
    status, state, found = readiness(client)
    assert (status, state) == (200, "impaired")
    assert found["messages"]["code"] == "messages.late"
    assert "mail" in found["messages"]["detail"]
    assert "rebuild" not in found["messages"]["detail"], "what takes minutes may wait"
    assert found["messages"]["value"] > LATE_SECONDS


@pytest.mark.redis
def test_messages_when_in_redis_then_counted_and_the_oldest_told(settings) -> None:
    import redis

    settings.CELERY_BROKER_URL = redis_url().rpartition("/")[0] + "/11"
    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as client:
        client.flushdb()
        now = time.time()
        for age in (100, 50):
            client.lpush("live", json.dumps({"headers": {messages.SENT_AT_HEADER: now - age}}))
        client.lpush("mail", b"of nobody")
        found = messages.queue_states()
        client.flushdb()
    assert found["live"].count == 2
    assert 99 < found["live"].age < 110
    assert (found["mail"].count, found["mail"].age) == (1, 0.0)
    assert found["rebuild"].count == 0


def test_ratings_when_results_wait_long_then_impaired() -> None:
    late = _ratings_check(RatingBacklog(3, timezone.now() - timedelta(hours=2)))
    assert (late.level, late.code, late.value) == (Level.IMPAIRED, "ratings.late", 3)
    assert _ratings_check(RatingBacklog(3, timezone.now())).level is Level.OK
    assert _ratings_check(RatingBacklog(0, None)).level is Level.OK


@pytest.mark.parametrize(
    ("levels", "state"),
    [
        ([Level.OK, Level.OK], "ready"),
        ([Level.OK, Level.IMPAIRED], "impaired"),
        ([Level.IMPAIRED, Level.FAILS], "not ready"),
    ],
)
def test_state_is_that_of_the_worst(levels: list[Level], state: str) -> None:
    assert overall_state([Check("x", level, "x.y", "z") for level in levels]) == state


def test_livez_when_the_process_is_about_to_end_then_says_so_and_asks_no_database(
    client: Client, settings, tmp_path: Path
) -> None:
    settings.DRAINING_FILE = tmp_path / "draining"
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": "/livez", "HTTP_HOST": "10.0.0.7:8000"}
    at_once = wsgi.application.instant_response(asked)
    assert at_once is not None
    assert (at_once[0], client.get("/livez").status_code) == (200, 200)
    settings.DRAINING_FILE.touch()
    at_once = wsgi.application.instant_response(asked)
    assert at_once is not None
    assert (at_once[0], client.get("/livez").status_code) == (503, 503)
    assert json.loads(at_once[2])["status"] == "going away"


@pytest.mark.django_db
def test_translations_when_missing_or_outdated_then_readyz_and_the_deployment_check_say_so(
    client: Client, settings, tmp_path: Path
) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    texts, compiled = folder / "django.po", folder / "django.mo"
    texts.touch()
    status, state, found = readiness(client)
    assert (status, state, found["texts"]["code"]) == (200, "impaired", "texts.missing")
    assert [fault.id for fault in check_catalogues()] == ["crawford.E001"]
    compiled.touch()
    os.utime(compiled, (0, 0))
    assert [fault.id for fault in check_catalogues()] == ["crawford.W002"]
    compiled.touch()
    assert check_catalogues() == []
    assert readiness(client)[2]["texts"]["code"] == "texts.ok"
