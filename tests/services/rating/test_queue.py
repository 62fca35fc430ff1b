"""Tasks are queued by name: the services know no task. A message is enough, and what comes of it fails nobody who sent it."""

from datetime import date

import pytest

from config.celery import app
from people.actors import Actor
from people.versions import rating_list_topic, versions_of
from rating.models import Fact, OfficialList, RatingList
from rating.services import mark_for_rebuild
from rating.services.official import request_official
from rating.services.queue import APPLY_TASK, REBUILD_TASK
from rating.tasks import apply_pending, rebuild
from tests.support.rating import a_book, a_list


def test_queued_names_when_compared_with_the_tasks_then_are_theirs() -> None:
    assert (apply_pending.name, rebuild.name) == (APPLY_TASK, REBUILD_TASK)


@pytest.mark.django_db
def test_numbers_follow_without_the_sweep_and_a_list_that_cannot_be_computed_refuses_no_result(
    celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    book = a_book()
    with django_capture_on_commit_callbacks(execute=True):
        book.beats("Ann", "Bob")
    before, shown = book.rating("Ann"), versions_of([rating_list_topic(book.list.pk)])
    generation = book.list.generation_id
    with django_capture_on_commit_callbacks(execute=True):
        mark_for_rebuild(list_ids=[book.list.pk])
        assert versions_of([rating_list_topic(book.list.pk)]) > shown  # pages say that it is being computed
    assert (book.rating("Ann"), book.list.generation_id != generation) == (before, True)
    with django_capture_on_commit_callbacks(execute=True):
        request_official(actor=Actor.program(), list_id=book.list.pk, day=date(2026, 3, 5))
    assert OfficialList.objects.get().rows.count() == 2
    RatingList.objects.filter(pk=book.list.pk).update(system="of another program")
    with django_capture_on_commit_callbacks(execute=True):
        book.beats("Bob", "Ann")
    assert Fact.objects.count() == 2


@pytest.mark.django_db
def test_results_when_no_worker_runs_then_one_message_waits_for_each_list_that_counts_them(
    django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    book = a_book()
    lists = [book, *(a_list(book) for _ in range(3))]
    with app.connection_for_read() as connection:
        connection.default_channel.queue_purge("live")
        with django_capture_on_commit_callbacks(execute=True):
            for _ in range(10):
                book.beats("Ann", "Bob")
        assert connection.default_channel._size("live") == len(lists)
        connection.default_channel.queue_purge("live")
