"""Pages that are read while somebody writes: every page shows one moment, before or after, and never half of each."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import InternalError, OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse

from people.models import Club
from people.snapshot import snapshot
from tests.factories import an_event
from tests.support.director import signed_in
from tournaments.models import Entry, Event, Match, Round
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import next_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

ROUNDS_READ = 'FROM "tournaments_round"'


@pytest.fixture
def tournament():
    """A Swiss of which one round is published and the next is paired, not shown."""
    tournament = an_event(entries=4, lengths=[3, 3], system="swiss")
    pair_next_round(**at(tournament), seed=1)
    publish_round(**at(tournament), seen=paired(tournament))
    for match in tournament.playable():
        tournament.settle(match, "a")
    pair_next_round(**at(tournament), seed=2)
    tournament.fresh()
    return tournament


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}


def paired(tournament):
    return next_round(tournament.stage, load_draw(tournament.stage)).version


@contextmanager
def interrupted_by(text: str, job: Callable[[], Any]) -> Iterator[list[str]]:
    """``job`` is done by somebody else right after the first statement that contains ``text``; yields what was interrupted."""
    came: list[str] = []

    def elsewhere() -> None:
        try:
            job()
        finally:
            connection.close()

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if text in sql and not came:
            came.append(sql)
            somebody = threading.Thread(target=elsewhere)
            somebody.start()
            somebody.join(60)
            assert not somebody.is_alive(), "the page kept somebody from writing"
        return result

    with connection.execute_wrapper(look):
        yield came


def pages(tournament) -> dict[str, tuple[Client, str]]:
    event = [tournament.event.public_id]
    entry = Entry.objects.filter(division__event=tournament.event).first()
    return {
        "event": (Client(), reverse("public:event", args=event)),
        "bracket": (Client(), reverse("public:bracket", args=event)),
        "hall": (Client(), reverse("public:hall", args=event)),
        "player": (Client(), reverse("player:home", args=[entry_token(entry)])),
        "board": (signed_in(tournament.director), reverse("director:board", args=event)),
        "api": (Client(), reverse("api:bracket", args=event)),
    }


@pytest.mark.by_turns
@pytest.mark.parametrize("page", ["event", "bracket", "player", "hall", "board", "api"])
def test_page_when_a_round_is_published_while_it_is_read_then_it_shows_the_moment_before(tournament, page):
    client, path = pages(tournament)[page]
    before = client.get(path)
    assert before.status_code == 200
    seen = paired(tournament)
    cache.clear()  # what pages keep of a draw
    with interrupted_by(ROUNDS_READ, lambda: publish_round(**at(tournament), seen=seen)) as came:
        response = client.get(path)
    assert came
    assert response.status_code == 200
    assert Round.objects.filter(stage=tournament.stage).count() == 2
    assert response.headers.get("ETag") == before.headers.get("ETag")
    assert client.get(path).content != before.content


def test_draw_when_read_outside_a_page_then_of_one_moment_as_well(tournament):
    seen = paired(tournament)
    with interrupted_by(ROUNDS_READ, lambda: publish_round(**at(tournament), seen=seen)) as came:
        draw = load_draw(tournament.stage)
    assert came
    assert len(draw.rounds) == 1
    assert len(load_draw(tournament.stage).rounds) == 2


def test_snapshot_when_over_then_others_writing_is_seen_and_writing_is_possible(tournament):
    with snapshot():
        assert Event.objects.get().version == tournament.event.version
    with transaction.atomic():
        Club.objects.update(name="Renamed")
    assert Club.objects.get().name == "Renamed"


def test_snapshot_when_inside_a_transaction_then_it_may_be_written_after(tournament):
    with transaction.atomic():
        with snapshot():
            assert Match.objects.exists()
        Club.objects.update(name="Renamed")
    assert Club.objects.get().name == "Renamed"


def test_snapshot_when_written_in_then_refused(tournament):
    with pytest.raises((InternalError, OperationalError)), snapshot():
        Club.objects.update(name="Renamed")
    assert Club.objects.get().name != "Renamed"
