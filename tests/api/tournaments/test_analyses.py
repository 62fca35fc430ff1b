"""Analyses by API: asked for and read by the two of a match, by everybody where both agree, asked for and followed by directors."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AnalysedDecision, RecordAnalysis
from tests.factories import a_user, an_event
from tests.support.described import assert_described, description
from tests.support.handed_in import all_agree, games_of, thought_over
from tests.support.tournaments import signed_in
from tournaments.engine.types import Side
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(4, lengths=[5]).publish()


def as_player(tournament, match, side):
    token = entry_token(tournament.entry_at(match, side))
    return Client(headers={"Authorization": f"Link {token}"})


def test_analysis_when_a_player_asks_then_followed_and_read_by_both_and_by_others_once_both_agree(
    tournament, engine
):
    match = tournament.playable()[0]
    address = reverse("api:analysis", args=[match.public_id])
    ann, bob = (as_player(tournament, match, side) for side in Side)
    director, anybody = signed_in(tournament.director), Client()
    assert ann.get(address).status_code == 404  # nothing was handed in
    stored = games_of(tournament, match)
    body = assert_described(ann.get(address))
    assert (body["state"], body["result"]) == ("", None)
    for _ in range(2):
        asked = ann.post(address)
        assert asked.status_code == 202
        body = assert_described(asked)
        assert (body["state"], body["games_done"], body["engine"]) == (
            "waiting",
            0,
            "GNU Backgammon 9.9, 2-ply",
        )
    assert RecordAnalysis.objects.get().behind is False
    assert anybody.post(address).status_code == 403
    assert signed_in(a_user()).post(address).status_code == 403
    thought_over(stored)

    for player in (ann, bob):
        body = assert_described(player.get(address))
        result = body["result"]
        assert body["state"] == "done"
        assert (result["estimated"], result["margin"]) == (True, 0.4)
        assert [side["player"] for side in result["sides"]] == [0, 1]
        assert all(
            side["decisions"] == side["checker_decisions"] + side["cube_decisions"]
            for side in result["sides"]
        )
        assert result["sides"][0]["rating"] is not None
        assert len(result["decisions"]) == AnalysedDecision.objects.count()
        played = next(one for one in result["decisions"] if one["kind"] == "checker" and one["plays"])
        assert played["plays"][played["played"]]["play"]
    for name in ("AnalysisResult", "RatingOfPlay"):
        margin = description()["components"]["schemas"][name]["properties"]["margin"]
        assert "the furthest was 1.13" in margin["description"]
    RecordAnalysis.objects.update(rates=False)
    assert {side["rating"] for side in ann.get(address).json()["result"]["sides"]} == {None}
    assert assert_described(director.get(address))["result"] is None
    assert (anybody.get(address).status_code, anybody.get(address).json()["code"]) == (
        404,
        "analysis.unknown",
    )
    other = next(one for one in tournament.playable() if one.pk != match.pk)
    assert as_player(tournament, other, Side.A).get(address).status_code == 404
    all_agree(match)
    assert anybody.get(address).json()["result"] is not None
    assert director.get(address).json()["result"] is not None


def test_analyses_when_a_director_asks_then_counted_idempotent_and_called_off(
    tournament, engine, monkeypatch
):
    director, match = signed_in(tournament.director), tournament.playable()[0]
    address, call_off = (
        reverse(f"api:{name}", args=[tournament.event.public_id])
        for name in ("analysing", "call-analyses-off")
    )

    def send(to=address, **body):
        return director.post(to, body, content_type="application/json")

    nothing = send()
    assert (nothing.status_code, nothing.json()["code"]) == (409, "analysis.no_games")
    games_of(tournament, match)
    (stage,) = assert_described(director.get(address))["stages"]
    assert (stage["played"], stage["with_games"], stage["waiting"]) == (1, 1, 0)
    assert assert_described(send(division=1, stage=1))["asked"] == 1
    again = send()
    assert again.status_code == 200
    body = assert_described(again)
    assert (body["asked"], body["there"], body["stages"][0]["waiting"]) == (0, 1, 1)
    one = director.post(reverse("api:analysis", args=[match.public_id]))
    assert (one.status_code, one.json()["state"]) == (202, "waiting")
    assert assert_described(send(call_off))["called_off"] == 1
    assert send(stage=9).status_code == 422
    assert send(stage="x").status_code == 400
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    refused = send()
    assert (refused.status_code, refused.json()["code"]) == (409, "analysis.no_engine")
    assert not RecordAnalysis.objects.exists()
    for stranger, status in ((Client(), 403), (signed_in(a_user()), 403)):
        assert stranger.get(address).status_code == status
        assert stranger.post(call_off).status_code == status
