"""A suspended account speaks by no personal link either; others of its team do."""

import pytest
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import Player
from people.services.accounts import suspend_account
from tests.factories import a_user, an_event
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


def test_personal_link_when_the_account_is_suspended_then_refused_and_told_whom_to_ask(settings):
    settings.OPERATOR_CONTACT = "ops@example.org"
    tournament = an_event(entries=2).publish()
    entry = tournament.division.entries.get(name="Ann")
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    address = reverse("player:home", args=[entry_token(entry)])
    assert Client().get(address).status_code == 200
    suspend_account(actor=Actor.program(), email=user.email, reason="insults")
    answer = Client().get(address)
    assert answer.status_code == 404
    assert "ops@example.org" in answer.content.decode()
    other = tournament.division.entries.exclude(pk=entry.pk).get()
    assert Client().get(reverse("player:home", args=[entry_token(other)])).status_code == 200
    suspend_account(actor=Actor.program(), email=user.email, lifts_suspension=True, reason="a mistake")
    assert Client().get(address).status_code == 200
