"""An import whose worker is killed with -9 goes on with the next one, and every record is stored once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import ImportedFile, StoredRecord
from games.selectors import import_progress
from games.services.imports import CLAIM_TIMEOUT, start_import
from people.actors import Actor
from tests.factories import a_club
from tests.services.games.test_imports import season
from tests.support.lanes import THE_OTHER_ONE, on_postgres
from tests.support.servers import redis_url
from tests.support.workers import kill, wait_until, worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, *THE_OTHER_ONE]
FILES = 400
WITHIN = 120.0


@pytest.fixture
def broker(tmp_path):
    """Redis beside PostgreSQL, the embedded broker beside SQLite: the two ways Crawford is run."""
    if on_postgres():
        return redis_url() or pytest.skip("needs Redis: set CELERY_BROKER_URL_REDIS")
    return "filesystem://"


def test_import_when_its_worker_is_killed_then_the_next_one_ends_it(broker, tmp_path):
    club = a_club()
    # The message of this process leads nowhere (memory broker): the sweep of the worker has to find the import by itself.
    batch = start_import(
        actor=Actor.of(club.memberships.get().user), club_id=club.pk, content=season(FILES), filename="a.zip"
    ).batch
    with worker(broker, tmp_path) as running:
        wait_until(lambda: import_progress(batch).done > 0, WITHIN)
        kill(running)
    left = FILES - import_progress(batch).done
    assert left > 0, "the worker was too quick to be killed"
    # The time it takes a claim to grow old has passed.
    ImportedFile.objects.filter(done=False).update(
        claimed_at=timezone.now() - CLAIM_TIMEOUT - timedelta(seconds=1)
    )
    with worker(broker, tmp_path):
        took = wait_until(lambda: import_progress(batch).finished, WITHIN)
        wait_until(lambda: type(batch).objects.get(pk=batch.pk).finished_at is not None, WITHIN)
    print(f"killed with {left} of {FILES} files left; they were done {took:.1f} s after the restart")
    assert StoredRecord.objects.count() == FILES
    assert ImportedFile.objects.exclude(record=None).count() == FILES
