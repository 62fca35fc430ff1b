"""A Swiss and a round robin by the API: rounds, matches and places in the shape of every draw."""

import pytest
from django.test import Client

from tests.factories import an_event
from tests.support.described import assert_described, described
from tests.support.tournaments import signed_in
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.rounds.services.deadlines import set_deadlines
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.shared.fragments.standings import value_label

pytestmark = pytest.mark.django_db


def bracket_of(tournament):
    return assert_described(Client().get(f"/api/v1/events/{tournament.event.public_id}/bracket/"))


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
def test_bracket_when_played_in_rounds_then_published_rounds_and_places(system):
    tournament = an_event(5, system=system, lengths=[5])
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    seen = pair_next_round(**where, seed=3).version
    publish_round(**where, seen=seen)
    tournament.play_out()
    if system == "swiss":
        pair_next_round(**where, seed=4)
    body = bracket_of(tournament)
    (stage,) = body["stages"]
    assert [round_["code"] for round_ in stage["rounds"]] == ["round_1"]
    assert len(stage["places"]) == 5
    assert not any(place["settled"] for place in stage["places"])
    (table,) = stage["tables"]
    assert table["group"] is None
    assert sorted(row["points"] for row in table["rows"])[-2:] == [1.0, 1.0]


def test_round_when_published_then_by_whoever_names_the_pairing_that_stands():
    tournament = an_event(4, system="swiss", lengths=[5])
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    gates, client = f"/api/v1/events/{tournament.event.public_id}/draw-gates/", signed_in(tournament.director)
    pair_next_round(**where, seed=1)
    (old,) = assert_described(client.get(gates))
    pair_next_round(**where, seed=2)
    (gate,) = assert_described(client.get(gates))
    for body in ({}, {"seen": old["pairing"]}):
        refused = described(client.post(gates, body, content_type="application/json"))
        assert (refused.status_code, refused.json()["code"]) == (409, "round.changed")
    done = client.post(gates, {"seen": gate["pairing"]}, content_type="application/json")
    assert [(one["to_publish"], one["pairing"]) for one in assert_described(done)] == [(False, "")]


def test_tables_when_points_lost_break_ties_then_as_many_as_the_page_shows():
    swiss = SwissSettings(rounds=1, tie_breaks=("match_points_won", "match_points_lost"))
    tournament = an_event(2, system="swiss", lengths=[5], swiss=swiss)
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    publish_round(**where, seen=pair_next_round(**where, seed=3).version)
    tournament.settle(tournament.playable()[0], "a", 3)
    (stage,) = bracket_of(tournament)["stages"]
    won, lost = (row["values"] for row in stage["tables"][0]["rows"])
    assert (won["match_points_won"], won["match_points_lost"]) == (5.0, 3.0)
    assert (lost["match_points_won"], lost["match_points_lost"]) == (3.0, 5.0)
    assert value_label("match_points_lost", -3) == "3"


def test_bracket_when_in_groups_then_a_table_for_each_and_days_in_the_rounds():
    swiss = SwissSettings(group_count=2, all_at_once=True, tie_breaks=("match_points_difference",))
    tournament = an_event(7, system="round_robin", lengths=[5], swiss=swiss)
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    pairing = pair_next_round(**where, seed=3)
    set_deadlines(**where, deadlines={1: tournament.event.starts_on})
    publish_round(**where, seen=pairing.version)
    (stage,) = bracket_of(tournament)["stages"]
    assert [(table["group"], len(table["rows"])) for table in stage["tables"]] == [(1, 3), (2, 4)]
    assert stage["tables"][0]["tie_breaks"] == ["points", "match_points_difference"]
    assert [round_["deadline"] for round_ in stage["rounds"]] == [str(tournament.event.starts_on), None, None]
