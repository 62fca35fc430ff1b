"""Times and messages of two sides for programs: by their links, once for a key, and for nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.arranged import Two, a_league_of_two
from tests.support.described import assert_described
from tests.support.director import signed_in
from tests.support.notices import an_account
from tests.support.problems import problem_of
from tournaments.models import MatchMessage
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


def checked(response):
    """The response, whose answer is what the description says of it; a refusal is a problem."""
    if response.status_code in {200, 201}:
        assert_described(response)
    else:
        problem_of(response)
    return response


class Program:
    """A program of one side."""

    def __init__(self, two: Two, side: str) -> None:
        self.two, self.client = two, Client(headers={"accept-language": "en"})
        self.link = {"authorization": f"Link {entry_token(two.entry(side))}"}

    def get(self, name: str = "arrangement"):
        return checked(self.client.get(self._at(name), headers=self.link))

    def post(self, name: str, headers: dict | None = None, **body: object):
        sent = {"content_type": "application/json", "headers": {**self.link, **(headers or {})}}
        response = checked(self.client.post(self._at(name), body, **sent))
        if response.status_code in {200, 201} and response.json().get("device"):
            self.link["device"] = response.json()["device"]
        return response

    def _at(self, name: str) -> str:
        return reverse(f"api:{name}", args=[self.two.match.public_id])


@pytest.fixture
def two(clock) -> Two:
    return Two(a_league_of_two(clock))


@pytest.fixture
def ann(two) -> Program:
    return Program(two, "a")


@pytest.fixture
def bob(two) -> Program:
    return Program(two, "b")


def test_times_when_offered_agreed_and_called_off_then_each_side_reads_it_from_its_own(ann, bob):
    before = ann.get().json()
    assert (before["version"], before["agreed"], before["last_day"]) == (0, None, "2027-03-31")
    times = [{"at": "2027-03-05T20:00", "place": "Café"}, {"at": "2027-03-06T20:00:00Z"}]
    key = {"idempotency-key": "once"}
    offered = ann.post("offer-times", times=times, seen=0, headers=key)
    assert offered.status_code == 200
    assert offered.json()["offered_by"] == "me"
    again = ann.post("offer-times", times=times, seen=0, headers=key)
    assert again.status_code in {200, 204, 409}
    assert ann.get().json()["version"] == 1
    read = bob.get().json()
    assert read["offered_by"] == "them"
    assert [one["at"] for one in read["offers"]] == ["2027-03-05T19:00:00Z", "2027-03-06T20:00:00Z"]
    refused = bob.post("agree-to-time", number=1, seen=0)
    assert (refused.status_code, refused.json()["code"]) == (409, "times.changed")
    agreed = bob.post("agree-to-time", number=1, seen=1).json()
    assert (agreed["agreed"], agreed["place"], agreed["version"]) == ("2027-03-05T19:00:00Z", "Café", 2)
    assert ann.post("decline-times", seen=2).json()["code"] == "times.none_offered"
    assert ann.post("call-off-time", seen=2).json()["agreed"] is None


def test_times_when_they_cannot_be_then_each_is_named(ann):
    refused = ann.post("offer-times", times=[{"at": "soon"}, {"at": "2027-03-05T20:00"}], seen=0)
    assert (refused.status_code, problem_of(refused)["code"]) == (422, "times.odd")
    assert problem_of(refused)["faults"][0]["field"] == "times.0.at"
    refused = ann.post("offer-times", times=[{"at": "2027-03-28T02:30"}], seen=0)
    assert [(one["code"], one["field"]) for one in problem_of(refused)["faults"]] == [
        ("times.left_out", "times.0.at")
    ]
    refused = ann.post("offer-times", times=[{"at": "2027-03-05T20:00"}, {"at": "2027-03-05T20:00"}], seen=0)
    assert problem_of(refused)["faults"][0]["field"] == "times.1.at"
    assert ann.post("offer-times", times=[], seen=0).status_code == 400


def test_message_when_written_twice_with_a_key_then_once_and_reported_for_directors_alone(two, ann, bob):
    for _twice in range(2):
        assert ann.post("write-message", text="Hi\nBob", submission_key="k").status_code == 201
    assert ann.post("write-message", text="Hi", headers={"idempotency-key": "k2"}).status_code == 201
    assert MatchMessage.objects.count() == 2
    assert [one["text"] for one in bob.get().json()["messages"]] == ["Hi\nBob", "Hi"]
    assert problem_of(ann.post("write-message", text="Hi"))["code"] == "report.key_odd"
    talk = reverse("api:talk", args=[two.match.public_id])
    director = signed_in(two.tournament.director)
    assert checked(director.get(talk)).json()["messages"] == []
    assert bob.post("report-talk").json()["reported"] is True
    assert len(director.get(talk).json()["messages"]) == 2
    closed = director.post(talk, {"closed": True}, content_type="application/json")
    assert checked(closed).json()["closed"] is True
    assert ann.post("write-message", text="Hi", submission_key="k3").json()["code"] == "message.closed"
    assert ann.get("talk").status_code in {401, 403}


def test_arrangement_when_asked_by_account_then_the_own_one_and_by_others_none(two):
    user = an_account(two.entry("a"))
    address = reverse("api:arrangement", args=[two.match.public_id])
    assert checked(signed_in(user).get(address)).json()["version"] == 0
    assert signed_in(two.tournament.director).get(address).status_code == 403
    assert Client().get(address).status_code in {401, 403}
