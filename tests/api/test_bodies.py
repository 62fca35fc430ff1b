"""Bodies of changes: a slip in a name is rejected before anything is done, and what a GET answers can be sent back."""

import pytest
from django.urls import reverse

from people.models import Player
from tests.factories import an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.tournaments import signed_in
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.models import Event

pytestmark = pytest.mark.django_db
EVENT = {"name": "Weekend", "starts_on": "2026-11-20", "ends_on": "2026-11-22"}


def test_event_when_fields_are_misspelt_then_each_is_named_with_the_nearest_and_nothing_is_made(owner, club):
    body = {
        **EVENT,
        "visibilty": "unlisted",
        "divisions": [
            {"name": "Open", "stages": [{"lengths": [5]}]},
            {"name": "B", "capcity": 16, "stages": [{"lenghts": [5]}]},
        ],
    }
    url = reverse("api:club-events", args=[club.public_id])
    answer = described(signed_in(owner).post(url, body, content_type="application/json"))
    found = problem_of(answer)
    assert (answer.status_code, found["code"]) == (400, "request.unknown_field")
    assert [(fault["field"], fault["params"]["nearest"]) for fault in found["faults"]] == [
        ("visibilty", "visibility"),
        ("divisions.1.capcity", "capacity"),
        ("divisions.1.stages.0.lenghts", "lengths"),
    ]
    assert "“capcity” is not a valid field. The closest match is “capacity”." in answer.content.decode()
    assert not Event.objects.exists()


def test_entry_when_a_field_is_misspelt_then_nobody_is_entered():
    tournament = an_event(entries=4, lengths=[5])
    url = reverse("api:entries", args=[tournament.event.public_id])
    answer = signed_in(tournament.director).post(
        url, {"players": [{"name": "Ada Ash", "nmae": "Ada"}]}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["faults"][0]["params"]) == (
        400,
        {"name": "nmae", "nearest": "name"},
    )
    assert not Player.objects.filter(name="Ada Ash").exists()


def test_put_when_a_whole_answer_is_sent_back_then_what_is_only_read_is_ignored():
    tournament = an_event(entries=4, lengths=[5], prizes=prizes_from_amounts((300, 150)))
    url, client = reverse("api:prizes", args=[tournament.event.public_id]), signed_in(tournament.director)
    before = client.get(url).json()
    assert {"total", "settled", "won"} <= set(before["divisions"][0]["stages"][0]["sections"][0])
    answer = client.put(url, before, content_type="application/json")
    assert (answer.status_code, answer.json()["divisions"]) == (200, before["divisions"])
    slip = client.put(url, {**before, "curency": "EUR"}, content_type="application/json")
    assert (slip.status_code, slip.json()["faults"][0]["params"]["nearest"]) == (400, "currency")


def test_numbers_of_a_player_when_sent_back_as_read_then_unchanged(owner, club):
    player = Player.objects.create(name="Ada Ash", home_club=club)
    player.club_links.create(club=club)
    url = reverse("api:player-numbers", args=[club.public_id, player.public_id])
    client = signed_in(owner)
    before = client.get(url).json()
    answer = client.put(url, {**before, "seen": before["version"]}, content_type="application/json")
    assert (answer.status_code, answer.json()) == (200, before)
