"""A list is made while a result is being written: neither transaction sees the other, and yet the result counts."""

import threading
from contextlib import nullcontext

import pytest
from django.db import connection, transaction

from people.actors import Actor
from rating.models import Change, Pending
from rating.services.imports import import_results
from tests.support import races
from tests.support.rating import a_book, a_list

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def make_a_list_while_a_result_is_written(*, locks: bool):
    """The new list, brought up to date; the result commits when the list is there or has waited long enough."""
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    written, made = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            book.beats("Ann", "Bob")
            written.set()
            made.wait(1.5 if locks else 60)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(60)
    with nullcontext() if locks else races._without_locks():
        other = a_list(book)
        other.apply()
    made.set()
    writer.join(60)
    return other


def test_without_the_wait_the_result_is_lost_on_the_new_list():
    other = make_a_list_while_a_result_is_written(locks=False)
    assert not Pending.objects.filter(rating_list=other.list).exists()
    assert not Change.objects.of(other.list.generation).exists()


def test_with_the_wait_the_result_counts_on_the_new_list():
    other = make_a_list_while_a_result_is_written(locks=True)
    assert Change.objects.of(other.list.generation).count() == 2
    assert other.differences() == []


def test_result_does_not_wait_for_a_computation_of_its_list():
    book = a_book()
    book.beats("Ann", "Bob")
    book.apply()
    recorded = threading.Event()

    def write() -> None:
        book.beats("Bob", "Ann")
        recorded.set()
        connection.close()

    writer = threading.Thread(target=write)
    with transaction.atomic():
        from rating.services.locks import lock_list

        lock_list(book.list.pk)  # as a worker holds it while it computes
        writer.start()
        assert recorded.wait(60), "the result waited for the list"
    writer.join(60)
    book.apply()
    assert book.differences() == []


def test_list_made_while_a_table_is_taken_in_counts_its_rows():
    book = a_book()
    written, made = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            import_results(
                actor=Actor.program(),
                club_id=book.club.pk,
                text="date,winner,loser,length\n2026-01-05,Ann,Bob,7\n",
                create_unknown=True,
            )
            written.set()
            made.wait(1.5)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(30)
    other = a_list(book)
    other.apply()
    made.set()
    writer.join(30)
    other.apply()
    assert Change.objects.of(other.list.generation).count() == 2
    assert other.differences() == []
