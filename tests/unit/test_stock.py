"""Stock events are the events that the services make."""

import re

import pytest
from django.db import models
from django.utils import timezone

from tests.factories import a_user, an_event
from tests.permissions.shared import rolled_back
from tests.support import stock
from tests.support.clock import moment_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db
TELLING = (models.CharField, models.BooleanField, models.DateField, models.JSONField, models.IntegerField)
SECRET = re.compile(r"\b[0-9a-f]{64}\b")  # secrets of draws, and hashes over keys and moments
OTHERWISE = {
    ("Club", "name"),
    ("Lot", "order"),
    ("Lot", "listed"),
    ("Lot", "outcome"),
    ("Version", "of_id"),
    ("Notification", "facts"),
}  # names by number, keys of rows
EACH_TIME = ("public_id", "email", "password")


def every_row() -> dict[str, list[list[str]]]:
    """Every row that there is, without what is another each time: keys, identifiers, moments, secrets."""
    return {
        model.__name__: [
            [
                SECRET.sub("…", str(getattr(row, one.attname)))
                for one in model._meta.concrete_fields
                if isinstance(one, TELLING)
                and not isinstance(one, (models.DateTimeField, models.AutoField))
                and not one.is_relation
                and one.name not in {*EACH_TIME, "subject_id", "scope", "data", "search_name"}
                and (model.__name__, one.name) not in OTHERWISE
            ]
            for _, (row, _) in sorted(rows.items())
        ]
        for model, rows in stock._rows().items()
    }


def test_event_when_from_stock_then_the_same_rows_as_built():
    tellings = []
    for _ in range(5):
        stock.STORE.last = None
        with rolled_back():
            tournament = an_event(3, lengths=[3], place="Stockholm").publish()
            assert tournament.playable()[0].length == 3
            tellings.append(every_row())
    assert tellings[0]["Match"]
    for one in tellings[1:]:
        assert one == tellings[0]
    assert any("Stockholm" in str(key) for key in stock.STORE.kept)


def test_event_when_something_is_there_already_then_built():
    for _ in range(3):
        stock.STORE.last = None
        with rolled_back():
            earlier = a_user("Early Bird")
            assert an_event(1, place="Built Hall").director.pk > earlier.pk
    assert not any("Built Hall" in str(key) for key in stock.STORE.kept)


def test_step_when_something_was_written_in_between_then_built():
    for _ in range(4):
        stock.STORE.last = None
        with rolled_back():
            tournament = an_event(2, place="Step Hall")
            Event.objects.filter(pk=tournament.event.pk).update(tables=5)
            assert tournament.publish().event.tables == 5
            assert tournament.playable()[0].table == 1


def test_event_when_the_clock_stands_still_then_built_at_its_time(clock):
    for _ in range(3):
        clock.moves(days=40)
        with rolled_back():
            assert an_event(place="Late Hall").event.starts_on == clock.at.date()
    assert not any("Late Hall" in str(key) for key in stock.STORE.kept)


def test_event_when_the_clock_stands_where_it_stood_then_from_stock_with_its_time(clock):
    assert clock.at == moment_of(clock.at.date())
    for _ in range(4):
        stock.STORE.last = None
        with rolled_back():
            tournament = an_event(2, place="Still Hall").publish()
            assert tournament.event.created_at == clock.at
            assert len(tournament.playable()) == 1
    assert sum("Still Hall" in str(key) for key in stock.STORE.kept) == 2
    clock.moves(seconds=1)
    with rolled_back():
        stock.STORE.last = None
        assert an_event(2, place="Still Hall").event.created_at == clock.at


def test_clock_when_something_is_there_then_it_stands_at_its_own_moment(tournament_before, clock):
    assert clock.at >= tournament_before.event.created_at
    assert clock.at > moment_of(clock.at.date())


@pytest.fixture
def tournament_before():
    moment_of(timezone.now().date())
    return an_event(1)
