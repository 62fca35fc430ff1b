"""Rulings by API: points without a game, lateness, adjourn and resume, as a director's program would."""

import pytest
from django.test import Client

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in

pytestmark = pytest.mark.django_db
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


class Program:
    def __init__(self, tournament, match, client=None):
        self.match = match
        self.client = client or signed_in(tournament.director)

    def read(self):
        return self.client.get(f"/api/v1/matches/{self.match.public_id}/").json()

    def post(self, action, **body):
        sent = {"seen": self.read()["version"], **body}
        address = f"/api/v1/matches/{self.match.public_id}/{action}/"
        return described(self.client.post(address, sent, content_type="application/json"))


@pytest.fixture
def tournament():
    return an_event(4, lengths=[7]).publish()


@pytest.fixture
def program(tournament):
    return Program(tournament, tournament.playable()[0])


def starts(program):
    return [side["start"] for side in program.read()["sides"]]


def test_points_when_given_and_taken_back_then_the_match_tells_them(program):
    assert program.post("award", to="a", points=2, why="start").status_code == 200
    assert program.post("late", late="a", minutes=16).json()["awards"][1] == {
        "to": "b",
        "points": 2,
        "why": "late",
        "minutes": 16,
        "note": "",
    }
    assert starts(program) == [2, 2]
    assert program.post("take-back-award", number=0).status_code == 200
    assert starts(program) == [0, 2]


@pytest.mark.parametrize(
    ("action", "body", "code"),
    [
        ("award", {"to": "a", "points": 7, "why": "start"}, "award.ends_match"),
        ("award", {"to": "a", "points": 1, "why": "penalty"}, "award.reason_missing"),
        ("late", {"late": "a", "minutes": 25}, "award.match_lost"),
        ("late", {"late": "a", "minutes": 10**30}, "award.minutes_odd"),
        ("adjourn", {"score_a": 7, "score_b": 0}, "score.must_be_below_length"),
        ("adjourn", {"score_a": 1, "score_b": 0, "dice": [6, 9], "on_roll": "a"}, "adjourned.dice_odd"),
        ("adjourn", {"score_a": 1, "score_b": 0, "cube": 10**30}, "adjourned.cube_odd"),
        (
            "adjourn",
            {"score_a": 1, "score_b": 0, "position": "?" * 14, "on_roll": "b"},
            "adjourned.position_odd",
        ),
    ],
)
def test_ruling_when_impossible_then_422_with_its_code(program, action, body, code):
    answer = program.post(action, **body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert starts(program) == [0, 0]


def test_match_when_adjourned_then_everything_comes_back_and_it_can_go_on(program):
    told = {"score_a": 3, "score_b": 2, "cube": 2, "cube_owner": "b", "position": XGID, "on_roll": "a"}
    answer = program.post(
        "adjourn", **told, dice=[6, 1], clock_a=450, resumes_on="2131-12-03", resumes_at="19:30"
    )
    assert answer.status_code == 200
    found = program.read()
    assert found["status"] == "adjourned"
    assert found["adjourned"] == {
        "score": [3, 2],
        "cube": 2,
        "cube_owner": "b",
        "position": "4HPwATDgc/ABMA",
        "on_roll": "a",
        "dice": [6, 1],
        "clock_a": 450,
        "clock_b": None,
        "resumes_on": "2131-12-03",
        "resumes_at": "19:30",
        "place": "",
        "note": "",
    }
    assert program.post("resume").json()["status"] == "ready"
    assert program.post("resume").json()["code"] == "match.resume_refused"


def test_clock_and_slow_play_when_ruled_then_the_match_tells_them_and_the_event_the_rules(
    tournament, program
):
    assert program.read()["clock"] is None
    odd = program.post("clock", score_a=3)
    assert (odd.status_code, odd.json()["code"]) == (422, "clock.score_of_one")
    on = program.post("clock").json()["clock"]
    assert (on["score_a"], on["delay"], on["reserve"]) == (None, 12, 840)
    assert program.post("clock").json()["code"] == "clock.on_already"
    scored = program.post("clock", score_a=3, score_b=2).json()["clock"]
    assert scored == {**on, "score_a": 3, "score_b": 2, "reserve": 540}
    award = program.post("slow", slow="b", minutes=12).json()["awards"][0]
    assert (award["to"], award["points"], award["why"], award["minutes"]) == ("a", 1, "slow", 12)
    assert program.post("clock/off").json()["clock"] is None
    assert program.post("clock/off").json()["code"] == "clock.not_on"
    stage = program.client.get(f"/api/v1/events/{tournament.event.public_id}/").json()["divisions"][0][
        "stages"
    ][0]
    assert stage["conduct"]["slow"] == {"grace": 5, "step": 5, "points": 1}
    assert (stage["conduct"]["clocks"], stage["conduct"]["rated"]) == (None, True)


SCORE = {"score_a": 1, "score_b": 0}


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("award", {"to": "a", "points": 1, "why": "start"}),
        ("late", {"late": "a", "minutes": 10}),
        ("slow", {"slow": "a", "minutes": 10}),
        ("clock", SCORE),
        ("clock/off", {}),
        ("take-back-award", {"number": 0}),
        ("adjourn", SCORE),
        ("resume", {}),
    ],
)
def test_ruling_when_it_is_not_theirs_or_old_or_nonsense_then_refused(tournament, program, action, body):
    for client in (Client(), signed_in(a_user())):
        assert Program(tournament, program.match, client).post(action, **body).status_code in {401, 403}
    assert program.post(action, **{**body, "seen": 99}).status_code == 409
    for odd in ({"seen": None}, {"seen": "x"}, {"seen": 10**40}):
        assert program.post(action, **{**body, **odd}).status_code in {400, 409, 422}
