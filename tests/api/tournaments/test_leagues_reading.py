"""The API tells of points leagues and league seasons what the pages tell."""

import pytest
from django.test import Client
from django.urls import reverse

from rating.models import Fact
from tests.support.leagues import a_league, a_points_league
from tournaments.money_play.services.sessions import strike_session

pytestmark = pytest.mark.django_db


def read(name, event):
    return Client().get(reverse(f"api:{name}", args=[event.public_id]))


def test_points_when_sessions_were_played_then_table_and_sessions():
    league = a_points_league()
    wrong = league.session(Ann=1, Bob=-1)
    strike_session(**league.where, session_id=wrong.pk)
    league.session(Ann=8, Bob=-5, outsider=True)
    (told,) = read("points", league.event).json()
    assert told["settings"] == {
        "jacoby": True,
        "beavers": True,
        "raccoons": False,
        "automatic_doubles": 0,
        "min_sessions": 1,
    }
    ann, bob = league.entry("Ann").public_id, league.entry("Bob").public_id
    assert told["table"][0] == {
        "entry": ann,
        "name": "Ann",
        "points": 8,
        "sessions": 1,
        "best": 8,
        "first": 1,
        "last": 1,
    }
    assert [(s["number"], s["struck"], s["outside"]) for s in told["sessions"]] == [
        (1, True, 0),
        (2, False, -3),
    ]
    assert told["sessions"][1]["scores"] == [{"entry": ann, "points": 8}, {"entry": bob, "points": -5}]
    assert Fact.objects.count() == 0


@pytest.mark.parametrize("page", ["event", "bracket", "matches", "entries", "points", "seasons"])
@pytest.mark.parametrize("is_open", [True, False])
def test_every_answer_when_money_is_played_then_it_stands(page, is_open):
    league = a_points_league(is_open=is_open)
    response = Client()
    response.force_login(league.director)
    told = response.get(reverse(f"api:{page}", args=[league.event.public_id]))
    assert told.status_code == 200
    if page == "bracket" and is_open:
        assert told.json()["stages"][0]["rounds"] == []
    if page == "points" and not is_open:
        assert told.json() == []


def test_seasons_when_asked_then_champions_by_division():
    league = a_league("abc", "def").play_out()
    (season,) = read("seasons", league.event).json()
    assert season["name"] == "League 2026"
    assert season["divisions"] == [
        {"division": "Division 1", "champions": ["Aa Player"]},
        {"division": "Division 2", "champions": ["Dd Player"]},
    ]
