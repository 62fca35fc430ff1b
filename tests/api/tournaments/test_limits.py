"""Limits by rating, own answers and who changed what, by API."""

import pytest

from people.models import OutsideRating, Player
from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.engine.columns import CustomField
from tournaments.engine.limits import RatingLimit
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.entries.services.entries import withdraw_entry
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import DivisionDetails, set_limit, update_division

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_limit_is_set_read_enforced_and_overruled_by_api_and_a_conflict_names_who_and_when():
    tournament = an_event(entries=2, lengths=[5])
    client = signed_in(tournament.director)
    base = f"/api/v1/events/{tournament.event.public_id}/"

    def send(path, method="post", **body):
        call = getattr(client, method)
        return described(call(f"{base}{path}", body, content_type="application/json"))

    ann = tournament.entry("Ann").players.get()
    OutsideRating.objects.create(player=ann, source="USBGF", value=1620, on="2020-05-01")
    (first,) = described(client.get(f"{base}limits/")).json()["divisions"]
    assert first["limit"] is None
    limit = {"division": 1, "source": "USBGF", "most": 1500, "seen": first["seen"]}
    (now,) = send("limits/", "put", **limit).json()["divisions"]
    assert now["limit"] == {
        "source": "USBGF",
        "rating_list": None,
        "least": None,
        "most": 1500.0,
        "refuses": True,
    }
    assert described(client.get(base)).json()["divisions"][0]["limit"]["most"] == 1500
    stale = send("limits/", "put", **limit)
    (change,) = stale.json()["changes"][:1]
    assert (stale.status_code, change["who"], change["action"]) == (
        409,
        tournament.director.name,
        "division.limit",
    )
    assert change["at"]
    assert "1500" in change["what"]
    endless = send("limits/", "put", division=1, source="USBGF")
    assert (endless.status_code, endless.json()["faults"][0]["field"]) == (422, "most")
    people = {one["name"]: one for one in described(client.get(f"{base}matrix/")).json()["people"]}
    assert [people[name]["cells"][0]["fit"] for name in ("Ann", "Bob")] == ["above", "unknown"]
    zoe = Player.objects.create(name="Zoe", home_club=tournament.club)
    zoe.club_links.create(club=tournament.club)
    OutsideRating.objects.create(player=zoe, source="usbgf", value=1700, on="2026-05-01")
    entry = {"division": 1, "players": [{"id": zoe.public_id}]}
    refused = send("entries/", **entry)
    assert (refused.status_code, refused.json()["code"]) == (422, "entry.above_limit")
    assert refused.json()["faults"][0]["params"]["on"] == "2026-05-01"
    assert send("entries/", **entry, overrule="plays up").status_code == 201
    bob = tournament.entry("Bob")
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=bob.pk)
    cell = {"player": bob.players.get().public_id, "division": 1, "seen": "waiting", "wanted": "in"}
    stale = send("matrix/", cells=[cell]).json()
    assert stale["present"]["cells"][0]["by"] == tournament.director.name
    assert [one["action"] for one in stale["changes"]] == ["entry.withdraw"]
    approved = send(f"entries/{bob.public_id}/approve/").json()
    assert approved["changes"][0]["action"] == "entry.withdraw"
    stranger = signed_in(a_user("Sam")).put(f"{base}limits/", limit, content_type="application/json")
    assert "changes" not in stranger.json()


def test_limit_of_a_new_division_is_sent_as_it_is_told():
    tournament = an_event(2)
    stages = [{"lengths": [5]}]
    body = {"name": "Cup", "starts_on": "2026-12-01", "ends_on": "2026-12-01"}
    address = f"/api/v1/clubs/{tournament.club.public_id}/events/"
    limit = {"source": "USBGF", "least": None, "most": 1500.0, "refuses": False}

    def create(**division):
        sent = {**body, "divisions": [{"stages": stages, **division}]}
        return described(signed_in(tournament.director).post(address, sent, content_type="application/json"))

    told = create(limit=limit).json()["divisions"][0]["limit"]
    assert told == {**limit, "rating_list": None}
    again = create(limit=told)
    assert (again.status_code, again.json()["divisions"][0]["limit"]) == (201, told)
    assert create(limit=None).json()["divisions"][0]["limit"] is None
    turned = create(limit={"source": "USBGF", "least": 9, "most": 5}).json()
    assert turned["faults"][0]["field"] == "divisions.0.limit.most"
    assert (
        create(limit={"source": "USBGF", "most": "x"}).json()["faults"][0]["field"]
        == "divisions.0.limit.most"
    )


def test_who_buys_back_by_api_is_asked_as_who_enters():
    tournament = an_event(2, lengths=[3], bracket=BracketSettings(open_lines=2))
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    update_division(**where, division=DivisionDetails(reentries=1))
    (match,) = tournament.publish().playable()
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    set_limit(**where, limit=RatingLimit("USBGF", most=1500))
    OutsideRating.objects.create(player=loser.players.get(), source="USBGF", value=1620, on="2026-05-01")
    client = signed_in(tournament.director)
    address = f"/api/v1/events/{tournament.event.public_id}/entries/{loser.public_id}/buy-back/"
    refused = described(client.post(address, content_type="application/json")).json()
    assert (refused["code"], refused["faults"][0]["field"]) == ("entry.above_limit", "overrule")
    made = described(client.post(address, {"overrule": "plays up"}, content_type="application/json"))
    assert (made.status_code, made.json()["name"]) == (201, f"{loser.name} (2)")


def test_answers_of_a_player_by_api():
    tournament = an_event(entries=2, lengths=[5])
    (lunch,) = set_custom_fields(
        actor=tournament.actor, event_id=tournament.event.pk, columns=[CustomField("Lunch", asked=True)]
    )
    entry = tournament.entry("Ann")
    Player.objects.filter(entries=entry).update(user=a_user("Ann"))
    client = signed_in(Player.objects.get(entries=entry).user)
    address = f"/api/v1/events/{tournament.event.public_id}/entries/{entry.public_id}/answers/"
    found = described(client.get(address)).json()
    assert (found["open"], found["answers"][0]["value"]) == (True, "")

    def post(**body):
        return described(client.post(address, body, content_type="application/json"))

    blind = post(answers=[{"column": lunch.pk, "value": "soup"}])
    assert (blind.status_code, blind.json()["faults"][0]["field"]) == (400, "seen")
    nothing = post(answers=[{"column": lunch.pk + 1, "value": "soup"}], seen=found["version"])
    assert (nothing.status_code, nothing.json()["faults"][0]["field"]) == (422, "answers.0.column")
    said = post(answers=[{"column": lunch.pk, "value": "soup"}], seen=found["version"])
    assert said.json()["answers"][0]["value"] == "soup"
    stale = post(answers=[{"column": lunch.pk, "value": "none"}], seen=found["version"])
    assert (stale.status_code, stale.json()["code"]) == (409, "entry.answers_changed")
    assert "changes" not in stale.json()  # who sits at the desk is not theirs to know
    assert signed_in(a_user("Sam")).get(address).status_code == 404
