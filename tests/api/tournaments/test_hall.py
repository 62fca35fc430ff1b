"""The hall by API: tables for everybody, calls and closed tables for directors."""

import pytest
from django.test import Client

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def tournament():
    return an_event(entries=8, tables=3).publish()


class Program:
    def __init__(self, tournament, client=None):
        self.base = f"/api/v1/events/{tournament.event.public_id}"
        self.client = client or Client()

    def tables(self):
        return self.client.get(f"{self.base}/tables/")

    def post(self, action, **body):
        return described(self.client.post(f"{self.base}/{action}/", body, content_type="application/json"))


def test_tables_when_read_then_they_tell_the_match_at_each(tournament):
    program = Program(tournament)
    first, second, third, _fourth = tournament.playable()
    answer = program.tables()
    assert answer.json() == [
        {"table": number, "in_use": True, "match": match.public_id}
        for number, match in enumerate((first, second, third), start=1)
    ]
    again = program.client.get(f"{program.base}/tables/", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_call_next_when_a_director_asks_then_the_called_matches_come_back_in_order(tournament):
    program = Program(tournament, signed_in(tournament.director))
    one = program.post("call-next")
    assert one.status_code == 200
    assert [(match["number"], match["table"], match["status"]) for match in one.json()] == [(1, 1, "called")]
    rest = program.post("call-next", everything=True)
    assert [match["number"] for match in rest.json()] == [2, 3]
    none = program.post("call-next")
    assert (none.status_code, none.json()["code"]) == (409, "call.no_table")


def test_table_when_taken_out_of_use_then_told_and_the_last_one_or_an_odd_one_is_refused(tournament):
    program = Program(tournament, signed_in(tournament.director))
    answer = program.post("tables", table=3, in_use=False)
    assert answer.status_code == 200
    assert [row["in_use"] for row in answer.json()] == [True, True, False]
    assert program.post("tables", table=99, in_use=False).status_code == 422
    assert program.post("tables", table=10**30, in_use=False).status_code == 422
    assert program.post("tables", table="x", in_use=False).status_code in {400, 422}
    assert program.post("tables", table=3, in_use=True).json()[2]["in_use"] is True


def test_hall_when_somebody_else_writes_then_refused(tournament):
    for client in (Client(), signed_in(a_user())):
        program = Program(tournament, client)
        assert program.post("call-next").status_code == 403
        assert program.post("tables", table=1, in_use=False).status_code == 403
    assert {match.status for match in tournament.playable()} == {"ready"}
