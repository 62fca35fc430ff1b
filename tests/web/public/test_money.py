"""A points league as everybody sees it: table, sessions, file; and every other page of its event."""

import csv
import io

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.support.leagues import a_points_league
from tests.support.tournaments import text_of
from tournaments.entries.services.merge_players import merge_players  # noqa: F401 (a player of a league may be merged)
from tournaments.money_play.services.sessions import finish_points_league, strike_session
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.events.players import events_played, public_entries_of_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def seen(league, page="event", **headers):
    return Client(headers=headers).get(reverse(f"public:{page}", args=[league.event.public_id]))


def test_overview_when_sessions_were_played_then_the_table_and_what_is_agreed_stand_there():
    league = a_points_league()
    league.session(Ann=8, Bob=-5, Cleo=-3)
    league.session(Ann=-2, Dan=2)
    text = text_of(seen(league))
    assert "Standings after 2 sessions" in text
    assert "Ann +6 2 +3.0 +8" in text
    assert "Bob −5 1 −5.0 −5" in text
    assert (
        "Jacoby rule yes Beavers yes Raccoons no Automatic doubles no Sessions needed for a place 1" in text
    )
    assert "not rated" in text


def test_overview_when_somebody_came_too_seldom_then_told_how_often_they_still_have_to():
    from tournaments.engine.standings.money import MoneySettings
    from tournaments.money_play.services.sessions import open_points_league, update_money_settings

    league = a_points_league(is_open=False)
    update_money_settings(**league.where, settings=MoneySettings(min_sessions=3))
    open_points_league(**league.where)
    league.session(Ann=1, Bob=-1)
    assert "2 sessions to go" in text_of(seen(league))


def test_overview_when_the_league_is_over_then_the_winner_stands_first():
    league = a_points_league()
    league.session(Ann=8, Bob=-8)
    finish_points_league(**league.where)
    text = text_of(seen(league))
    assert "Winner Ann" in text
    assert "Final standings" in text


def test_sessions_when_played_then_points_and_totals_follow_the_days_and_struck_ones_are_gone():
    league = a_points_league()
    league.session(Ann=8, Bob=-8)
    wrong = league.session(Cleo=99, Bob=-99)
    strike_session(**league.where, session_id=wrong.pk)
    league.session(Ann=-2, Bob=2, note="At Bob's")
    text = text_of(seen(league, "bracket"))
    assert "By session" in text
    assert "Ann +8 +8 −2 +6 +6" in text
    assert "At Bob's" in text
    assert "99" not in text


def test_pages_when_a_session_is_recorded_then_their_etags_change():
    league = a_points_league()
    for page in ("event", "bracket", "points-csv"):
        before = seen(league, page)
        again = Client(headers={"if-none-match": before["ETag"]}).get(
            reverse(f"public:{page}", args=[league.event.public_id])
        )
        assert again.status_code == 304
        league.session(f"for {page}", Ann=1, Bob=-1)
        assert seen(league, page)["ETag"] != before["ETag"]


def test_file_when_fetched_then_it_holds_the_table_and_no_formula():
    league = a_points_league()
    entry = league.entry("Bob")
    entry.name = "=1+1"
    entry.save()
    league.session(Ann=8, **{"=1+1": -8})
    response = seen(league, "points-csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert rows[0][:6] == ["Place", "Player", "Points", "Sessions", "Per session", "Best session"]
    assert rows[1][:6] == ["1", "Ann", "8", "1", "8.00", "8"]
    assert [row[1] for row in rows[1:]] == ["Ann", "'=1+1", "Cleo", "Dan"]


def test_file_when_the_league_has_not_started_then_missing():
    league = a_points_league(is_open=False)
    assert seen(league, "points-csv").status_code == 404


@pytest.mark.parametrize("page", ["event", "bracket", "entries", "hall", "seasons"])
@pytest.mark.parametrize("state", ["open", "running", "finished"])
def test_every_page_when_money_is_played_then_it_stands(page, state):
    from tests.support.tournaments import opened

    league = a_points_league(is_open=state != "open")
    if state == "open":
        opened(league)
    else:
        league.session(Ann=1, Bob=-1)
    if state == "finished":
        finish_points_league(**league.where)
    assert seen(league, page).status_code == 200


def test_pages_of_players_when_money_is_played_then_their_place_stands_there():
    league = a_points_league()
    league.session(Ann=8, Bob=-8)
    finish_points_league(**league.where)
    player = league.entry("Ann").players.get()
    page = Client().get(reverse("public:player", args=[player.public_id]))
    assert page.status_code == 200
    assert "Chouette League" in text_of(page)
    (played,) = events_played(public_entries_of_player(player))
    assert str(played.place) == "1"


def test_sessions_when_there_are_many_then_a_page_asks_no_more(django_assert_max_num_queries):
    league = a_points_league(entries=8)
    for number in range(6):
        league.session(f"{number}", Ann=number, Bob=-number)
    for page in ("event", "bracket", "points-csv"):
        cache.clear()
        with django_assert_max_num_queries(16):
            seen(league, page)


@pytest.mark.parametrize("view", ["hall", ""])
def test_screens_of_the_hall_when_money_is_played_then_they_stand(view):
    league = a_points_league()
    league.session(Ann=1, Bob=-1)
    for page in ("event", "bracket"):
        address = reverse(f"public:{page}", args=[league.event.public_id])
        assert Client().get(address, {"view": view}).status_code == 200


def test_personal_link_when_money_is_played_then_the_page_stands():
    league = a_points_league()
    league.session(Ann=1, Bob=-1)
    page = Client().get(reverse("player:home", args=[entry_token(league.entry("Ann"))]))
    assert page.status_code == 200
    assert "Ann" in text_of(page)
