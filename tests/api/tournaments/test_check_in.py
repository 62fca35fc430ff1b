"""Check-in by API: set, read, marked and unmarked by directors and helpers."""

import pytest
from django.test import Client

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.check_in.services.marking import check_in_entries
from tournaments.check_in.services.windows import open_check_in
from tournaments.models import Event
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_check_in_when_set_and_marked_then_who_is_here_is_told_to_the_desk_alone(clock):
    tournament = an_event(entries=4, lengths=[5])
    base = f"/api/v1/events/{tournament.event.public_id}/check-in/"
    client = signed_in(tournament.director)

    def post(path="", **body):
        return described(client.post(f"{base}{path}", body, content_type="application/json"))

    assert described(client.get(base)).json() == []
    day = tournament.event.starts_on.isoformat()
    assert post("mark/", entries=[tournament.entry("Ann").public_id]).json()["code"] == "check_in.none"
    (window,) = post(division=1, day=day, opens_at=clock.at.isoformat()).json()
    assert (window["stand"], window["here"], window["of"], window["closes_at"]) == ("open", 0, 4, None)
    bob = tournament.entry("Bob").public_id
    (window,) = post("mark/", entries=[tournament.entry("Ann").public_id, bob]).json()
    assert window["here"] == 2
    (window,) = post("mark/", code=f"https://x.example/my/{entry_token(tournament.entry('Cleo'))}/").json()
    assert {one["name"]: one["way"] for one in window["entries"]} == {
        "Ann": "list",
        "Bob": "list",
        "Cleo": "code",
        "Dan": None,
    }
    (window,) = post("mark/", entries=[bob], here=False).json()
    assert window["here"] == 2
    cleo = entry_token(tournament.entry("Cleo"))
    (window,) = post("mark/", code=cleo, here=False).json()
    assert window["here"] == 1
    assert post("mark/", code=cleo, entries=[bob]).json()["code"] == "check_in.one_way"
    nobody = post("mark/").json()
    assert (nobody["code"], nobody["faults"][0]["field"]) == ("entry.none_chosen", "entries")
    refused = post(
        division=1, day="2001-01-01", opens_at=clock.at.isoformat(), closes_at=clock.at.isoformat()
    )
    assert refused.status_code == 422
    Event.objects.update(timezone="Europe/Berlin")  # whose clocks would show a year that there is not
    never = post(division=1, day=day, opens_at="9999-12-31T23:59:59Z", closes_at="0001-01-01T00:00:00Z")
    assert never.status_code == 422
    assert [one["field"] for one in never.json()["faults"]] == ["opens_at", "closes_at", "closes_at"]
    assert post("mark/", code="123").json()["code"] == "check_in.no_code"
    elsewhere = an_event(
        entries=2, lengths=[5], club=tournament.event.club, director=tournament.director, name="Elsewhere"
    )
    other = post("mark/", code=entry_token(elsewhere.entry("Ann")))
    assert (other.status_code, other.json()["faults"][0]["field"]) == (422, "code")
    unknown = post("mark/", entries=[bob, "nosuchone"])
    assert (unknown.status_code, unknown.json()["faults"][0]["field"]) == (422, "entries.1")
    assert signed_in(a_user("Sam")).get(base).status_code == 404  # a draft
    assert Client().get(base).status_code in {401, 403}


def test_draw_gate_when_somebody_is_missing_then_refused_until_the_director_names_them(clock):
    tournament = an_event(entries=4, lengths=[5])
    base = f"/api/v1/events/{tournament.event.public_id}/draw-gates/"
    client = signed_in(tournament.director)

    def publish(**body):
        return described(client.post(base, body, content_type="application/json"))

    (gate,) = described(client.get(base)).json()
    assert (gate["to_publish"], gate["check_in"], gate["absent"]) == (False, None, [])
    open_check_in(actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk)
    check_in_entries(
        actor=tournament.actor, event_id=tournament.event.pk, entry_ids=[tournament.entry("Ann").pk]
    )
    tournament.draw()
    (gate,) = described(client.get(base)).json()
    assert gate["to_publish"]
    assert gate["check_in"] == tournament.event.starts_on.isoformat()
    absent = [one["id"] for one in gate["absent"]]
    assert [one["name"] for one in gate["absent"]] == ["Bob", "Cleo", "Dan"]
    refused = publish(absent=absent[:2])
    assert (refused.status_code, refused.json()["code"]) == (409, "check_in.missing")
    assert set(refused.json()["present"]["missing"]) == set(absent)
    (gate,) = publish(absent=absent).json()
    assert (gate["status"], gate["to_publish"], gate["absent"]) == ("published", False, [])
    assert (publish(stage=9).status_code, publish(stage=9).json()["faults"][0]["field"]) == (422, "stage")
