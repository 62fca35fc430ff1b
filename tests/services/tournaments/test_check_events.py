"""`manage.py check_events`, as after a restored backup."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import an_event
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def check(*events):
    said = StringIO()
    call_command("check_events", *events, stdout=said)
    return said.getvalue()


def test_events_that_fit_are_counted():
    tournament = an_event(entries=3).publish()
    tournament.settle(tournament.playable()[0], "a")
    an_event(club=tournament.event.club)
    assert check() == "Events checked: 2, all consistent.\n"


def test_a_row_changed_by_hand_is_named_with_its_event():
    tournament = an_event(entries=4).publish()
    tournament.settle(tournament.playable()[0], "a")
    other = an_event(club=tournament.event.club)
    Match.objects.filter(number=1).update(winner_side="b")
    with pytest.raises(CommandError, match="Inconsistent events: 1 of 2"):
        check()
    assert check(other.event.public_id) == "Events checked: 1, all consistent.\n"


def test_an_event_that_is_not_there_is_refused():
    with pytest.raises(CommandError, match="Event not found: nowhere"):
        check("nowhere")
