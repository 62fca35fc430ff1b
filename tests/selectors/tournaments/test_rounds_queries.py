"""What the pages of a Swiss cost: as many queries for forty entries as for six."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of
from tournaments.engine.pairing.settings import SwissSettings
from tournaments.selectors.draws import draw_of
from tournaments.selectors.pairings import next_round
from tournaments.services.rounds import pair_next_round, publish_round

pytestmark = pytest.mark.django_db


def under_way(entries, rounds):
    night = an_event(entries, system="swiss", swiss=SwissSettings(rounds=9, clubs="avoid"), lengths=[3])
    where = {"actor": night.actor, "event_id": night.event.pk, "stage_id": night.stage.pk}
    for number in range(1, rounds + 1):
        publish_round(**where, seen=pair_next_round(**where, seed=number).seen)
        night.play_out()
    pair_next_round(**where, seed=99)
    return night


def queries(action):
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert action() is not None
    return len(seen)


def costs(night):
    """Queries of the preview, of the director's page and of the public one."""
    desk = desk_of(night)
    desk.get("draw")
    public = reverse("public:bracket", args=[night.event.public_id])
    return (
        queries(lambda: next_round(night.stage, draw_of(night.stage))),
        queries(lambda: desk.get("draw", check="1")),
        queries(lambda: Client().get(public)),
    )


def test_pages_of_a_swiss_when_it_is_large_then_as_many_queries_as_when_it_is_small():
    small, large = costs(under_way(6, 2)), costs(under_way(40, 4))
    assert large == small
    assert max(large) <= 40
