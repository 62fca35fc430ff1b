"""People by divisions by API: read, changed at once, refused by name of the cell, taken back."""

import pytest
from django.urls import reverse

from people.models import Assistance
from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.models import Entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_matrix_when_changed_and_taken_back_then_each_answer_shows_how_it_stands(clock):
    tournament = an_event(entries=4, lengths=[5])
    base = f"/api/v1/events/{tournament.event.public_id}/matrix/"
    client = signed_in(tournament.director)

    def post(path="", **body):
        return described(client.post(f"{base}{path}", body, content_type="application/json"))

    ann, bob = (tournament.entry(name).players.get().public_id for name in ("Ann", "Bob"))
    found = described(client.get(base)).json()
    assert [person["name"] for person in found["people"]] == ["Ann", "Bob", "Cleo", "Dan"]
    assert found["divisions"][0] | {"name": ""} == {
        "number": 1, "name": "", "have": 4, "room": None, "waiting": 0, "open": True, "free_lines": None, "check_in": False,
    }  # fmt: skip
    saved = post(
        cells=[{"player": ann, "division": 1, "seen": "in", "wanted": "out"}],
        paid=[{"player": bob, "seen": "no", "wanted": True}],
        notes=[{"player": bob, "seen": "", "wanted": "by card"}],
        new=[{"name": "Zoe", "divisions": [1]}],
    ).json()
    people = {person["name"]: person for person in saved["people"]}
    assert people["Ann"]["cells"][0]["state"] == "left"
    assert (people["Bob"]["paid"], people["Bob"]["note"]) == ("yes", "by card")
    assert people["Zoe"]["cells"][0]["state"] == "in"
    stale = post(paid=[{"player": bob, "seen": "part", "wanted": False}])
    assert (stale.status_code, stale.json()["code"]) == (409, "matrix.stale")
    assert stale.json()["present"]["cells"] == [
        {"field": "paid.0", "player": bob, "name": "Bob", "division": None, "column": None}
        | {key: stale.json()["present"]["cells"][0][key] for key in ("now", "by", "at")}
    ]
    assert stale.json()["present"]["cells"][0]["now"] == "yes"
    moved = post(cells=[{"player": bob, "division": 1, "seen": "out", "wanted": "out"}])
    assert (
        moved.json()["present"]["cells"][0]["field"],
        moved.json()["present"]["cells"][0]["division"],
    ) == ("cells.0", 1)
    refused = post(new=[{"name": "Zoe", "divisions": [1]}])
    assert refused.status_code == 422
    assert refused.json()["faults"][0]["field"] == "new.0.name"
    assert post(here=[{"player": bob, "seen": "none", "wanted": True}]).json()["code"] == "matrix.no_check_in"
    nowhere = post(cells=[{"player": ann, "division": 9, "seen": "in", "wanted": "out"}])
    assert (nowhere.status_code, nowhere.json()["faults"][0]["field"]) == (422, "cells.0.division")
    back = post("undo/", last_save=saved["last_save"]).json()
    people = {person["name"]: person for person in back["people"]}
    assert people["Ann"]["cells"][0]["state"] == "in"
    assert people["Zoe"]["cells"][0]["state"] == "left"
    assert people["Bob"]["paid"] == "no"
    assert back["last_save"] is None
    assert post("undo/", last_save=saved["last_save"]).json()["code"] == "matrix.back_already"
    assert Entry.objects.filter(name="Zoe").count() == 1
    assert signed_in(a_user("Sam")).get(base).status_code == 404  # a draft


def test_columns_are_set_against_what_was_read_and_helpers_read_a_draft_as_its_pages_do():
    tournament = an_event(entries=2, lengths=[5])
    base = f"/api/v1/events/{tournament.event.public_id}/"
    client = signed_in(tournament.director)

    def write(**body):
        return described(client.put(f"{base}matrix/columns/", body, content_type="application/json"))

    seen = described(client.get(f"{base}matrix/")).json()["columns_version"]
    lunch = {"name": "Lunch", "asked": True}
    blind = write(columns=[lunch])
    assert (blind.status_code, blind.json()["faults"][0]["field"]) == (400, "seen")
    done = write(columns=[lunch], seen=seen).json()
    assert [one["name"] for one in done["columns"]] == ["Lunch"]
    twice = write(columns=[lunch, lunch], seen=done["columns_version"])
    assert (twice.status_code, twice.json()["faults"][0]["field"]) == (422, "columns.1.name")
    never = write(columns=[lunch], seen=done["columns_version"], until="9999-12-31T23:59:59Z")
    assert (never.status_code, never.json()["faults"][0]["field"]) == (422, "until")
    gone = write(columns=[{**lunch, "id": 987654}], seen=done["columns_version"])
    assert (gone.status_code, gone.json()["code"], gone.json()["faults"][0]["field"]) == (
        422,
        "column.unknown",
        "columns",
    )
    stale = write(columns=[], seen=seen)
    assert (stale.status_code, stale.json()["changes"][0]["action"]) == (409, "event.columns")
    assert write(columns=[], seen=done["columns_version"]).json()["columns"] == []

    helper = a_user("Hugo Helper")
    Assistance.objects.create(user=helper, club=tournament.club, scope=f"event:{tournament.event.pk}")
    theirs = signed_in(helper)
    matrix = described(theirs.get(f"{base}matrix/"))
    assert (matrix.status_code, matrix.json()["columns_version"]) == (200, "")
    for path in ("expected/", "check-in/", "desk-notes/"):
        assert described(theirs.get(f"{base}{path}")).status_code == 200, path
    assert theirs.get(reverse("director:matrix", args=[tournament.event.public_id])).status_code == 200
    assert theirs.get(reverse("director:event", args=[tournament.event.public_id])).status_code == 403
