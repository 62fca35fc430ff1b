"""Analysed play over many matches: pages and answers show what everybody may see, and a player all of their own."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.models import Player
from people.services.players import update_player
from tests.factories import a_user, an_event
from tests.support.analysed_matches import analysed_as, sums
from tests.support.described import assert_described
from tests.support.handed_in import agree, all_agree, games_of
from tests.support.lanes import ON_ONE
from tests.support.tournaments import signed_in
from tournaments.engine.types import Side
from tournaments.models import Match
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.matches.play import club_performance, event_performance, player_performance
from tournaments.series.services.series import create_series, set_event_series

pytestmark = [pytest.mark.django_db, *ON_ONE]


@pytest.fixture
def tournament():
    """Two semi-finals with their games, both analysed; nobody has agreed to anything."""
    tournament = an_event(4, lengths=[5], name="Autumn Cup").publish()
    tournament.semis = tournament.playable()
    for number, match in enumerate(tournament.semis, 1):
        stored = games_of(tournament, match, seed=number)
        better = sums(
            lost=1.5, blunders=2, missed_doubles=3, net_luck=-0.1, even=0.6, openings=((False, 3, 1, 0.05),)
        )
        worse = sums(150 if number == 1 else 60, lost=3.0, net_luck=0.1, even=0.4)
        analysed_as(stored, better, worse, swing=2.5 * number)
    tournament.players = {
        name: Player.objects.get(entries__division__event=tournament.event, name=name)
        for name in names(tournament)
    }
    return tournament


def names(tournament):
    return [seat.entry.name for match in tournament.semis for seat in match.slots.order_by("side")]


def body(address, client=None):
    answer = (client or Client()).get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def pages(tournament):
    return f"/e/{tournament.event.public_id}/analyses/", f"/c/{tournament.club.public_id}/analyses/"


def api(address, client=None):
    answer = (client or Client()).get(f"/api/v1/{address}")
    assert_described(answer)
    return answer.json()


def rows(address, client=None):
    return api(address, client)["results"]


def page_of(tournament, match, side):
    return f"p/{tournament.entry_at(match, side).players.get().public_id}/"


def test_lists_when_nobody_agreed_then_empty_and_with_both_agreeing_their_match_alone(tournament):
    first, second = tournament.semis
    ann, bob = (tournament.entry_at(first, side).name for side in Side)
    others = [tournament.entry_at(second, side).name for side in Side]
    event_page = pages(tournament)[0]
    event_api, club_api = (
        f"events/{tournament.event.public_id}/analyses/",
        f"clubs/{tournament.club.public_id}/analyses/players/",
    )
    for page in pages(tournament):
        assert "No public analyses yet" in body(page)
    agree(first, Side.A, record="yes", analysis="yes")
    agree(first, Side.B, record="yes")
    for page in pages(tournament):
        assert ann not in body(page)
    assert api(event_api)["players"] == rows(club_api) == []
    agree(first, Side.B, analysis="yes")
    for page in pages(tournament):
        text = body(page)
        assert ann in text
        assert bob in text
        assert not any(name in text for name in others)
        assert "PR est. (GNU Backgammon 9.9, 2-ply)" in text
        assert "5.0 ±0.4" in text
    text = body(event_page)
    for words in ("Best match", "Luckiest", "Most exciting", "250 %", "+10 %"):
        assert words in text
    found = api(event_api)
    assert [(row["name"], row["play"]["rating"]) for row in found["players"]] == [(ann, 5.0), (bob, 10.0)]
    assert found["best"][0]["match"] == first.public_id
    assert [row["name"] for row in rows(f"{club_api}?year={tournament.event.starts_on.year}")] == [ann, bob]
    agree(first, Side.A, analysis="no")
    for page in pages(tournament):
        assert ann not in body(page)
    assert api(event_api)["matches"] == 0


def test_player_page_when_public_then_numbers_and_before_nothing_but_on_ones_own(tournament):
    match = tournament.semis[0]
    left = Side(match.reports.exclude(record=None).latest("pk").record_left)
    player = tournament.entry_at(match, left).players.get()
    user = a_user("Ann Account")
    Player.objects.filter(pk=player.pk).update(user=user)
    mine = signed_in(user)
    assert "Analysed play" not in body(f"/p/{player.public_id}/")
    for words in ("5.0 ±0.4", "Missed doubles", "First plays", "3-1"):
        assert words in body("/me/analyses/", mine)
    link = entry_token(tournament.entry_at(match, left))
    assert "5.0 ±0.4" in body(f"/my/{link}/analyses/")
    assert "My analysed play" in body(f"/my/{link}/")
    where = f"players/{player.public_id}/analyses/"
    assert (api(where)["matches"], rows(f"{where}matches/")) == (0, [])
    assert api(where, mine)["matches"] == 1
    assert [row["match"] for row in rows(f"{where}matches/", mine)] == [match.public_id]
    assert rows(f"{where}matches/", signed_in(tournament.director)) == []  # to direct is not to have played
    assert api(f"events/{tournament.event.public_id}/analyses/", mine)["matches"] == 1
    all_agree(match)
    assert "5.0 ±0.4" in body(f"/p/{player.public_id}/")
    (first,) = api(where)["first"]
    assert (first["roll"], first["times"], first["errors"]) == ([3, 1], 1, 1)
    other = signed_in(a_user("Somebody Else"))
    assert other.get("/me/analyses/")["Location"].endswith("/me/")


def test_help_when_read_then_the_error_bar_is_an_average_and_its_worst_is_named():
    text = body("/help/play/")
    for words in ("PR est. and ±0.4", "in 11 matches", "The largest difference was 1.1", "17 of 18", "0.080"):
        assert words in text


def test_club_list_when_a_player_has_no_page_then_without_them_and_of_a_series_its_days_alone(tournament):
    for match in tournament.semis:
        all_agree(match)
    gone, kept = (tournament.entry_at(tournament.semis[0], side).players.get() for side in Side)
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=gone.pk, name=gone.name, listed=False
    )
    club_page = pages(tournament)[1]
    assert len(club_performance(tournament.club, year=tournament.event.starts_on.year).standings) == 3
    assert gone.name not in body(club_page)
    assert kept.name in body(club_page)
    assert "not enough" in body(club_page)
    series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Autumn nights")
    other = an_event(2, club=tournament.club)
    set_event_series(actor=tournament.actor, event_id=other.publish().event.pk, series_id=series.pk)
    of_series = f"?series={series.public_id}"
    assert kept.name not in body(club_page + of_series)
    set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    assert kept.name in body(club_page + of_series)
    where = f"clubs/{tournament.club.public_id}/analyses/"
    assert len(rows(f"{where}players/{of_series}")) == 3
    assert rows(f"{where}players/?year=1999") == []
    told = api(where + of_series)
    assert (told["series"], told["year"], told["matches"]) == (series.public_id, None, 2)
    told = api(where)
    assert (told["year"], told["years"], told["matches"]) == (
        tournament.event.starts_on.year,
        [tournament.event.starts_on.year],
        2,
    )
    assert api(f"{where}?year=1999")["matches"] == 0
    for odd in ("?year=%00", "?year=99999", "?series=%00"):
        assert Client().get(club_page + odd).status_code == 200
    for part in ("", "players/"):
        for odd in ("?year=%00", "?year=99999", "?series=%00", "?series=nosuch"):
            assert Client().get(f"/api/v1/{where}{part}{odd}").status_code == 422


def test_selectors_when_there_are_more_analyses_then_no_more_statements(tournament):
    first, second = tournament.semis
    player = tournament.entry_at(second, Side.A).players.get()
    counts = []
    for match in tournament.semis:
        all_agree(match)
        with CaptureQueriesContext(connection) as caught:
            event_performance(visible_event(None, tournament.event.public_id))
            club_performance(tournament.club, year=tournament.event.starts_on.year)
        counts.append(len(caught))
    assert counts[1] <= counts[0] <= 20
    with CaptureQueriesContext(connection) as caught:
        assert len(player_performance(player)) == 1
    assert len(caught) <= 8
    Match.objects.filter(pk=first.pk).update(status="void")
    with CaptureQueriesContext(connection) as caught:
        play = event_performance(visible_event(None, tournament.event.public_id))
    assert [one.match.pk for one in play.matches] == [second.pk]
