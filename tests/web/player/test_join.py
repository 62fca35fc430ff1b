"""Entering by the registration link: one name, no account, nobody twice."""

import re
from uuid import NAMESPACE_URL, uuid5

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.factories import a_user, an_event
from tests.support.tournaments import signed_in, text_of
from tournaments.entries.services.entries import withdraw_entry
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Entry
from tournaments.selectors.access.links import entry_token, join_token

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


@pytest.fixture
def night():
    night = an_event()
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=True)
    night.fresh()
    return night


class Guest:
    def __init__(self, night, client=None):
        self.url = reverse("player:join", args=[join_token(night.event)])
        self.client = client or Client()

    def types(self, name, key="k1", **more):
        data = {"name": name, "submission_key": str(uuid5(NAMESPACE_URL, key)), "hall": "yes", **more}
        return self.client.post(self.url, data, follow=True)

    def page(self):
        return self.client.get(self.url)


def test_new_name_is_in_at_once_and_lands_on_the_personal_page(night):
    response = Guest(night).types("Zoe Zimmer")
    entry = Entry.objects.get()
    assert response.redirect_chain[-1][0] == reverse("player:home", args=[entry_token(entry)])
    assert "Keep this page" in text_of(response)
    assert (entry.name, entry.source) == ("Zoe Zimmer", "self")
    assert "You are entered" in text_of(response)


def test_known_name_is_asked_whether_it_is_them(night):
    an_event(club=night.club, entries=2)
    response = Guest(night).types("ann")
    text = text_of(response)
    assert "Is this you?" in text
    assert night.club.name in text
    assert not Entry.objects.filter(division=night.division).exists()


def test_known_player_who_says_yes_is_not_made_twice(night):
    an_event(club=night.club, entries=2)
    ann = Player.objects.get(name="Ann")
    Guest(night).types("ann", player=ann.public_id)
    assert night.entry("Ann").players.get() == ann
    assert Player.objects.filter(name__iexact="ann").count() == 1


def test_namesake_who_is_new_is_a_player_of_their_own(night):
    an_event(club=night.club, entries=2)
    Guest(night).types("Ann", player="new")
    assert Player.objects.filter(name="Ann").count() == 2


def test_somebody_who_is_entered_already_is_sent_to_the_director(night):
    Guest(night).types("Zoe Zimmer")
    again = Guest(night).types("zimmer zoe", key="k2")
    assert "Already entered" in text_of(again)
    refused = Guest(night).types("Zoe Zimmer", key="k3", player="new")
    assert refused.status_code == 422
    assert "something that tells you apart" in text_of(refused)
    Player.objects.update(listed=True)
    taken = Guest(night).types("Zoe", key="k4", player=Player.objects.get().public_id)
    assert taken.status_code == 422
    assert "already entered" in text_of(taken)
    assert Entry.objects.count() == 1


def test_somebody_who_withdrew_cannot_come_back_under_the_same_name_by_themselves(night):
    Guest(night).types("Zoe Zimmer")
    withdraw_entry(actor=night.actor, event_id=night.event.pk, entry_id=Entry.objects.get().pk)
    assert Guest(night).types("Zoe Zimmer", key="k2", player="new").status_code == 422


def test_same_form_sent_twice_is_one_entry(night):
    guest = Guest(night)
    first = guest.types("Zoe Zimmer", key="same")
    again = guest.types("Zoe Zimmer", key="same")
    assert first.redirect_chain[-1] == again.redirect_chain[-1]
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("key", ["", "1", "x" * 64])
def test_form_without_a_key_of_ours_never_leads_to_somebody_else_s_page(night, key):
    Guest(night).types("Zoe Zimmer", submission_key=key)
    other = Guest(night).types("Yan Young", submission_key=key)
    assert other.redirect_chain[-1][0] == reverse("player:home", args=[entry_token(night.entry("Yan Young"))])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Give the player a name"),
        ("   ", "Give the player a name"),
        ("…!", "at least one letter"),
        ("x" * 121, "120 characters at most"),
    ],
)
def test_name_that_is_none_is_refused_beside_the_field(night, name, reason):
    response = Guest(night).types(name)
    assert response.status_code == 422
    assert reason in response.content.decode().split('for="id_name"')[1].split("<input")[0]
    assert not Entry.objects.exists()


def test_odd_bytes_are_no_reason_to_break(night):
    odd = "a b\0\n" * 99
    assert Guest(night).types("Zoe\0 Zimmer", submission_key=odd, player="\0").status_code == 422
    assert Guest(night).types("Zoe\0 Zimmer", submission_key=odd).status_code == 200
    assert Entry.objects.get().name == "Zoe Zimmer"


def test_somebody_signed_in_with_a_player_enters_with_one_tap(night):
    an_event(club=night.club, entries=1)
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    guest = Guest(night, signed_in(user))
    assert "Enter as Ann" in text_of(guest.page())
    guest.types("", player="me")
    assert night.entry("Ann").players.get().user == user
    assert "You are entered" in text_of(guest.page())


def test_nobody_enters_as_me_without_an_account(night):
    assert Guest(night).types("", player="me").status_code == 422
    assert not Entry.objects.exists()


def test_registration_that_is_closed_says_so(night):
    guest = Guest(night)
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=False)
    assert "Registration is closed" in text_of(guest.page())
    assert guest.types("Zoe Zimmer").status_code == 409
    assert not Entry.objects.exists()


def test_link_that_was_renewed_is_gone(night):
    guest = Guest(night)
    renew_registration_link(actor=night.actor, event_id=night.event.pk)
    response = guest.page()
    assert response.status_code == 404
    assert "Ask the director for a new one" in text_of(response)


def test_tries_are_counted_for_each_address(night, clock):
    guest = Guest(night)
    for _try in range(60):
        assert guest.types("").status_code == 422
    blocked = guest.types("Zoe Zimmer")
    assert blocked.status_code == 429
    assert "wait ten minutes" in text_of(blocked)
    assert not Entry.objects.exists()
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert Guest(night, elsewhere).types("Zoe Zimmer").status_code == 200
    assert Entry.objects.count() == 1
    clock.moves(minutes=10)
    assert guest.types("", key="k2").status_code == 422


@pytest.mark.usefixtures("clock")
def test_address_that_a_visitor_makes_up_does_not_help(night):
    guest = Guest(night, Client(headers={"X-Forwarded-For": "198.51.100.1"}))
    for number in range(60):
        guest.client.defaults["HTTP_X_FORWARDED_FOR"] = f"198.51.100.{number}"
        guest.types("")
    assert guest.types("Zoe Zimmer").status_code == 429


def test_other_sites_cannot_enter_somebody_who_is_signed_in(night):
    an_event(club=night.club, entries=1)
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert Guest(night, strict).types("", player="me").status_code == 403
    assert not Entry.objects.filter(division=night.division).exists()


def test_page_shows_no_address_and_no_database_id(night):
    an_event(club=night.club, entries=2)
    html = Guest(night).types("ann").content.decode()
    assert "@" not in re.sub(r"<script.*?</script>", "", html)
    assert Player.objects.get(name="Ann").public_id in html
    assert f'value="{Player.objects.get(name="Ann").pk}"' not in html
