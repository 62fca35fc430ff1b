"""Whose account is which player, and invitations, by API: the same doors as the pages."""

import pytest
from django.urls import reverse

from people.models import Membership, Player
from tests.factories import a_club, a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in

pytestmark = pytest.mark.django_db


def post(client, name, *args, **body):
    answer = client.post(reverse(f"api:{name}", args=args), body, content_type="application/json")
    return described(answer)


def test_claim_is_offered_taken_and_taken_back():
    tournament = an_event(2)
    ann, club = tournament.entry("Ann").players.get(), tournament.club.public_id
    director, phone = signed_in(tournament.director), signed_in(a_user("Ann"))
    offered = post(director, "offer-player", club, ann.public_id)
    assert offered.status_code == 201
    token = offered.json()["url"].rstrip("/").rpartition("/")[2]
    assert post(phone, "take-player", token=token).json() == {"player": ann.public_id, "name": "Ann"}
    assert post(signed_in(a_user("Eve")), "take-player", token=token).status_code == 404
    assert post(director, "release-player", club, ann.public_id).status_code == 200
    assert Player.objects.get(pk=ann.pk).user is None
    assert post(director, "release-player", club, ann.public_id).status_code == 409


def test_invitation_is_made_accepted_withdrawn_and_declined():
    tournament = an_event(2)
    club, owner = tournament.club.public_id, signed_in(tournament.club.memberships.get(role="owner").user)
    user = a_user("Rita")

    def made():
        answer = post(owner, "invitations", club, role="reader")
        return answer.json(), answer.json()["url"].rstrip("/").rpartition("/")[2]

    _first, token = made()
    assert post(signed_in(user), "accept-invitation", token=token).json()["role"] == "reader"
    assert Membership.objects.filter(user=user, club=tournament.club, role="reader").exists()
    assert post(signed_in(user), "accept-invitation", token=token).status_code == 404
    second, token = made()
    assert post(owner, "withdraw-invitation", club, second["id"]).json() == []
    assert post(signed_in(user), "decline-invitation", token=token).status_code == 404
    _third, token = made()
    assert post(signed_in(user), "decline-invitation", token=token).status_code == 200
    assert post(owner, "invitations", club, role="king").status_code in {400, 422}


def test_club_joins_a_federation_and_leaves_it():
    club, federation = a_club(owner := a_user("Olga")), a_club(owner, "Federation")
    client = signed_in(owner)
    joined = post(client, "federations", club.public_id, federation=federation.public_id, since="2026-03-01")
    assert joined.status_code == 201
    (spell,) = joined.json()["federations"]
    assert (spell["federation"]["name"], spell["since"], spell["until"]) == ("Federation", "2026-03-01", None)
    ahead = post(client, "leave-federation", club.public_id, until="2199-01-01")
    assert (ahead.status_code, ahead.json()["code"]) == (422, "club.day_ahead")
    left = post(client, "leave-federation", club.public_id, until="2026-06-01").json()["federations"]
    assert [one["until"] for one in left] == ["2026-06-01"]
    members = signed_in(owner).get(reverse("api:federations", args=[federation.public_id])).json()["members"]
    assert members == left
