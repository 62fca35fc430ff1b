"""Two workers killed with -9 at random while 400 results arrive and 20 corrections are made: the outcome is exact.

In `.ci/long` it is 2,000 results and 100 corrections, with three times as many kills.
"""

import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import redis
from django.conf import settings

from rating.models import Change, Fact, FactKind, Pending
from rating.services import rebuild_list
from rating.services.apply import outdated_lists
from tests.support.lanes import in_full
from tests.support.rating import Book, a_book
from tests.support.servers import redis_url, site_environment
from tests.support.workers import kill, wait_until, worker

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.timeout(900),  # on a machine that has a lot else to do
]

RESULTS, CORRECTIONS = (2000, 100) if in_full() else (400, 20)
KILLS = 1000 if in_full() else 3  # a worker that starts takes longer than a hundred results
SEED = 11


@pytest.fixture
def broker():
    """A Redis database of this test's own: what killed workers leave in the queue must not reach anybody else."""
    url = re.sub(r"/\d*$", "", redis_url()) + "/7"
    client = redis.Redis.from_url(url)
    client.flushdb()
    yield url
    client.flushdb()
    client.close()


@contextmanager
def a_load(
    book: Book, broker: str, *, results: int = RESULTS, corrections: int = CORRECTIONS, **more: str
) -> Iterator["subprocess.Popen[str]"]:
    """The results and corrections, from a process of their own that ends with the block."""
    numbers = [book.club.pk, results, corrections, SEED]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.rating_load", *map(str, numbers)],
        cwd=settings.BASE_DIR,
        env=site_environment(broker, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as load:
        try:
            yield load
        finally:
            load.kill()


def unrated() -> bool:
    return Pending.objects.filter(applied=False).exists()


def test_two_workers_when_killed_at_random_then_ratings_equal_a_clean_rebuild(tmp_path, broker):
    rng = random.Random(SEED)
    federation = a_book()
    book = a_book(parent=federation.club)
    for n in range(60):
        book.player(f"Player {n}")
    federation.players = book.players
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    kills = interrupted = 0
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(broker, folder)) for folder in folders]
        wait_until(lambda: outdated_lists() == [], 60)
        load = stack.enter_context(a_load(book, broker))
        while load.poll() is None and kills < KILLS:
            # At random both by the clock and by what arrived: a slow machine has other work than starting workers.
            arrived = Fact.objects.count() + rng.randrange(40, 200)
            time.sleep(0.5 + 2 * rng.random())
            wait_until(lambda enough=arrived: Fact.objects.count() >= enough or load.poll() is not None, 300)
            if not interrupted:  # at least one of them is in the middle of its work
                wait_until(lambda: unrated() or load.poll() is not None, 300)
            side = rng.randrange(2)
            kill(workers[side])
            kills += 1
            interrupted += unrated()
            workers[side] = stack.enter_context(worker(broker, folders[side]))
        output, _ = load.communicate(timeout=300)
        assert load.returncode == 0, output
        wait_until(lambda: outdated_lists() == [], 300)
    assert interrupted, f"none of {kills} kills left results to rate: the test shows nothing"
    assert Fact.objects.filter(kind=FactKind.RESULT).count() == RESULTS
    assert Fact.objects.filter(target__isnull=False).count() == CORRECTIONS
    voids = Fact.objects.filter(kind=FactKind.VOID).count()
    for found in (book, federation):
        assert found.differences() == []
        before = found.all_ratings()
        # Exactly once: two rows for each result that stands, and no other.
        assert Change.objects.of(found.list.generation).count() == 2 * (RESULTS - voids)
        rebuild_list(list_id=found.list.pk)
        assert found.all_ratings() == before
