"""A worker is killed with -9 between results and ratings: after a restart every result is rated, and exactly once."""

import random
import time
from collections import Counter

import pytest

from rating.models import Change, Fact, RatingList
from rating.services import check_list
from rating.services.apply import outdated_lists
from tests.factories import a_club
from tests.support.lanes import ON_ONE, in_full, on_postgres
from tests.support.servers import redis_url
from tests.support.workers import kill, start_command, wait_until, worker
from tournaments.management.commands.simulate_event import CLUB_NAME

# Beside PostgreSQL and Redis: `rating/test_killed_workers`.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, *ON_ONE]

WITHIN = 120.0
# A worker starts for as long as it rates a hundred results: in `.ci/long` as often as the event lasts.
KILLS, ENTRIES = (1000, 200) if in_full() else (2, 110)


@pytest.fixture
def broker(tmp_path):
    """Redis beside PostgreSQL, the embedded broker beside SQLite: the two ways Crawford is run."""
    if on_postgres():
        return redis_url() or pytest.skip("needs Redis: set CELERY_BROKER_URL_REDIS")
    return "filesystem://"


def rated_facts():
    """How many changes each rateable fact made on the club's list."""
    found = RatingList.objects.get(club__name=CLUB_NAME)
    changes = (
        Change.objects.filter(generation=found.generation) if found.generation_id else Change.objects.none()
    )
    counts = Counter(changes.values_list("fact_id", flat=True))
    return {pk: counts[pk] for pk in Fact.objects.filter(club__name=CLUB_NAME).values_list("pk", flat=True)}


def unrated():
    return list(rated_facts().values()).count(0)


def rated():
    return len(rated_facts()) - unrated()


def results_left_by(running, event, rng):
    """Results without ratings after ``running`` was killed at some moment after its first ones."""
    before = rated()
    wait_until(lambda: rated() > before or event.poll() is not None, WITHIN)
    time.sleep(rng.random() / 2)
    kill(running)
    wait_until(lambda: unrated() > 0 or event.poll() is not None, WITHIN)  # results go on without it
    return unrated()


def test_worker_when_killed_between_results_and_ratings_then_each_is_rated_once(broker, tmp_path):
    a_club(name=CLUB_NAME)
    rng = random.Random(4)
    start_command(broker, tmp_path, "simulate_event", "--entries", "4", "--seed", "5").communicate()
    with worker(broker, tmp_path) as running:
        wait_until(lambda: unrated() == 0, WITHIN)  # however slowly it starts: it is at work before the event
        event = start_command(broker, tmp_path, "simulate_event", "--entries", str(ENTRIES), "--seed", "4")
        left_unrated = [results_left_by(running, event, rng)]
    while event.poll() is None and sum(map(bool, left_unrated)) < KILLS:
        with worker(broker, tmp_path) as running:
            left_unrated.append(results_left_by(running, event, rng))
    output, _ = event.communicate(timeout=WITHIN)
    assert event.returncode == 0, output
    assert any(left_unrated), "the worker was never killed with results left to rate"
    facts = Fact.objects.count()
    with worker(broker, tmp_path):
        took = wait_until(lambda: set(rated_facts().values()) == {2}, WITHIN)
    print(
        f"{facts} results, worker killed {len(left_unrated)} times, all rated {took:.1f} s after the restart"
    )
    assert outdated_lists() == []
    assert check_list(list_id=RatingList.objects.get(club__name=CLUB_NAME).pk) == []
