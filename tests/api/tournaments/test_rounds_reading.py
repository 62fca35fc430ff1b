"""A Swiss and a round robin by the API: rounds, matches and places in the shape of every draw."""

import pytest
from django.test import Client

from tests.api.tournaments.test_reading import assert_fits
from tests.factories import an_event
from tournaments.api import schemas
from tournaments.services.rounds import pair_next_round, publish_round

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
def test_bracket_when_played_in_rounds_then_published_rounds_and_places(system):
    night = an_event(5, system=system, lengths=[5])
    where = {"actor": night.actor, "event_id": night.event.pk, "stage_id": night.stage.pk}
    seen = pair_next_round(**where, seed=3).seen
    publish_round(**where, seen=seen)
    night.play_out()
    if system == "swiss":
        pair_next_round(**where, seed=4)
    body = Client().get(f"/api/v1/events/{night.event.public_id}/bracket/").json()
    (stage,) = body["stages"]
    assert [round_["code"] for round_ in stage["rounds"]] == ["round_1"]
    assert_fits(schemas.MatchSchema, stage["rounds"][0]["matches"][0])
    assert len(stage["places"]) == 5
    assert not any(place["settled"] for place in stage["places"])
