"""An operator suspends an account (M3): told before, at once, kept in the trail, taken back."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from faults import NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Membership, User
from people.services.clubs import update_club
from tests.factories import a_club, a_director, a_user
from tests.support.director import signed_in

pytestmark = pytest.mark.django_db


def says(*arguments: str) -> str:
    out = StringIO()
    call_command("suspend", *arguments, stdout=out)
    return out.getvalue()


def is_in(client: Client) -> bool:
    return client.get(reverse("director:home")).status_code == 200


def test_suspend_when_only_looked_at_then_tells_what_it_concerns_and_does_nothing():
    owner = a_user("Olga Owner")
    shared, alone = a_club(owner, "Shared"), a_club(owner, "Alone")
    Membership.objects.create(user=a_user(), club=shared, role="owner")

    said = says(owner.email.upper())

    assert f"Roles that it keeps: {alone.name}, {shared.name}." in said
    assert "Clubs without another owner: Alone." in said
    assert "Nothing was changed" in said
    assert User.objects.get(pk=owner.pk).is_active
    assert not AuditEntry.objects.filter(action="account.suspend").exists()


def test_suspend_when_done_then_signed_out_and_refused_everywhere_until_it_is_lifted():
    club = a_club()
    user = a_director(club, "Dora")
    Membership.objects.filter(user=user).update(role="owner")
    there = signed_in(user)
    assert is_in(there)

    says(user.email, "--reason", "invented results", "--yes")

    assert not is_in(there)
    with pytest.raises(NotAllowed):
        update_club(actor=Actor.of(User.objects.get(pk=user.pk)), club_id=club.pk, name="Stolen")
    new = Client()
    new.post(reverse("account_login"), {"login": user.email, "password": "a-long-password"})
    assert not is_in(new)
    assert AuditEntry.objects.get(action="account.suspend").data == {
        "kind": "account",
        "reason": "invented results",
    }
    with pytest.raises(CommandError, match="already suspended"):
        says(user.email, "--reason", "again", "--yes")

    says(user.email, "--lift", "--reason", "a mistake", "--yes")

    assert not is_in(there)  # the session from before stays ended
    new.post(reverse("account_login"), {"login": user.email, "password": "a-long-password"})
    assert is_in(new)
    assert Membership.objects.get(user=user).role == "owner"
    with pytest.raises(CommandError, match="not suspended"):
        says(user.email, "--lift", "--reason", "a mistake", "--yes")


def test_suspend_when_nobody_has_the_address_then_says_so():
    with pytest.raises(CommandError, match="No account uses this address"):
        says("nobody@example.org", "--yes")
