"""A cache on a Redis of our own that goes and comes back: nobody who asks notices."""

import hmac
import itertools
import pickle
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from celery import Celery

from config import caches, environment
from config.caches import FallbackRedisCache, SignedSerializer, UnreadableValue, _key
from config.celery import app
from people.services import hints
from tools import services

pytestmark = pytest.mark.redis


@contextmanager
def server(port: int, folder: Path) -> Iterator[redis.Redis]:
    process = subprocess.Popen(
        [services.find("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    asked = redis.Redis(port=port)
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                asked.ping()
                break
            except redis.ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        yield asked
    finally:
        asked.close()
        process.kill()
        process.wait()


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(caches._REDIS_LINK, "seconds", 0.1)
    monkeypatch.setattr(caches._REDIS_LINK, "asked_again", 0.0)
    monkeypatch.setattr(caches._REDIS_LINK, "lost", False)
    return services.free_port()


def test_cache_when_redis_goes_and_comes_back_then_the_process_keeps_its_own_meanwhile(
    port: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = FallbackRedisCache(f"redis://127.0.0.1:{port}/0", {})
    with server(port, tmp_path):
        cache.set("page", ("of", "one", "moment"))
        cache.set_many({"a": 1, "b": 2})
        assert (cache.get("page"), cache.get_many(["a", "b", "c"])) == (
            ("of", "one", "moment"),
            {"a": 1, "b": 2},
        )

    assert cache.get("page", "nothing") == "nothing"
    assert cache.is_away
    assert (cache.add("asked", 1, 60), cache.incr("asked"), cache.incr("asked")) == (True, 2, 3)
    cache.set("page", "again")
    assert (cache.get("page"), cache.get_many(["page", "a"])) == ("again", {"page": "again"})

    with server(port, tmp_path) as asked:
        time.sleep(0.15)
        assert cache.get("page") is None
        cache.set("page", "shared")
        assert not cache.is_away
        assert asked.exists(cache.make_key("page"))
    cache.close()
    assert [record.getMessage().split(",")[0] for record in caplog.records] == [
        "Redis is away",
        "Redis is back",
    ]


def test_cache_when_redis_says_nothing_then_asked_once_in_a_while(port: int, tmp_path: Path) -> None:
    cache = FallbackRedisCache(f"redis://127.0.0.1:{port}/0", {})
    with server(port, tmp_path) as asked:
        asked.execute_command("CLIENT", "PAUSE", "3000", "ALL")
        caches.UNAVAILABLE_SECONDS = 60.0
        began = time.monotonic()
        assert [cache.get("page") for _ in range(100)] == [None] * 100
        assert time.monotonic() - began < 2.5
    cache.close()


class Opened:
    """What somebody else would like to have done here."""

    done = False

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return setattr, (Opened, "done", True)


def test_cache_when_somebody_else_wrote_to_it_then_not_read(port: int, tmp_path: Path) -> None:
    cache = FallbackRedisCache(f"redis://127.0.0.1:{port}/0", {})
    with server(port, tmp_path) as asked:
        cache.set("page", "ours")
        for forged in (pickle.dumps(Opened()), bytes(32) + pickle.dumps(Opened()), b"x"):
            asked.set(cache.make_key("page"), forged)
            assert cache.get("page", "nothing") == "nothing"
    cache.close()
    assert not Opened.done
    assert SignedSerializer().loads(SignedSerializer().dumps({"a": (1, None)})) == {"a": (1, None)}


def test_value_when_another_release_moved_its_class_then_it_is_not_there():
    made = pickle.dumps(timedelta(1)).replace(b"timedelta", b"timegone1")
    signed = hmac.digest(_key(), made, "sha256") + made
    with pytest.raises(UnreadableValue):
        SignedSerializer().loads(signed)


@contextmanager
def a_queue(port: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Messages go to the Redis at this port, as from a web process."""
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # Celery asks it before its own settings
    monkeypatch.setattr(hints._BROKER, "asked_again", 0.0)
    monkeypatch.setattr(hints._BROKER, "lost", False)
    url, options = environment.broker_settings(f"redis://127.0.0.1:{port}/0", folder, patience=2)
    queue = Celery("queue", broker=url, set_as_current=False)
    queue.conf.broker_transport_options = options
    queue.set_current()
    try:
        yield
    finally:
        app.set_current()
        queue.close()


def seconds_of(asked: Callable[[], object], together: int) -> list[float]:
    """How long each of so many threads was at it, the shortest first."""
    took: list[float] = []

    def one() -> None:
        began = time.monotonic()
        asked()
        took.append(time.monotonic() - began)

    threads = [threading.Thread(target=one) for _ in range(together)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(took)


def test_redis_when_it_is_full_or_says_nothing_then_no_page_waits_but_the_one_that_asks(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches._REDIS_LINK, "seconds", 0.0)
    monkeypatch.setattr(hints._BROKER, "seconds", 0.0)
    cache = FallbackRedisCache(f"redis://127.0.0.1:{port}/1", {})
    number = itertools.count()

    def hint() -> bool:
        """Another one each time: of the same one message waits."""
        return hints.enqueue_task("rating.tasks.apply_pending", next(number))

    with a_queue(port, tmp_path, monkeypatch), server(port, tmp_path) as asked:
        assert hint()
        asked.config_set("maxmemory", 1)
        cache.set("page", "of the process")
        assert (cache.get("page"), hint()) == ("of the process", False)
        asked.config_set("maxmemory", 0)
        cache.set("page", "of all")
        assert (cache.get("page"), hint()) == ("of all", True)

        asked.execute_command("CLIENT", "PAUSE", "30000", "ALL")
        cache.get("page")
        hint()
        monkeypatch.setattr(caches._REDIS_LINK, "seconds", 60.0)
        monkeypatch.setattr(hints._BROKER, "seconds", 60.0)
        for asks in (lambda: cache.get("page"), hint):
            *others, slowest = seconds_of(asks, together=6)
            assert slowest < 2
            assert max(others) < 0.3, others
    cache.close()


def test_hint_when_the_queue_is_away_then_nobody_waits_and_one_line_says_so(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hints._BROKER, "seconds", 0.1)
    with a_queue(port, tmp_path, monkeypatch):
        began = time.monotonic()
        assert [hints.enqueue_task("rating.tasks.sweep") for _ in range(50)] == [False] * 50
        assert time.monotonic() - began < 2
        with server(port, tmp_path) as asked:
            time.sleep(0.15)
            assert hints.enqueue_task("rating.tasks.sweep")
            assert asked.llen("celery") == 1
    lines = [record.getMessage() for record in caplog.records if record.name == hints.__name__]
    assert [line.split(",")[0] for line in lines] == ["The queue is away", "The queue is back."]
