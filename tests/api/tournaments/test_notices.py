"""Announcements by API: told to everybody, made and taken away by directors."""

import pytest
from django.test import Client

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Notice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def tournament():
    return an_event(4).publish()


class Program:
    def __init__(self, tournament, client=None):
        self.base = f"/api/v1/events/{tournament.event.public_id}/notices/"
        self.client = client or Client()

    def get(self, **headers):
        return described(self.client.get(self.base, headers=headers))

    def post(self, path="", **body):
        return described(self.client.post(f"{self.base}{path}", body, content_type="application/json"))


def test_announcement_when_sent_then_listed_for_everybody_and_gone_when_withdrawn(tournament, clock):
    add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(name="Side", stages=(StageDetails(lengths=[3]),)),
        first_name="Main",
    )
    director, anybody = Program(tournament, signed_in(tournament.director)), Program(tournament)
    empty = anybody.get()
    assert empty.json() == []
    made = director.post(text=" Coffee\nis ready ", division=2, minutes=15)
    assert made.status_code == 201
    told = made.json()
    assert (told["kind"], told["text"], told["division"], told["version"]) == (
        "announcement",
        "Coffee is ready",
        2,
        1,
    )
    assert told["until"] > told["made_at"]
    fresh = anybody.get(**{"If-None-Match": empty["ETag"]})
    assert fresh.json() == [told]
    assert anybody.get(**{"If-None-Match": fresh["ETag"]}).status_code == 304
    everybody = director.post(text="Welcome").json()
    assert (everybody["division"], everybody["until"]) == (None, None)
    clock.moves(minutes=15)
    assert [one["text"] for one in anybody.get().json()] == ["Welcome"]
    gone = director.post(f"{everybody['id']}/withdraw/", seen=1)
    assert (gone.status_code, gone.json()) == (200, [])
    again = director.post(f"{everybody['id']}/withdraw/")
    assert (again.status_code, again.json()["code"]) == (409, "notice.gone")


def test_announcement_when_it_makes_no_sense_then_refused_at_its_field(tournament):
    program = Program(tournament, signed_in(tournament.director))
    for body, status, code in (
        ({"text": ""}, 422, "notice.empty"),
        ({"text": "x" * 281}, 422, "notice.too_long"),
        ({"text": "Lost", "division": 2}, 422, "division.unknown"),
    ):
        answer = program.post(**body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    for body in ({}, {"text": None}, {"text": "Hm", "minutes": 0}, {"text": "Hm", "minutes": "soon"}):
        assert program.post(**body).status_code in {400, 422}
    program.post(text="Coffee")
    assert program.post(text="Coffee").json()["code"] == "notice.said"
    (row,) = Notice.objects.all()
    stale = program.post(f"{row.public_id}/withdraw/", seen=7)
    assert (stale.status_code, stale.json()["code"]) == (409, "notice.changed")
    assert program.post("nosuchnotice/withdraw/").status_code == 404


def test_announcement_when_somebody_else_writes_then_refused(tournament):
    notice = Program(tournament, signed_in(tournament.director)).post(text="Coffee").json()["id"]
    for client in (Client(), signed_in(a_user())):
        program = Program(tournament, client)
        assert program.post(text="Tea").status_code == 403
        assert program.post(f"{notice}/withdraw/").status_code == 403
    assert [one["text"] for one in Program(tournament).get().json()] == ["Coffee"]
