"""Matches as files: for their players of an event or a period, for a director as far as the players agree."""

import csv
import io
import zipfile

import pytest
from django.test import Client

from games.models import StoredRecord
from people.models import Player
from tests.factories import a_user
from tests.support.analysed import a_played_match, agree, analysed
from tests.support.lanes import ON_ONE
from tests.support.tournaments import signed_in
from tournaments.models import Entry

pytestmark = [pytest.mark.django_db, *ON_ONE]  # a file and answers that write no query


@pytest.fixture
def played():
    return a_played_match()


def opened(answer):
    """The rows of the sheet, and the files by name."""
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return list(csv.DictReader(io.StringIO(files.pop("matches.csv").decode("utf-8-sig")))), files


def by_link(match, side):
    return opened(Client().get(f"/my/{match.tokens[side]}/matches.zip"))


def test_own_matches_when_asked_for_by_link_then_sheet_with_ratings_and_the_file_as_handed_in(played):
    rows, files = by_link(played, 1)
    event, entries = (
        played.stage.division.event,
        list(Entry.objects.filter(slots__match=played).order_by("slots__side")),
    )
    (row,) = rows
    assert (row["Event"], row["Match length"], row["PR 1"]) == (event.name, "5", "")
    assert (row["Player 1"], row["Player 2"]) == (entries[1].name, entries[0].name)
    assert (row["Points 1"], row["Points 2"]) == (str(played.score_b), str(played.score_a))
    assert files == {row["File"]: bytes(StoredRecord.objects.get().content)}
    assert row["Date"] == played.played_at.date().isoformat() == row["File"][:10]
    analysed()
    (mine,), (theirs,) = by_link(played, 0)[0], by_link(played, 1)[0]
    assert float(mine["PR 1"]) > 0
    assert (mine["PR 1"], mine["PR 2"]) == (theirs["PR 2"], theirs["PR 1"])
    assert mine["PR source"] == "estimate ±0.4, GNU Backgammon 9.9, 2-ply"
    page = Client().get(f"/my/{played.tokens[0]}/analysis/{played.public_id}/").content.decode()
    assert mine["PR 1"][:-1].rstrip("0") in page or f"{float(mine['PR 1']):.1f}" in page


def test_own_matches_when_the_other_hides_their_name_then_neither_sheet_nor_file_has_it(played):
    other = Entry.objects.get(slots__match=played, slots__side="b")
    name = other.name
    player = other.players.get()
    player.shown_as = "short"
    player.save()
    rows, files = by_link(played, 0)
    ((inside, content),) = files.items()
    assert inside.endswith(".mat")
    assert name.encode() not in content
    assert rows[0]["Player 2"] != name


def test_own_matches_when_asked_for_by_account_then_of_the_days_that_were_chosen(played):
    player = Entry.objects.get(slots__match=played, slots__side="a").players.get()
    user = a_user("Ann Account")
    assert signed_in(user).get("/me/matches.zip").status_code == 404
    Player.objects.filter(pk=player.pk).update(user=user)
    client, day = signed_in(user), played.stage.division.event.starts_on.isoformat()
    assert len(opened(client.get("/me/matches.zip"))[0]) == 1
    assert len(opened(client.get(f"/me/matches.zip?first={day}&last={day}"))[0]) == 1
    assert opened(client.get("/me/matches.zip?first=2099-01-01")) == ([], {})
    odd = client.get("/me/matches.zip?first=2026-13-41")
    assert odd.status_code == 422
    assert "2026-13-41" in odd.content.decode()
    assert "matches.zip" in client.get("/me/").content.decode()


def test_matches_of_an_event_when_a_director_asks_then_games_and_ratings_as_far_as_both_agree(played):
    event = played.stage.division.event
    director = signed_in(event.club.memberships.get(role="owner").user)
    analysed()
    url = f"/direct/events/{event.public_id}/matches.zip"
    rows, files = opened(director.get(url))
    assert (rows[0]["File"], rows[0]["PR 1"], files) == ("", "", {})
    agree(played, record="yes")
    rows, files = opened(director.get(url))
    assert list(files) == [rows[0]["File"]]
    assert rows[0]["PR 1"] == ""
    agree(played, analysis="yes")
    assert float(opened(director.get(url))[0][0]["PR 1"]) > 0
    assert Client().get(url).status_code == 302
