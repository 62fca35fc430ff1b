"""Somebody holds a row, two wait for each other, the database goes and comes: who writes hears so soon, nothing is lost or twice."""

import threading
from contextlib import contextmanager

import pytest
from django.db import close_old_connections, connection, transaction
from django.test import Client

from people.transactions import durable
from tests.factories import an_event
from tests.support.problems import problem_of
from tests.support.races import race
from tests.support.tournaments import link_of
from tournaments.models import Event, Report
from tournaments.store.lock import lock_event

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


@contextmanager
def held(event):
    """Another process has the event's row and does not give it back."""
    taken, enough = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=event.pk)
            taken.set()
            enough.wait(60)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(60)
    try:
        yield
    finally:
        enough.set()
        holder.join()


@contextmanager
def patience(text):
    """As `config.environment` sets it for web processes, only shorter."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{text}'")
    try:
        yield
    finally:
        connection.close()


def test_an_events_row_when_it_is_held_then_its_writers_hear_so_and_a_repeat_counts_once():
    tournament, other = an_event(2, lengths=[3]).publish(), an_event(2, lengths=[3]).publish()
    (match,) = tournament.playable()
    client = Client(raise_request_exception=False)
    token = link_of(tournament, match, "a")
    phone = f"/my/{token}/report/{match.public_id}/"
    said = {"mine": 3, "theirs": 1, "kind": "played", "note": "", "submission_key": "the-same"}
    link = {"Authorization": f"Link {token}"}
    api = f"/api/v1/matches/{match.public_id}/report/"
    body = {"score_a": 3, "score_b": 1, "submission_key": "the-same"}

    with held(tournament.event), patience("100ms"):
        page = client.post(phone, said)
        told = client.post(api, body, content_type="application/json", headers=link)
        script = client.post(phone, said, headers={"X-Requested-With": "desk"})
        assert client.get(f"/e/{tournament.event.public_id}/").status_code == 200
        other.settle(other.playable()[0], "a")
    assert (page.status_code, page["Retry-After"]) == (503, "2")
    assert "Reload this page" in page.content.decode()
    assert (told.status_code, told["Retry-After"], problem_of(told)["code"]) == (503, "2", "site.locked")
    # What a page's own script sends is answered in words it can show, not with a page.
    assert (script.status_code, problem_of(script)["code"]) == (503, "site.locked")

    assert client.post(phone, said).status_code == 302
    again = client.post(api, body, content_type="application/json", headers=link).json()
    assert (again["repeated"], Report.objects.filter(match=match).count()) == (True, 1)


def test_two_transactions_when_each_waits_for_the_other_then_both_are_done_and_once():
    first, second = an_event(2), an_event(2)
    told = []

    @durable
    def rename(*events):
        for event in events:
            locked = lock_event(event.pk)
            Event.objects.filter(pk=locked.pk).update(place=locked.place + "x")
        transaction.on_commit(lambda: told.append(events[0].pk))
        return events[0].pk

    ended = race(
        lambda: rename(first.event, second.event),
        lambda: rename(second.event, first.event),
        meet_after=EVENT_READ,
    )
    assert [(one.value, one.error) for one in ended] == [(first.event.pk, None), (second.event.pk, None)]
    assert sorted(told) == sorted([first.event.pk, second.event.pk])
    assert {tournament.fresh().place for tournament in (first, second)} == {"xx"}


def test_the_database_when_it_ends_our_connection_then_a_page_says_so_and_the_next_one_is_there():
    tournament = an_event(2, lengths=[3]).publish()
    client, path = Client(raise_request_exception=False), f"/e/{tournament.event.public_id}/"

    def ended():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (mine,) = cursor.fetchone()

        def end():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [mine])
            connection.close()

        other = threading.Thread(target=end)
        other.start()
        other.join()

    ended()
    page = client.get(path)
    assert (page.status_code, page["Retry-After"], page["Refresh"]) == (503, "5", "5")
    assert "reloads automatically" in page.content.decode()
    close_old_connections()  # what Django does between two requests
    ended()
    told = client.get(f"/api/v1/events/{tournament.event.public_id}/")
    assert (told.status_code, problem_of(told)["code"]) == (503, "site.unavailable")
    close_old_connections()
    assert client.get(path).status_code == 200
