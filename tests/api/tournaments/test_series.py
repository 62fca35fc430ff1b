"""Series and templates by the API."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.factories import an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.tournaments import first_match, signed_in

pytestmark = pytest.mark.django_db


def post(client, name, /, *args, **body):
    return described(client.post(reverse(f"api:{name}", args=args), body, content_type="application/json"))


def put(client, name, /, *args, **body):
    return described(client.put(reverse(f"api:{name}", args=args), body, content_type="application/json"))


def test_series_when_made_and_played_then_told_with_its_table_and_its_rule_can_be_another():
    night = an_event(entries=2, lengths=[3])
    client, club = signed_in(night.director), night.club.public_id
    days = [str(night.event.starts_on + timedelta(days=more)) for more in (7, 14)]
    made = post(client, "club-series", club, event=night.event.public_id, days=days, name="Tuesdays").json()
    assert (made["series"]["name"], len(made["events"])) == ("Tuesdays", 2)
    refused = post(client, "club-series", club, event=night.event.public_id, days=days)
    assert [fault["code"] for fault in problem_of(refused)["faults"]] == ["again.there_already"] * 2
    for name, where, body in (
        ("club-series", club, {"event": night.event.public_id, "days": ["9999-12-31"]}),
        ("copy-event", night.event.public_id, {"starts_on": "9999-12-31"}),
    ):
        never = post(client, name, where, **body)
        assert (never.status_code, never.json()["code"]) == (422, "event.day_odd")
    nothing = post(client, "club-series", club, days=days, name="Of nothing")
    assert (nothing.status_code, nothing.json()["faults"][0]["field"]) == (422, "event")
    night.publish()
    night.settle(first_match(night), "a", 1)
    address = reverse("api:series", args=[made["series"]["id"]])
    told = described(client.get(address)).json()
    assert [(row["rank"], row["points"]) for row in told["table"]] == [(1, 10.0), (2, 8.0)]
    assert (len(told["days"]), told["days"][0]["winners"]) == (1, [told["table"][0]["player"]["name"]])
    before, series = told["version"], made["series"]["id"]
    told = put(client, "series", series, name="Cup", rule={"points": [3, 1], "rest": 0}, seen=before).json()
    assert [row["points"] for row in told["table"]] == [3.0, 1.0]
    refused = problem_of(put(client, "series", series, name="Cup", rule={"points": [1, 3]}))
    assert [(one["code"], one["field"]) for one in refused["faults"]] == [
        ("series.points_rise", "rule.points")
    ]
    assert put(client, "series", series, name="Mine", rule=told["rule"], seen=before).status_code == 409
    again = put(client, "series", series, name="Cup", rule=told["rule"], seen=told["version"])
    assert again.json()["version"] == told["version"]
    assert described(client.get(reverse("api:club-series", args=[club]))).json()[0]["name"] == "Cup"
    assert post(client, "event-series", night.event.public_id, series=None).json()["series"] is None


def test_template_when_saved_then_offered_used_and_put_aside():
    night = an_event(lengths=[7])
    client, club = signed_in(night.director), night.club.public_id
    saved = post(client, "club-templates", club, event=night.event.public_id, name="Ours").json()
    made = post(client, "use-template", club, saved["id"], starts_on=str(night.event.starts_on)).json()
    assert (made["name"], made["divisions"][0]["stages"][0]["lengths"]) == ("Ours", [7])
    aside = put(client, "club-template", club, saved["id"], name="Ours", archived=True, seen=1).json()
    assert (aside["archived"], aside["version"]) == (True, 2)
    refused = put(client, "club-template", club, saved["id"], name="Mine", seen=1)
    assert refused.status_code == 409
