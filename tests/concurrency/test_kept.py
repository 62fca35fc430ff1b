"""A worker older than the site: what it cannot read is kept, with a line in the log, and the next worker does it."""

import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker

from config import kept
from config.celery import app as site
from config.kept import DeferringTask, requeue_deferred


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Celery]]:
    """A release of some program on the broker of this process, with queues of its own.

    Celery's worker for tests makes its app that of the whole process: afterwards it is the site's again.
    """
    name = uuid.uuid4().hex
    monkeypatch.setattr(kept, "DEFERRED_QUEUE", f"kept-{name}")
    monkeypatch.setattr(kept, "_DEFAULT_QUEUE", name)
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)

    def made(**tasks: Callable[..., object]) -> Celery:
        app = Celery(name, broker="memory://", task_cls=DeferringTask, set_as_current=False)
        app.conf.update(
            task_default_queue=name,
            worker_consumer="config.consumer:Consumer",
            task_ignore_result=True,
            broker_transport_options={"polling_interval": 0.01},
        )
        for task, work in tasks.items():
            app.task(work, name=task, shared=False)
        return app

    yield made
    site.set_current()
    site.set_default()


def waits(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_message_of_a_newer_release_is_kept_and_done_by_its_worker(
    release: Callable[..., Celery], capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[tuple[object, ...]] = []

    def rate(pk: int) -> None:
        done.append(("older", pk))

    def rate_again(pk: int, why: str = "") -> None:
        done.append(("newer", pk, why))

    def tell(pk: int) -> None:
        done.append(("told", pk))

    older, newer = release(rate=rate), release(rate=rate_again, tell=tell)
    with start_worker(older, pool="solo", perform_ping_check=False, shutdown_timeout=20):
        newer.send_task("tell", (1,))
        newer.send_task("rate", (2, "late"))
        newer.send_task("rate", (3,))
        waits(lambda: done == [("older", 3)])
        assert requeue_deferred(release()) == 0, "who knows none of them leaves them there"
        older.send_task("rate", (4,))
        waits(lambda: ("older", 4) in done)
    lines = capsys.readouterr().err
    assert lines.count("is of a newer release: kept for a worker of that release") == 2
    assert "Traceback" not in lines
    with start_worker(newer, pool="solo", perform_ping_check=False, shutdown_timeout=20):
        assert requeue_deferred(newer) == 2  # as `config.celery` does when a worker is ready
        waits(lambda: len(done) == 4)
    assert sorted(done[2:], key=repr) == [("newer", 2, "late"), ("told", 1)]
    assert requeue_deferred(newer) == 0
