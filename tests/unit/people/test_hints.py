"""Of one task with the same arguments at most one message waits, whatever the broker; what is lost is sent again by a sweep."""

import re
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from config import environment
from config.celery import app as site
from config.kept import DeferringTask
from people.services import hints
from people.services.hints import enqueue_task
from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import redis_url

TASK = "rate"


@pytest.fixture(params=["memory", "filesystem", pytest.param("redis", marks=pytest.mark.redis)])
def queue(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Iterator[Celery]:
    """An app on a broker of its own, with its markers beside it."""
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    monkeypatch.setattr(hints._BROKER, "lost", False)
    name = uuid.uuid4().hex
    address = f"{request.param}://"
    if request.param == "redis":
        address = re.sub(r"/\d*$", "", redis_url() or "") + "/5"
    url, options = environment.broker_settings(address, tmp_path)
    app = Celery(name, broker=url, task_cls=DeferringTask, set_as_current=False)
    app.conf.update(
        task_default_queue=name,
        broker_transport_options={**options, "polling_interval": 0.01},
        broker_transport="config.broker:Transport" if request.param == "filesystem" else None,
    )
    settings.CACHES = {**settings.CACHES, "waiting": environment.marker_cache_settings(url, options)}
    app.set_current()
    caches["waiting"].clear()
    yield app
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge(name)
    site.set_current()
    site.set_default()


def waiting(app: Celery) -> int:
    with app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        return int(channel._size(app.conf.task_default_queue))


def test_2000_results_on_36_lists_when_no_worker_runs_then_36_messages_wait(queue: Celery) -> None:
    for result in range(2000 if queue.connection().transport.driver_type == "memory" else 100):
        assert enqueue_task(TASK, result % 36)
    assert waiting(queue) == 36


@pytest.mark.parametrize(
    "queue", ["filesystem", pytest.param("redis", marks=[pytest.mark.redis, ONLY_IN_FULL])], indirect=True
)
def test_message_when_its_task_begins_then_the_next_one_is_sent_while_it_runs(queue: Celery) -> None:
    done: list[int] = []

    def rate(pk: int) -> None:
        done.append(pk)
        if len(done) == 1:  # a result is committed while this one runs
            assert [enqueue_task(TASK, pk), enqueue_task(TASK, pk)] == [True, True]
            done.append(waiting(queue))

    queue.task(rate, name=TASK, shared=False)
    enqueue_task(TASK, 7)
    with start_worker(queue, pool="solo", perform_ping_check=False, shutdown_timeout=20):
        until = time.monotonic() + 20
        while len(done) < 3:
            assert time.monotonic() < until
            time.sleep(0.01)
    assert done == [7, 1, 7]
    enqueue_task(TASK, 7)
    assert waiting(queue) == 1


def test_marker_when_left_behind_then_sweeps_send_again_and_it_ends_by_itself(
    queue: Celery, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = time.time()
    enqueue_task(TASK, 7)
    for seconds, again, count in [(14, 15, 1), (16, 15, 2), (30, 15, 2), (32, None, 2), (-50, 15, 3)]:
        monkeypatch.setattr(time, "time", lambda now=began + seconds: now)
        assert enqueue_task(TASK, 7, lost_after=again)
        assert waiting(queue) == count, seconds
    if str(queue.conf.broker_url).startswith("redis"):
        return  # its own clock ends it
    monkeypatch.setattr(time, "time", lambda: began - 50 + hints.MESSAGE_SECONDS + 1)
    assert enqueue_task(TASK, 7)
    assert waiting(queue) == 4


def test_messages_when_they_are_to_be_shared_or_are_no_hints_then_each_is_sent(queue: Celery) -> None:
    for _again in range(2):
        for share in range(4):
            enqueue_task(TASK, 7, message_number=share)
    assert waiting(queue) == 4
    enqueue_task(TASK, "ada@example.org", sets_marker=False)
    enqueue_task(TASK, "ada@example.org", sets_marker=False)
    assert waiting(queue) == 6


@pytest.mark.parametrize("queue", ["memory"], indirect=True)
@pytest.mark.parametrize("fails", ["away", "full"])
def test_markers_when_they_cannot_be_kept_then_each_message_is_sent_and_soon_expires(
    queue: Celery, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(BaseCache):
        is_away = True

        def add(self, *_: object, **__: object) -> bool:
            if fails == "full":
                raise OSError(28, "No space left on device")
            return True

    caches["waiting"] = Failing({})
    sent: list[Callable[..., object]] = []
    monkeypatch.setattr(queue, "send_task", lambda *_, **options: sent.append(options))
    assert [enqueue_task(TASK, 7), enqueue_task(TASK, 7)] == [True, True]
    assert [(one["expires"], "headers" in one) for one in sent] == [(15.0, False)] * 2
