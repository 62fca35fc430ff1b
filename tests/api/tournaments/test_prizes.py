"""Prizes for programs: read by anybody, set whole by directors, every fault at the field that was sent."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import signed_in
from tournaments.engine.standings.prizes import prizes_from_amounts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def body(*sections, currency="EUR", pool=None, **more):
    stages = [{"number": 1, "sections": list(sections)}]
    return {"currency": currency, "divisions": [{"number": 1, "pool": pool, "stages": stages}], **more}


def main(*values, **more):
    return {"section": "main", "places": [{"value": value} for value in values], **more}


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[5], prizes=prizes_from_amounts((300, 150)))


def put(tournament, sent, user="director"):
    client = signed_in(tournament.director) if user else Client()
    address = reverse("api:prizes", args=[tournament.event.public_id])
    return client.put(address, sent, content_type="application/json")


def read(tournament):
    return signed_in(tournament.director).get(reverse("api:prizes", args=[tournament.event.public_id])).json()


def section_of(answer):
    return answer["divisions"][0]["stages"][0]["sections"][0]


def test_prizes_when_read_set_and_paid_then_amounts_are_texts_to_the_cent(tournament) -> None:
    before = read(tournament)
    assert [place["amount"] for place in section_of(before)["places"]] == ["300.00", "150.00"]
    sent = body(main("60", 40, way="per_cent", part="50.5", unit="0.01"), pool="200.01", seen=before["seen"])
    answer = put(tournament, sent)
    assert answer.status_code == 200
    found = section_of(answer.json())
    assert (found["part"], found["total"], found["left_over"]) == ("50.5", "101.00", "0.00")
    assert [place["amount"] for place in found["places"]] == ["60.60", "40.40"]
    assert put(tournament, sent).status_code == 409
    tournament.publish().play_out()
    won = section_of(read(tournament))
    assert won["settled"] is True
    assert [(one["first"], one["last"], one["amount"]) for one in won["won"]] == [
        (1, 1, "60.60"),
        (2, 2, "40.40"),
    ]
    undo = reverse("api:take-back-prizes", args=[tournament.event.public_id])
    client = signed_in(tournament.director)
    back = client.post(undo, {"undo": answer.json()["undo"]}, content_type="application/json")
    assert back.status_code == 200
    assert [place["amount"] for place in section_of(back.json())["places"]] == ["300.00", "150.00"]
    again = client.post(undo, {"undo": answer.json()["undo"]}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "prizes.back_already")


def test_prizes_when_anything_is_wrong_then_each_fault_is_at_the_field_that_was_sent(tournament) -> None:
    sent = body(
        main("60.005", pool="5", part="5"), {"section": "moon", "places": []}, currency="ABC", pool=-1
    )
    sent["divisions"][0]["stages"][0]["sections"][1]["places"] = [{"value": 1}]
    answer = put(tournament, sent)
    assert answer.status_code == 422
    assert {(fault["code"], fault["field"]) for fault in answer.json()["faults"]} == {
        ("prizes.currency_unknown", "currency"),
        ("prizes.amount_odd", "divisions.0.pool"),
        ("prizes.amount_fine", "divisions.0.stages.0.sections.0.places.0.value"),
        ("prizes.pool_twice", "divisions.0.stages.0.sections.0.pool"),
        ("prizes.section_unknown", "divisions.0.stages.0.sections.1"),
    }
    unknown = put(tournament, {"divisions": [{"number": 2}, {"number": 1, "stages": [{"number": 2}]}]})
    assert [fault["field"] for fault in unknown.json()["faults"]] == [
        "divisions.0.number",
        "divisions.1.stages.0.number",
    ]
    assert put(tournament, body(main("NaN"))).status_code in {400, 422}
    assert put(tournament, body(main("1")), user="").status_code in {401, 403}
    assert [place["value"] for place in section_of(read(tournament))["places"]] == ["300", "150"]


def test_stage_when_told_then_whole_prizes_stand_among_its_settings_as_they_always_did(tournament) -> None:
    address = reverse("api:event", args=[tournament.event.public_id])

    def settings():
        return signed_in(tournament.director).get(address).json()["divisions"][0]["stages"][0]["settings"]

    assert settings()["prizes"] == [300, 150]
    assert put(tournament, body(main("300.50"))).status_code == 200
    assert settings()["prizes"] == []
