"""GET on the API: the facts of the public pages as JSON, shaped as its own description says."""

from datetime import datetime

import pytest
from django.test import Client

from people.models import Player
from people.services.players import update_player
from rating.models import RatingList
from rating.services import update_list_ratings
from tests.factories import an_event
from tests.support.described import assert_described
from tests.support.problems import problem_of
from tests.support.tournaments import first_match, opened, signed_in
from tournaments.hall.services.calling import call_next
from tournaments.models import Match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
API = "/api/v1/"


def get(path, client=None, **query):
    """The answer; one that was given is what the description says."""
    answer = (client or Client()).get(API + path, query)
    if answer.status_code == 200:
        assert_described(answer)
    return answer


@pytest.fixture
def tournament():
    return an_event(entries=5, place="Old Customs House").publish(seed=5)


def test_events_list_public_ones_and_filter_by_state_and_club(tournament):
    opened(an_event(name="Elsewhere"))
    an_event(club=tournament.club, name="Draft")
    an_event(entries=2, club=tournament.club, name="Unlisted", visibility="unlisted").publish()
    body = get("events/").json()
    assert {event["name"] for event in body["results"]} == {"Club night", "Elsewhere"}
    assert [event["name"] for event in get("events/", status="running").json()["results"]] == ["Club night"]
    assert get("events/", club=tournament.club.public_id).json()["count"] == 1


def test_lists_come_in_pages(tournament):
    for number in range(3):
        opened(an_event(club=tournament.club, name=f"Night {number}"))
    body = get("events/", page_size=2).json()
    assert (body["count"], len(body["results"])) == (4, 2)
    assert get("events/", page_size=2, page=2).json()["next"] is None
    beyond = get("events/", page=9)
    assert (beyond.status_code, beyond.json()["code"]) == (404, "page.unknown")


NONSENSE = [
    ("events/", {"status": "draft"}, "open, running, finished, cancelled"),
    ("events/{event}/matches/", {"status": "won"}, "waiting, ready, called, playing"),
    ("events/", {"club": "nope"}, "Club not found"),
    ("players/", {"club": "0000000000zz"}, "Club not found"),
    ("players/", {"q": "a\0"}, "80 characters"),
    ("clubs/", {"page": "two"}, "whole number of at least 1"),
    ("clubs/", {"page_size": 1000}, "from 1 to 200"),
    ("clubs/", {"name": "x"}, "page, page_size"),
]


def test_filters_that_make_no_sense_are_refused_with_what_is_allowed(tournament):
    for path, asked, allowed in NONSENSE:
        refused = get(path.format(event=tournament.event.public_id), **asked)
        (fault,) = problem_of(refused)["faults"]
        assert (refused.status_code, fault["field"]) == (422, next(iter(asked)))
        assert allowed in fault["detail"]


def test_event_tells_how_it_is_played_and_the_seed_once_the_draw_is_public(tournament):
    body = get(f"events/{tournament.event.public_id}/").json()
    (stage,) = body["divisions"][0]["stages"]
    assert stage["draw_seed"] == "5"
    assert stage["rules"] == ["doubling cube", "Crawford rule", "no Jacoby", "no beavers"]
    waiting = opened(an_event(entries=4).draw())
    (stage,) = get(f"events/{waiting.event.public_id}/").json()["divisions"][0]["stages"]
    assert stage["draw_seed"] == ""


def test_bracket_matches_and_places_after_a_result(tournament):
    tournament.settle(first_match(tournament), "a", 2)
    body = get(f"events/{tournament.event.public_id}/bracket/").json()
    (stage,) = body["stages"]
    assert [r["code"] for r in stage["rounds"]] == ["quarterfinal", "semifinal", "final"]
    assert sum(side["bye"] for match in stage["rounds"][0]["matches"] for side in match["sides"]) == 3
    assert [side["from_result"] for side in stage["rounds"][1]["matches"][0]["sides"]] == ["winner", "winner"]
    assert len(stage["places"]) == 5
    done = get(f"events/{tournament.event.public_id}/matches/", status="confirmed").json()
    assert {match["kind"] for match in done} == {"bye", "played"}


def test_bracket_before_publication_is_empty():
    tournament = opened(an_event(entries=4).draw())
    assert get(f"events/{tournament.event.public_id}/bracket/").json()["stages"] == []
    assert get(f"events/{tournament.event.public_id}/matches/").json() == []
    assert get(f"matches/{Match.objects.first().public_id}/").status_code == 404


def test_match_has_its_score_only_when_confirmed():
    tournament = an_event(entries=2, lengths=[7]).publish()
    path = f"matches/{first_match(tournament).public_id}/"
    tournament.says(first_match(tournament), "a", 7, 4, note="He was late")
    reported = get(path)
    assert [side["score"] for side in reported.json()["sides"]] == [None, None]
    assert "late" not in reported.content.decode()
    tournament.says(first_match(tournament), "b", 7, 4)
    assert [side["score"] for side in get(path).json()["sides"]] == [7, 4]
    assert get(path).json()["winner"] == "a"


def test_match_tells_when_it_was_called_began_and_was_played():
    tournament = an_event(entries=2, lengths=[7], tables=1).publish()
    match = first_match(tournament)
    path = f"matches/{match.public_id}/"
    times = ("called_at", "started_at", "played_at", "confirmed_at")
    assert [get(path).json()[name] for name in times] == [None] * 4
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    tournament.says(match, "a", 7, 4)
    told = get(path).json()
    assert told["called_at"].endswith("Z")
    assert (told["played_at"], told["confirmed_at"]) == (None, None)
    tournament.says(match, "b", 7, 4)
    told = get(path).json()
    match.refresh_from_db()
    first = match.reports.order_by("pk").first()
    assert datetime.fromisoformat(told["played_at"]) == match.played_at == first.created_at
    assert datetime.fromisoformat(told["confirmed_at"]) == match.confirmed_at
    (result,) = get(f"clubs/{tournament.club.public_id}/results/").json()["results"]
    assert result["played_at"] == told["played_at"]  # of the same match in the results for a federation


def test_entries_name_listed_players_only(tournament):
    ann = Player.objects.get(name="Ann")
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Ann", listed=False
    )
    body = get(f"events/{tournament.event.public_id}/entries/").json()
    assert [(entry["number"], entry["name"]) for entry in body][:2] == [(1, "Ann"), (2, "Bob")]
    assert body[0]["players"] == []
    assert body[1]["players"][0]["name"] == "Bob"


def test_clubs_and_players(tournament):
    assert get(f"clubs/{tournament.club.public_id}/").json()["name"] == tournament.club.name
    assert get("players/", q="ann").json()["count"] == 1
    assert get("players/", club=tournament.club.public_id).json()["count"] == 5


def test_player_has_ratings_once_rated():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.beats("Ann", "Bob", 7, 3)
    update_list_ratings(RatingList.objects.get().pk)
    body = get(f"players/{Player.objects.get(name='Ann').public_id}/").json()
    assert body["ratings"][0]["rating"] == pytest.approx(1526.4575, abs=1e-4)


def test_player_who_is_not_listed_is_missing(tournament):
    ann = Player.objects.get(name="Ann")
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Ann", listed=False
    )
    assert get(f"players/{ann.public_id}/").status_code == 404
    assert get("players/", q="ann").json()["count"] == 0


@pytest.mark.parametrize("part", ["", "bracket/", "matches/", "entries/"])
def test_draft_exists_for_its_directors_alone(part):
    tournament = an_event(entries=2)
    path = f"events/{tournament.event.public_id}/{part}"
    assert get(path).status_code == 404
    assert get(path).json()["code"] == "event.unknown"
    assert get(path, signed_in(an_event().director)).status_code == 404
    assert get(path, signed_in(tournament.director)).status_code == 200


@pytest.mark.parametrize(
    "path", ["events/", "events/{event}/", "events/{event}/bracket/", "clubs/", "players/"]
)
def test_unchanged_answers_are_304(tournament, path):
    path = path.format(event=tournament.event.public_id)
    first = get(path)
    again = Client().get(API + path, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_answers_when_a_player_is_renamed_then_they_are_new(tournament):
    first = get("players/")
    ann = Player.objects.get(name="Ann")
    update_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Anna")
    again = Client().get(f"{API}players/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert "Anna" in again.content.decode()
