"""Corrections by API: preview, choice of the repair, apply, take back; machine codes for everything refused."""

import pytest

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.models import Match

pytestmark = pytest.mark.django_db

OTHER = {"score_a": 3, "score_b": 7}


@pytest.fixture
def tournament():
    tournament = an_event(entries=4, lengths=[7]).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    tournament.settle(tournament.playable()[0], "a")
    return tournament


@pytest.fixture
def post(tournament):
    client = signed_in(tournament.director)

    def send(address, body, user=None):
        browser = client if user is None else signed_in(user)
        return described(browser.post(f"/api/v1/{address}/", body, content_type="application/json"))

    return send


def first():
    return Match.objects.get(number=1)


def test_correction_is_previewed_chosen_made_and_taken_back(tournament, post):
    address = f"matches/{first().public_id}/correct"
    preview = post(f"{address}/preview", OTHER).json()
    assert [repair["repair"] for repair in preview["repairs"]] == ["void", "keep"]
    void = preview["repairs"][0]
    names = [tournament.entry_at(first(), side).name for side in "ab"]
    assert void["moves"] == [
        {"match": 3, "side": "a", "before": names[0], "after": names[1], "vacant": False}
    ]
    assert void["voided"] == [{"match": 3, "status": "ready"}]
    body = {**OTHER, "submission_key": "api", "seen": preview["seen"]}
    for unseen in ({"seen": ""}, {"seen": None}):
        assert post(address, {**body, "repair": "void", **unseen}).status_code in {400, 422}
    refused = post(address, body)
    assert (refused.status_code, refused.json()["code"]) == (409, "correction.choose_repair")
    assert refused.json()["present"]["repairs"] == ["void", "keep"]
    done = post(address, {**body, "repair": "void", "seen": preview["seen"]})
    assert (done.status_code, done.json()["repair"]) == (201, "void")
    assert Match.objects.get(number=3).status == "ready"
    undone = post(f"events/{tournament.event.public_id}/undo", {"undo": done.json()["undo"]})
    assert undone.status_code == 200
    assert Match.objects.get(number=3).status == "confirmed"
    again = post(f"events/{tournament.event.public_id}/undo", {"undo": done.json()["undo"]})
    assert (again.status_code, again.json()["code"]) == (409, "repair.undone_already")


def test_correction_with_an_old_preview_or_an_impossible_score_is_refused_with_its_code(post):
    address = f"matches/{first().public_id}/correct"
    body = {**OTHER, "submission_key": "api", "repair": "void"}
    old = post(address, {**body, "seen": "0123456789abcdef"})
    assert (old.status_code, old.json()["code"]) == (409, "correction.changed_meanwhile")
    odd = post(f"{address}/preview", {"score_a": 7, "score_b": 7})
    assert (odd.status_code, odd.json()["code"]) == (422, "score.both_at_length")
    assert post(address, OTHER).status_code in {400, 422}


def test_correction_by_a_stranger_is_not_allowed(post):
    stranger = a_user()
    address = f"matches/{first().public_id}/correct"
    assert post(f"{address}/preview", OTHER, user=stranger).status_code == 403
    assert post(address, {**OTHER, "submission_key": "api"}, user=stranger).status_code == 403
    assert first().winner_side == "a"
