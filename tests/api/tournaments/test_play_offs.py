"""Play-offs by API: who is tied, start, take back, record and forget, as a director's program would."""

import pytest
from django.test import Client

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.rounds import publish_next, then
from tests.support.tournaments import signed_in
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage
from tournaments.engine.stages.swiss import SwissSettings

pytestmark = pytest.mark.django_db
ACTIONS = ("", "take-back/", "record/", "forget/")


class Program:
    def __init__(self, tournament, client=None):
        self.tournament = tournament
        self.base = f"/api/v1/events/{tournament.event.public_id}"
        self.client = client or signed_in(tournament.director)

    def ties(self, place=0):
        return self.client.get(f"{self.base}/play-off/").json()["stages"][place]

    def version(self):
        return self.client.get(f"{self.base}/").json()["version"]

    def post(self, action, **body):
        sent = {"seen": self.version(), **body}
        return described(
            self.client.post(f"{self.base}/play-off/{action}", sent, content_type="application/json")
        )


def two_level(entries=4, *, final=False, **settings):
    """One round: those who won are equal, and so are those who lost."""
    swiss = SwissSettings(**{"rounds": 1, "tie_breaks": (), **settings})
    tournament = an_event(entries, system="swiss", swiss=swiss, lengths=[5])
    if final:
        then(tournament, name="Final", system="single_elimination", fed_by=1, takes=2)
    publish_next(tournament)
    for match in tournament.playable():
        tournament.settle(match, "a", 2)
    tournament.fresh()
    return tournament


@pytest.fixture
def tournament():
    return two_level()


@pytest.fixture
def program(tournament):
    return Program(tournament)


def first_two(told):
    return [(row["entry"], row["first"], row["last"]) for row in told["stage"]["tables"][0]["rows"][:2]]


def test_play_off_when_started_and_played_then_the_table_follows_it(tournament, program):
    first, second = program.ties()["to_play"][0]
    answer = program.post("", entries=[second, first])
    assert answer.status_code == 201
    told = answer.json()
    assert (told["status"], told["version"]) == ("running", program.version())
    (match,) = told["stage"]["rounds"][-1]["matches"]
    assert (match["round"], match["length"], match["status"]) == ("play_off", 1, "ready")
    assert {side["entry"] for side in match["sides"]} == {first, second}
    assert program.ties()["under_way"] is True
    assert program.ties()["to_play"] == []
    (open_match,) = tournament.playable()
    loser = tournament.entry_at(open_match, "b")
    tournament.settle(open_match, "a")
    assert not program.ties()["under_way"]
    rows = program.client.get(f"{program.base}/bracket/").json()["stages"][0]["tables"][0]["rows"]
    assert (rows[1]["entry"], rows[0]["last"]) == (loser.public_id, 1)
    assert integrity_faults(tournament.fresh()) == []


def test_play_off_when_sent_twice_then_there_is_one_and_the_second_is_told_how_it_stands(tournament, program):
    group = program.ties()["to_play"][0]
    seen = program.version()
    assert program.post("", entries=group, seen=seen).status_code == 201
    again = program.post("", entries=group, seen=seen)
    assert (again.status_code, again.json()["code"]) == (409, "play_off.changed")
    assert again.json()["present"] == {"status": "running", "version": program.version()}
    now = program.post("", entries=group)
    assert (now.status_code, now.json()["code"]) == (409, "play_off.too_early")
    assert len(tournament.playable()) == 1


def test_play_off_when_taken_back_then_it_never_was_unless_it_has_begun(tournament, program):
    group = program.ties()["to_play"][0]
    none = program.post("take-back/")
    assert (none.status_code, none.json()["code"]) == (409, "play_off.none")
    program.post("", entries=group)
    back = program.post("take-back/")
    assert (back.status_code, back.json()["status"]) == (200, "finished")
    assert program.ties()["to_play"][0] == group
    program.post("", entries=group)
    tournament.says(tournament.playable()[0], "a", 1, 0)
    begun = program.post("take-back/")
    assert (begun.status_code, begun.json()["code"]) == (409, "draw.begun")
    assert integrity_faults(tournament.fresh()) == []


def test_play_off_when_recorded_then_the_order_counts_until_it_is_forgotten(program):
    first, second = program.ties()["to_record"][0]
    answer = program.post("record/", entries=[second, first])
    assert answer.status_code == 200
    assert first_two(answer.json()) == [(second, 1, 1), (first, 2, 2)]
    assert first_two(program.post("record/", entries=[first, second]).json())[0] == (first, 1, 1)
    assert program.ties()["recorded"] is True
    forgotten = program.post("forget/")
    assert {row[1:] for row in first_two(forgotten.json())} == {(1, 2)}
    none = program.post("forget/")
    assert (none.status_code, none.json()["code"]) == (409, "play_off.none")


@pytest.mark.parametrize("action", ["", "record/"])
def test_play_off_when_these_are_not_tied_then_422_with_its_code(tournament, program, action):
    winners, losers = program.ties()["to_play"]
    stranger = an_event(2).entry("Ann").public_id
    for entries in (winners[:1], [winners[0], losers[0]], [*winners, *losers], [*winners, stranger], ["x"]):
        answer = program.post(action, entries=entries)
        assert (answer.status_code, answer.json()["code"]) == (422, "play_off.not_tied"), entries
    twice = program.post(action, entries=[*winners, winners[0]])
    assert (twice.status_code, twice.json()["code"]) == (422, "play_off.twice")
    assert [fault["field"] for fault in problem_of(twice)["faults"]] == ["entries"]
    assert tournament.fresh().status == "finished"


def test_play_off_when_too_many_are_tied_then_422_and_their_order_can_be_recorded():
    program = Program(two_level(12))
    assert program.ties()["to_play"] == []
    group = program.ties()["to_record"][0]
    answer = program.post("", entries=group)
    assert (answer.status_code, answer.json()["code"]) == (422, "play_off.too_many")
    assert program.post("record/", entries=group).status_code == 200


def test_play_off_when_the_next_stage_is_drawn_then_409():
    tournament = two_level(final=True)
    program = Program(tournament)
    group = program.ties()["to_play"][0]
    final = tournament.event.divisions.get().stages.get(position=2)
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=final.pk, seed=1)
    assert program.ties()["to_play"] == []
    answer = program.post("", entries=group)
    assert (answer.status_code, answer.json()["code"]) == (409, "play_off.next_drawn")
    other = program.post("", entries=group, stage=2)
    assert (other.status_code, other.json()["code"]) == (409, "stage.other_system")


def test_play_off_when_the_round_is_not_over_then_409_and_nobody_is_tied():
    swiss = SwissSettings(rounds=1, tie_breaks=())
    tournament = an_event(4, system="swiss", swiss=swiss, lengths=[5])
    publish_next(tournament)
    program = Program(tournament)
    assert program.ties()["to_play"] == program.ties()["to_record"] == []
    entries = [tournament.entry("Ann").public_id, tournament.entry("Bob").public_id]
    for action in ("", "record/"):
        answer = program.post(action, entries=entries)
        assert (answer.status_code, answer.json()["code"]) == (409, "play_off.too_early")


@pytest.mark.parametrize(
    "body",
    [
        {"seen": None},
        {"seen": "x"},
        {"seen": -1},
        {"seen": 10**30},
        {"entries": []},
        {"entries": "Ann"},
        {"entries": [["Ann"]]},
        {"entries": ["x" * 17]},
        {"entries": ["\0", "b"]},
        {"division": 0},
        {"stage": "first"},
        {"division": 10**30},
    ],
)
def test_play_off_when_the_body_is_odd_then_refused_in_words(tournament, program, body):
    group = program.ties()["to_play"][0]
    answer = program.post("", **{"entries": group, **body})
    assert answer.status_code in {400, 422}
    told = problem_of(answer)["faults"]
    assert {fault["field"].partition(".")[0] for fault in told} == set(body)
    assert tournament.fresh().status == "finished"


def test_play_off_when_there_is_no_such_stage_or_event_then_missing(program):
    group = program.ties()["to_play"][0]
    for where in ({"division": 2}, {"stage": 2}):
        answer = program.post("", entries=group, **where)
        assert (answer.status_code, answer.json()["code"]) == (404, "stage.unknown")
    program.base = "/api/v1/events/nothing"
    assert program.client.get(f"{program.base}/play-off/").status_code == 404


@pytest.mark.parametrize("action", ACTIONS)
def test_play_off_when_it_is_not_theirs_then_refused(tournament, program, action):
    body = {"entries": program.ties()["to_play"][0], "seen": program.version()}
    for client, allowed in ((Client(), {401, 403}), (signed_in(a_user("Sam Stranger")), {403})):
        visitor = Program(tournament, client)
        assert visitor.post(action, **body).status_code in allowed
        assert visitor.client.get(f"{visitor.base}/play-off/").status_code in allowed
    assert tournament.fresh().status == "finished"
