"""`manage.py running_events`: what an operator sees before an update."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.factories import an_event
from tournaments.selectors.events.running import IDLE_AFTER, events_in_play

pytestmark = pytest.mark.django_db


def asked() -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("running_events", stdout=out)
    except SystemExit as ended:
        return out.getvalue(), int(ended.code or 0)
    return out.getvalue(), 0


def test_events_when_none_is_played_then_so_and_no_code():
    an_event(entries=4)
    assert asked() == ("No event is in progress.\n", 0)


def test_events_when_one_is_played_then_named_with_its_tables_and_a_code():
    tournament = an_event(entries=4).publish()
    tournament.settle(tournament.playable()[0], "a")
    text, code = asked()
    assert code == 3
    assert tournament.event.public_id in text
    assert "matches being played: 0" in text
    (event,) = events_in_play(timezone.now())
    assert (event.name, event.club) == (tournament.event.name, tournament.club.name)


def test_event_when_nothing_was_done_in_it_for_hours_then_it_rests():
    tournament = an_event(entries=4).publish()
    tournament.settle(tournament.playable()[0], "a")
    assert events_in_play(timezone.now() + IDLE_AFTER + timedelta(minutes=1)) == []
