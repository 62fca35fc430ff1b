"""Whatever a program sends with a key of its own it can send again: done once, answered the same."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone

from faults import Conflict
from people.models import KeptAnswer, Player
from people.services import repeats
from people.transactions import durable
from tests.factories import a_club, a_user, an_event
from tests.support.problems import problem_of
from tests.support.tournaments import signed_in
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db
EVENT = {"name": "Weekend", "starts_on": "2026-11-20", "ends_on": "2026-11-22", "template": "weekend"}


def post(user, url, body, key=""):
    headers = {"Idempotency-Key": key} if key else {}
    return signed_in(user).post(url, body, content_type="application/json", headers=headers)


@pytest.fixture
def tournament():
    return an_event()


def entries(tournament) -> str:
    return reverse("api:entries", args=[tournament.event.public_id])


def test_entry_that_is_sent_twice_makes_nobody_twice_and_is_answered_the_same(tournament):
    people = Player.objects.count()
    body = {"players": [{"name": "Zoe Twice"}]}
    first, again = (post(tournament.director, entries(tournament), body, key="list-1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert ("Idempotent-Replayed" in first, again["Idempotent-Replayed"]) == (False, "true")
    assert Player.objects.count() == people + 1
    in_body = {"players": [{"name": "Zoe Twice", "another": True}], "submission_key": "list-2"}
    ids = {post(tournament.director, entries(tournament), in_body).json()["id"] for _ in range(2)}
    assert len(ids) == 1
    assert Entry.objects.filter(name="Zoe Twice").count() == 2


def test_new_name_that_is_sent_twice_without_a_key_is_answered_with_the_player_who_is_there(tournament):
    body = {"players": [{"name": "Zoe Twice"}]}
    made = post(tournament.director, entries(tournament), body).json()["players"][0]
    refused = post(tournament.director, entries(tournament), {"players": [{"name": "zoe  TWICE"}]})
    (fault,) = problem_of(refused)["faults"]
    assert (refused.status_code, fault["code"]) == (422, "player.name_known")
    assert (fault["field"], fault["params"]["players"]) == ("players.0.name", [made["id"]])
    assert Player.objects.filter(name="Zoe Twice").count() == 1
    another = post(
        tournament.director, entries(tournament), {"players": [{"name": "Zoe Twice", "another": True}]}
    )
    assert another.status_code == 201
    assert another.json()["players"][0]["id"] != made["id"]


def test_new_name_that_only_another_club_knows_is_not_told(tournament):
    Player.objects.create(name="Zoe Secret", listed=False, home_club=a_club())
    answer = post(tournament.director, entries(tournament), {"players": [{"name": "Zoe Secret"}]})
    assert answer.status_code == 201


def test_event_that_is_sent_twice_is_one_and_each_sender_has_keys_of_their_own():
    owners = [a_user(), a_user()]
    urls = [reverse("api:club-events", args=[a_club(owner).public_id]) for owner in owners]
    ids = [
        post(owner, url, EVENT, key="same").json()["id"]
        for owner, url in zip(owners, urls, strict=True)
        for _ in range(2)
    ]
    assert (ids[0], ids[2]) == (ids[1], ids[3])
    assert len(set(ids)) == Event.objects.filter(name="Weekend").count() == 2


def test_key_with_another_body_or_address_is_refused(tournament):
    assert (
        post(tournament.director, entries(tournament), {"players": [{"name": "Zoe"}]}, key="k").status_code
        == 201
    )
    other = post(tournament.director, entries(tournament), {"players": [{"name": "Max"}]}, key="k")
    assert (other.status_code, problem_of(other)["code"]) == (422, "request.key_used")
    assert not Player.objects.filter(name="Max").exists()
    odd = post(tournament.director, entries(tournament), {"players": [{"name": "Max"}]}, key="k" * 65)
    assert (odd.status_code, problem_of(odd)["code"]) == (422, "request.key_odd")


def test_refusal_did_nothing_so_the_key_is_free(tournament):
    refused = post(tournament.director, entries(tournament), {"players": [{"name": ""}]}, key="k")
    assert refused.status_code == 422
    assert (
        post(tournament.director, entries(tournament), {"players": [{"name": "Zoe"}]}, key="k").status_code
        == 201
    )


def test_request_under_way_is_not_begun_twice_and_one_that_died_before_it_did_anything_is():
    first = repeats.claim_key(scope="s", request_digest="x")
    with pytest.raises(Conflict, match=r"request\.key_running"):
        repeats.claim_key(scope="s", request_digest="x")
    KeptAnswer.objects.update(began_at=timezone.now() - timedelta(minutes=5))
    assert repeats.claim_key(scope="s", request_digest="x").pk == first.pk


def dies_after_it_was_done(claimed: repeats.KeyClaim) -> None:
    with repeats.mark_done_on_commit(claimed):
        durable(lambda: None)()
        raise RuntimeError


def test_request_that_died_after_it_was_done_is_never_done_again():
    claimed = repeats.claim_key(scope="s", request_digest="x")
    with pytest.raises(RuntimeError):
        dies_after_it_was_done(claimed)
    KeptAnswer.objects.update(began_at=timezone.now() - timedelta(minutes=5))
    with pytest.raises(Conflict, match=r"request\.key_done"):
        repeats.claim_key(scope="s", request_digest="x")


def test_names_in_answers_go_with_who_is_erased():
    repeats.save_response(repeats.claim_key(scope="s", request_digest="x"), status=201, body="Zoe")
    repeats.erase_response_bodies()
    assert KeptAnswer.objects.get().body == ""
    with pytest.raises(Conflict, match=r"request\.key_done"):
        repeats.claim_key(scope="s", request_digest="x")


def test_answer_with_a_secret_is_not_kept_and_its_repeat_hears_that_it_was_done():
    club = a_club(owner := a_user())
    url = reverse("api:invitations", args=[club.public_id])
    first, again = (post(owner, url, {"role": "owner"}, key="k") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 409)
    assert problem_of(again)["code"] == "request.key_done"
    assert club.invitations.count() == 1
    assert KeptAnswer.objects.get().body == ""


@pytest.mark.parametrize("header", ["x", "Link x", "Bearer x"])
def test_whoever_makes_up_a_link_claims_no_key(client, header):
    headers = {"Authorization": header, "Idempotency-Key": "k"}
    with CaptureQueriesContext(connection) as asked:
        answer = client.post(reverse("api:link-code"), content_type="application/json", headers=headers)
    assert answer.status_code in {401, 403}
    assert not [query["sql"] for query in asked if "keptanswer" in query["sql"].lower()]


def tells_a_secret(says, operation) -> bool:
    """Whether an answer holds what is told once, or by what a phone is known."""
    answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    names = [name for name in says["components"]["schemas"] if f"/{name}'" in str(answers)]
    schemas = [says["components"]["schemas"][name] for name in names]
    return any(
        re.search("(, |shown |this )once", str(schema)) or "device" in schema.get("properties", ())
        for schema in schemas
    )


def test_whatever_answers_with_a_secret_says_so(description):
    told = {
        operation["operationId"]: resolve(re.sub(r"{\w+}", "1", path)).func.cls
        for path, methods in description.says["paths"].items()
        for method, operation in methods.items()
        if method == "post" and tells_a_secret(description.says, operation)
    }
    assert set(told) >= {
        "clubs_invite",
        "clubs_offer_player",
        "link_code",
        "link_phone_let_in",
        "matches_object",
    }
    assert [name for name, view in told.items() if not getattr(view, "tells_secret", False)] == []


# A table for the ledger is long, and while one is open another one is a 409.
WITHOUT_KEY = {"ratings_import_start"}


def test_every_change_takes_a_key(description):
    asked = [
        operation
        for path in description.says["paths"].values()
        for method, operation in path.items()
        if method not in {"get", "head", "options"} and operation.get("security", [{}]) != []
    ]
    assert len(asked) > 20
    for operation in asked:
        names = [parameter["name"] for parameter in operation.get("parameters", ())]
        without = operation["operationId"] in WITHOUT_KEY
        assert names.count("Idempotency-Key") == (not without), operation["operationId"]
