"""A player's analysed matches and a club's PR list by the API, page by page; what they come to stands at an address above."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from people.models import Player
from people.services.players import update_player
from tests.factories import a_user, an_event
from tests.support.analysed_matches import analysed_as, sums
from tests.support.described import described
from tests.support.handed_in import agree, all_agree, games_of
from tests.support.problems import problem_of
from tests.support.tournaments import opened, signed_in
from tournaments.engine.types import Side
from tournaments.models import Match
from tournaments.series.services.series import create_series, set_event_series

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Two semi-finals and the final with their games, all analysed, and everybody agrees that everybody sees it."""
    tournament = an_event(4, lengths=[5]).publish()
    tournament.semis = tournament.playable()
    for number, match in enumerate(tournament.semis, 1):
        analysed_as(
            games_of(tournament, match, seed=number), sums(lost=0.5 * number), sums(lost=2.0 * number)
        )
        all_agree(match)
    (tournament.final,) = tournament.playable()
    analysed_as(games_of(tournament, tournament.final, seed=3), sums(), sums(lost=3.0))
    tournament.final.refresh_from_db()
    tournament.winner = tournament.entry_at(tournament.final, tournament.final.winner_side).players.get()
    return tournament


def get(address, client=None, etag="", **query):
    headers = {"If-None-Match": etag} if etag else {}
    return described((client or Client()).get(f"/api/v1/{address}", query, headers=headers))


def of_player(tournament):
    return f"players/{tournament.winner.public_id}/analyses/"


def of_club(tournament):
    return f"clubs/{tournament.club.public_id}/analyses/"


def own_semi(tournament):
    return next(
        match for match in tournament.semis if match.slots.filter(entry__players=tournament.winner).exists()
    )


def test_matches_when_asked_by_pages_then_the_newest_first_and_what_they_come_to_above(tournament):
    address, semi = f"{of_player(tournament)}matches/", own_semi(tournament)
    whole = get(address).json()
    assert [row["match"] for row in whole["results"]] == [tournament.final.public_id, semi.public_id]
    assert (whole["count"], whole["next"], whole["previous"]) == (2, None, None)
    first, second = (get(address, page_size=1, page=page).json() for page in (1, 2))
    assert [*first["results"], *second["results"]] == whole["results"]
    assert get(first["next"].partition("/api/v1/")[2]).json() == second
    assert (second["count"], second["next"]) == (2, None)
    beyond = problem_of(get(address, page_size=1, page=3))
    assert (beyond["status"], beyond["code"]) == (404, "page.unknown")
    refused = problem_of(get(address, page=0, page_size=201, year=2026))
    assert {fault["field"] for fault in refused["faults"]} == {"page", "page_size", "year"}
    told = get(of_player(tournament)).json()
    assert (told["matches"], sum(row["matches"] for row in told["lengths"])) == (2, 2)


def test_matches_when_nobody_said_when_one_was_played_then_in_the_order_of_their_confirmation(tournament):
    Match.objects.filter(pk=tournament.final.pk).update(played_at=None)
    rows = get(f"{of_player(tournament)}matches/").json()["results"]
    assert [row["match"] for row in rows] == [tournament.final.public_id, own_semi(tournament).public_id]
    assert rows == sorted(rows, key=lambda row: row["played_at"], reverse=True)


def test_matches_when_the_player_is_private_then_for_their_directors_alone(tournament):
    update_player(
        actor=tournament.actor,
        club_id=tournament.club.pk,
        player_id=tournament.winner.pk,
        name=tournament.winner.name,
        listed=False,
    )
    for part in ("", "matches/"):
        address = of_player(tournament) + part
        assert problem_of(get(address))["code"] == "player.unknown"
        assert get(address, signed_in(an_event().director)).status_code == 404
        assert get(address, signed_in(tournament.director)).status_code == 200


def test_matches_when_one_does_not_agree_any_more_then_gone_for_all_but_themselves(tournament):
    user = a_user("Wilma Winner")
    Player.objects.filter(pk=tournament.winner.pk).update(user=user)
    mine, address = signed_in(user), f"{of_player(tournament)}matches/"
    before = get(address)["ETag"]
    unchanged = get(address, etag=before)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert get(address, etag=before, page_size=1).status_code == 200
    agree(tournament.final, Side(tournament.final.winner_side).other, record="yes", analysis="no")
    after = get(address, etag=before)
    assert (after.status_code, after.json()["count"]) == (200, 1)
    assert (get(address, mine).json()["count"], get(of_player(tournament), mine).json()["matches"]) == (2, 2)
    assert "private" in get(address, mine)["Cache-Control"]
    assert get(address, signed_in(tournament.director)).json()["count"] == 1


def test_club_list_when_asked_by_pages_then_the_best_first_over_a_year_or_a_series(tournament):
    address = f"{of_club(tournament)}players/"
    whole = get(address).json()["results"]
    assert [row["play"]["rating"] for row in whole] == sorted(row["play"]["rating"] for row in whole)
    assert len({row["player"] for row in whole}) == 4
    first, second = (get(address, page_size=3, page=page).json() for page in (1, 2))
    assert [*first["results"], *second["results"]] == whole
    assert (first["count"], len(second["results"]), second["next"]) == (4, 1, None)
    beyond = problem_of(get(address, page=2))
    assert (beyond["status"], beyond["code"]) == (404, "page.unknown")
    series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Autumn nights")
    set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    first = get(address, series=series.public_id, page_size=2).json()
    second = get(first["next"].partition("/api/v1/")[2]).json()
    assert [*first["results"], *second["results"]] == whole
    told = get(of_club(tournament), series=series.public_id).json()
    assert (told["matches"], told["year"], told["series"]) == (3, None, series.public_id)


def test_club_list_when_nothing_changed_then_304_until_an_event_of_the_next_year_begins(tournament, clock):
    day = datetime(clock().year + 1, 1, 2, 12, tzinfo=UTC)
    year = tournament.event.starts_on.year
    opened(an_event(club=tournament.club, starts_on=day.date(), ends_on=day.date()))
    told = get(of_club(tournament))
    assert (told.json()["year"], told.json()["years"], told.json()["matches"]) == (year, [year], 3)
    etags = {
        address: get(address)["ETag"] for address in (of_club(tournament), f"{of_club(tournament)}players/")
    }
    assert {get(address, etag=etag).status_code for address, etag in etags.items()} == {304}
    clock.shows(day)
    assert {get(address, etag=etag).status_code for address, etag in etags.items()} == {200}
    told = get(of_club(tournament)).json()
    assert (told["year"], told["years"], told["matches"]) == (day.year, [day.year, year], 0)
    assert get(f"{of_club(tournament)}players/").json()["results"] == []
    assert get(f"{of_club(tournament)}players/", year=year).json()["count"] == 4
