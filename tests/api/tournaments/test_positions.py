"""Positions of an event by API: asked as their pages ask them, with what each choice is worth for whoever wants the answer."""

import pytest
from django.conf import settings
from django.test import Client

from tests.support.analysed import agree
from tests.support.blunders import an_event_with_blunders
from tests.support.described import assert_described
from tournaments.matches.services.quiz import count_answer, hide_positions, publish_positions
from tournaments.models import Entry, QuizPosition

pytestmark = pytest.mark.django_db


def test_positions_when_shown_then_asked_without_names_and_answered_to_who_wants_it():
    tournament, match, _row = an_event_with_blunders()
    address = f"/api/v1/events/{tournament.event.public_id}/positions/"
    assert Client().get(address).json()["code"] == "quiz.unknown"
    publish_positions(actor=tournament.actor, event_id=tournament.event.pk)
    listed = Client().get(address)
    positions = assert_described(listed)
    assert [one["number"] for one in positions] == [1, 2, 3, 4, 5]
    assert {one["total"] for one in positions} == {5}
    assert {choice["worth"] for one in positions for choice in one["choices"]} == {None}
    assert Client().get(address, headers={"If-None-Match": listed["ETag"]}).status_code == 304
    names = [entry.name for entry in Entry.objects.filter(slots__match=match)]
    assert not [name for name in [*names, match.public_id] if name in listed.content.decode()]

    first = positions[0]
    one = f"/api/v1/positions/{first['id']}/"
    assert assert_described(Client().get(one)) == first
    assert Client().get(first["picture"].removeprefix(settings.SITE_URL)).status_code == 200
    count_answer(position_id=QuizPosition.objects.get(public_id=first["id"]).pk, choice=1)
    shown = assert_described(Client().get(one, {"answer": "true"}))
    worth = [choice["worth"] for choice in shown["choices"]]
    assert [choice["number"] for choice in shown["choices"]] == list(range(1, len(worth) + 1))
    assert [each["answers"] for each in worth] == [0, 1, *[0] * (len(worth) - 2)]
    assert min(each["less"] for each in worth) == 0
    assert [each["less"] >= 0.08 for each in worth if each["played"]] == [True]
    page = Client().get(f"/q/{first['id']}/?choice=shown").content.decode()
    assert all(choice["play"] in page for choice in shown["choices"])
    for odd in ({"answer": "perhaps"}, {"answers": "true"}):
        assert Client().get(one, odd).status_code == 422
    assert Client().get("/api/v1/positions/nonesuch/").status_code == 404

    agree(match, record="no")
    assert assert_described(Client().get(address)) == []
    assert Client().get(one).status_code == 404
    hide_positions(actor=tournament.actor, event_id=tournament.event.pk)
    assert Client().get(address).status_code == 404
