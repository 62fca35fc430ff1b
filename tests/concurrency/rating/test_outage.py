"""Ratings after an outage: 2,000 results that 36 lists count, entered while no worker runs, are rated within 20 s of the worker's start.

And a rebuild that a director requested begins again when its worker is killed.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.db import transaction

from config.queues import QUEUES
from people.actors import Actor
from people.services import hints
from rating.models import Fact, Generation, GenerationState, Pending
from rating.services.apply import outdated_lists
from rating.services.rebuild import request_rebuild
from tests.concurrency.rating.test_killed_workers import a_load
from tests.support.lanes import ONLY_IN_FULL
from tests.support.rating import a_book, a_list
from tests.support.servers import redis_url
from tests.support.workers import kill, wait_until, worker

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    ONLY_IN_FULL,
]
RESULTS, LISTS, WITHIN = 2000, 36, 20.0


@pytest.fixture(params=["redis", "files"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "files":
        yield f"filesystem://{tmp_path}/broker"
        return
    url = re.sub(r"/\d*$", "", redis_url() or "") + "/6"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


def waiting(broker: str, task: str) -> int:
    """Messages for a task that no worker has taken."""
    if broker.startswith("filesystem"):
        folder = Path(broker.removeprefix("filesystem://")) / "queue"
        return sum(json.loads(path.read_text())["headers"]["task"] == task for path in folder.glob("*.msg"))
    with redis.Redis.from_url(broker) as client:
        raw = [message for queue in QUEUES for message in client.lrange(queue, 0, -1)]
    return sum(json.loads(message)["headers"]["task"] == task for message in raw)


def test_results_of_an_outage_when_a_worker_starts_then_rated_within_20_seconds(
    tmp_path, broker, settings, capsys
):
    book = a_book()
    for n in range(60):
        book.player(f"Player {n}")
    for _ in range(LISTS - 1):
        a_list(book)
    with worker(broker, tmp_path):
        wait_until(lambda: outdated_lists() == [], 120)
    with a_load(book, broker, results=RESULTS, corrections=0) as load:
        output, _ = load.communicate(timeout=600)
        assert load.returncode == 0, output
    assert (Fact.objects.count(), Pending.objects.filter(applied=False).count()) == (RESULTS, RESULTS * LISTS)
    assert 0 < waiting(broker, "rating.tasks.apply_pending") <= LISTS
    with worker(broker, tmp_path):
        took = wait_until(lambda: not Pending.objects.filter(applied=False).exists(), 300)
    with capsys.disabled():
        print(
            f" {RESULTS} results, {LISTS} lists, {broker.partition(':')[0]}: rated {took:.1f} s after the start"
        )
    assert took < WITHIN
    assert book.differences() == []


def test_rebuild_that_was_requested_when_its_worker_is_killed_then_it_begins_again(
    tmp_path, broker, monkeypatch
):
    book = a_book()
    for n in range(60):
        book.player(f"Player {n}")
    one = book.beats("Player 0", "Player 1")
    ids = [player.pk for player in book.players.values()]
    facts = []
    for n in range(60_000):
        one.pk, one.source_key = None, f"many:{n}"
        facts.append(
            Fact(
                **{
                    f.attname: getattr(one, f.attname)
                    for f in Fact._meta.concrete_fields
                    if not f.primary_key and not f.generated
                }
            )
        )
        facts[-1].winner_id, facts[-1].loser_id = ids[n % 60], ids[(n * 7 + 1) % 60]
    Fact.objects.bulk_create([fact for fact in facts if fact.winner_id != fact.loser_id], batch_size=500)
    book.apply()
    monkeypatch.setattr(hints._BROKER, "lost", False)
    before = book.list.generation_id
    with transaction.atomic():
        request_rebuild(actor=Actor.program(), list_id=book.list.pk)
    began = Generation.objects.filter(pk__gt=before, total__gt=0)
    with worker(broker, tmp_path) as first:
        wait_until(began.exists, 120)
        kill(first)
    left = began.get()
    assert left.state == GenerationState.BUILDING, "it was done before the kill: the test shows nothing"
    with worker(broker, tmp_path):
        took = wait_until(lambda: began.filter(state=GenerationState.CURRENT).exists(), 300)
    assert took < 90
    left.refresh_from_db()
    assert left.state == GenerationState.FAILED
    assert book.differences() == []
