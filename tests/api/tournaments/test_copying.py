"""An event once more by the API."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.factories import an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.tournaments import signed_in

pytestmark = pytest.mark.django_db


def test_event_when_copied_then_a_draft_with_its_people_expected_and_not_twice():
    tournament = an_event(entries=2, lengths=[7])
    client = signed_in(tournament.director)
    url = reverse("api:copy-event", args=[tournament.event.public_id])
    body = {
        "starts_on": str(tournament.event.starts_on + timedelta(days=7)),
        "people": True,
        "divisions": [1],
    }
    made = described(client.post(url, body, content_type="application/json"))
    assert made.status_code == 201, made.json()
    told = made.json()
    assert (told["expected"], told["left_out"], told["status"], told["entries"]) == (2, 0, "draft", 0)
    assert told["divisions"][0]["stages"][0]["lengths"] == [7]
    refused = client.post(url, body, content_type="application/json")
    assert problem_of(refused)["code"] == "again.there_already"
    refused = client.post(url, {**body, "divisions": [2]}, content_type="application/json")
    assert refused.status_code == 422
