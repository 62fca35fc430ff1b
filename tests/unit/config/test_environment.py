"""What the settings make of addresses."""

import sqlite3
import threading
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction

from config import environment, queues
from config.celery import app
from config.sqlite import open_idle_connection
from people.services.hints import SWEEP_QUEUE


def test_secret_when_many_ask_at_once_then_one_key(tmp_path: Path) -> None:
    path, found = tmp_path / "var" / "key", []
    threads = [
        threading.Thread(target=lambda: found.append(environment.local_secret(path))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert len(set(found)) == 1
    assert len(found[0]) >= 64
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]


def test_patience_of_pages_when_said_anywhere_then_that_and_else_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for given, file in ((None, ""), ("", ""), ("7", "CRAWFORD_PATIENCE=5"), (None, "CRAWFORD_PATIENCE=5")):
        monkeypatch.setenv("CRAWFORD_PATIENCE", given or "")
        if given is None:
            monkeypatch.delenv("CRAWFORD_PATIENCE")
        (tmp_path / ".env").write_text(file)
        found.append(environment.page_lock_timeout(tmp_path))

    assert found == ["2", "2", "7", "5"]


def test_database_when_sqlite_then_one_writer_waits_for_the_other(tmp_path: Path) -> None:
    made = environment.database_settings(
        {"ENGINE": "django.db.backends.sqlite3", "NAME": "data/club.sqlite3"}, tmp_path
    )

    assert made["NAME"] == str(tmp_path / "data/club.sqlite3")
    assert (tmp_path / "data").is_dir()
    assert made["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert made["OPTIONS"]["timeout"] == 20
    assert environment.database_settings(made, tmp_path, lock_timeout=2)["OPTIONS"]["timeout"] == 2


def test_database_when_postgres_then_connections_are_kept_and_checked(tmp_path: Path) -> None:
    made = environment.database_settings(
        {"ENGINE": "django.db.backends.postgresql", "NAME": "crawford"}, tmp_path
    )

    assert made["CONN_MAX_AGE"] > 0
    assert made["CONN_HEALTH_CHECKS"]
    assert made["OPTIONS"]["tcp_user_timeout"] == 15_000, "a line that is dead is given up after seconds"
    assert "options" not in made["OPTIONS"]


def test_database_when_postgres_and_somebody_waits_for_a_page_then_locks_are_not_waited_for(
    tmp_path: Path,
) -> None:
    given = {
        "ENGINE": "django.db.backends.postgresql",
        "OPTIONS": {"sslmode": "require", "options": "-c x=y"},
    }
    made = environment.database_settings(given, tmp_path, lock_timeout=2)
    options = made["OPTIONS"]

    assert made["ENGINE"] == "config.postgres"
    assert options["sslmode"] == "require"
    assert "-c lock_timeout=2s " in options["options"]
    assert options["options"].endswith(" -c x=y")


@pytest.mark.parametrize(
    ("url", "address", "folder"),
    [
        ("filesystem://", "filesystem://localhost", "broker"),
        ("filesystem:///{tmp}/other", "filesystem://localhost", "other"),
    ],
)
def test_broker_when_files_then_folders_are_there(
    tmp_path: Path, url: str, address: str, folder: str
) -> None:
    found, options = environment.broker_settings(url.replace("/{tmp}", str(tmp_path)), tmp_path)

    assert found == address
    assert options["data_folder_in"] == options["data_folder_out"] == str(tmp_path / folder / "queue")
    assert (tmp_path / folder / "queue").is_dir()
    assert (tmp_path / folder / "control").is_dir()


def test_broker_when_redis_then_no_running_task_is_given_out_twice(tmp_path: Path) -> None:
    url, options = environment.broker_settings("redis://redis:6379/0", tmp_path)

    assert url == "redis://redis:6379/0"
    assert options["visibility_timeout"] >= settings.CELERY_TASK_TIME_LIMIT
    assert list(tmp_path.iterdir()) == []


def test_tasks_are_acknowledged_late_and_fetched_one_by_one() -> None:
    assert settings.CELERY_TASK_ACKS_LATE
    assert settings.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
    assert settings.CELERY_TASK_IGNORE_RESULT
    assert all(settings.CELERY_BEAT_SCHEDULE[task]["schedule"].seconds <= 15 for task in queues.SWEEP_TASKS)


def test_tasks_when_sent_then_what_must_not_wait_has_a_queue_of_its_own() -> None:
    app.loader.import_default_modules()
    router = app.amqp.router
    place = {
        task: router.route({}, task)["queue"].name for task in app.tasks if not task.startswith("celery.")
    }

    assert place["rating.tasks.apply_pending"] == "live"
    # Sweeps do not wait behind what they are there for; workers of earlier unit files serve this queue.
    assert place["rating.tasks.sweep"] == place["games.tasks.sweep"] == SWEEP_QUEUE == "celery"
    assert place["rating.tasks.rebuild"] == "rebuild"
    # Engines work where this queue is served, and so does who throws away what they left behind.
    assert place["games.tasks.analyse"] == place[queues.SWEEP_FOLDERS_TASK] == "analysis"
    # No message for a queue that no worker may serve: an installation without an engine leaves that worker out.
    assert not [job for job in settings.CELERY_BEAT_SCHEDULE.values() if place[job["task"]] == "analysis"]
    assert place["games.tasks.import_records"] == "import"
    assert {queue.name for queue in app.amqp.queues.values()} == set(queues.QUEUES)
    assert set(queues.ROUTES) <= set(app.tasks), "a route for a task that nobody has"


def test_sweep_when_the_clock_was_set_back_then_due_at_once() -> None:
    sweep = queues.SteadySchedule(15, app=app)
    now = sweep.now()

    assert sweep.is_due(now + timedelta(hours=1)).is_due
    assert sweep.is_due(now - timedelta(seconds=16)).is_due
    waiting = sweep.is_due(now - timedelta(seconds=5))
    assert not waiting.is_due
    assert 9 < waiting.next <= 10


def test_folder_when_it_cannot_be_written_to_then_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SystemExit, match=r"did not start: it cannot create its folder .*file/var"):
        environment.ensure_writable(tmp_path / "file" / "var")
    with pytest.raises(SystemExit, match="did not start: it cannot write to its folder /proc/self"):
        environment.ensure_writable(Path("/proc/self/fdinfo"))  # also for root
    with pytest.raises(SystemExit, match="did not start: it cannot write its database"):
        environment.database_settings({"ENGINE": "django.db.backends.sqlite3", "NAME": "."}, tmp_path)


def test_database_when_sqlite_then_its_owner_alone_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    file.touch(0o644)
    for _ in range(2):
        environment.database_settings({"ENGINE": "django.db.backends.sqlite3", "NAME": file.name}, tmp_path)
        assert file.stat().st_mode & 0o777 == 0o600
        file.unlink(missing_ok=True)
        environment.database_settings({"ENGINE": "django.db.backends.sqlite3", "NAME": file.name}, tmp_path)


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_sqlite_when_open_then_wal_and_transactions_take_the_lock_at_once() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)
    assert Path(connection.settings_dict["NAME"]).exists()


@pytest.mark.parametrize(
    ("site", "host"),
    [
        ("https://club.example.org", "club.example.org"),
        ("https://club.example.org:8443", "club.example.org"),
        ("http://localhost:8000", "localhost"),
        ("http://club.example.org", ""),  # no browser has keys for it
        ("https://192.168.1.20", ""),
        ("http://192.168.1.20:8000", ""),
        ("https://[2001:db8::7]", ""),
        ("", ""),
    ],
)
def test_passkeys_when_the_site_has_a_name_then_bound_to_it_and_else_there_are_none(
    site: str, host: str
) -> None:
    assert environment.passkey_host(site) == host


def test_sqlite_when_a_web_process_holds_it_then_what_lies_beside_it_outlives_other_connections(
    tmp_path: Path,
) -> None:
    file = tmp_path / "club.sqlite3"
    config = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}

    def write() -> tuple[int, int, int]:
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA journal_mode=WAL")
            other.execute("CREATE TABLE IF NOT EXISTS results (score)")
            other.execute("INSERT INTO results VALUES (7)")
            other.commit()
            return other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def beside() -> set[str]:
        return {path.name.removeprefix(file.name) for path in tmp_path.iterdir()}

    write()
    assert beside() == {""}
    held = open_idle_connection(config)
    assert held is not None
    for _again in range(2):
        assert write() == (0, 0, 0), "it keeps no snapshot"
        assert beside() == {"", "-wal", "-shm"}
    held.close()
    assert beside() == {""}
    assert open_idle_connection({**config, "NAME": ":memory:"}) is None
    assert open_idle_connection({"ENGINE": "config.postgres", "NAME": "crawford"}) is None
    assert open_idle_connection({**config, "NAME": str(tmp_path)}) is None
