"""Entering an event of several divisions by the registration link: what to play, and with whom."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.factories import an_event
from tests.support.tournaments import lets_new_names_in, text_of
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Entry
from tournaments.selectors.access.links import entry_token, join_token, receipt_token

pytestmark = pytest.mark.django_db
KEY = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


@pytest.fixture
def tournament():
    tournament = an_event()
    for name, size, first in (("Jackpot", 1, "Open"), ("Doubles", 2, "")):
        add_division(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division=DivisionDetails(name=name, team_size=size, stages=[StageDetails(lengths=[3])]),
            first_name=first,
        )
    lets_new_names_in(tournament)
    tournament.fresh()
    return tournament


def joins(tournament, **fields):
    url = reverse("player:join", args=[join_token(tournament.event)])
    return Client().post(url, {"submission_key": KEY, "hall": "yes", **fields}, follow=True)


def test_form_when_sent_again_with_another_division_ticked_then_asked_and_not_dropped(tournament):
    joins(tournament, name="Zoe Zimmer", division="2")
    asked = joins(tournament, name="Zoe Zimmer", division=["1", "2"])
    assert asked.status_code == 409
    assert "already sent: Zoe Zimmer (Jackpot)" in text_of(asked)
    assert joins(tournament, name="Zoe Zimmer", division="2").redirect_chain
    assert Entry.objects.count() == 1


def test_page_when_there_are_several_then_it_asks_what_to_play(tournament):
    page = Client().get(reverse("player:join", args=[join_token(tournament.event)]))
    for name in ("Open", "Jackpot", "Doubles", "Team player 2"):
        assert name in text_of(page)
    none = joins(tournament, name="Zoe Zimmer")
    assert none.status_code == 422
    assert "Choose what you want to play" in text_of(none)
    assert not Entry.objects.exists()


def test_one_when_ticked_then_straight_to_the_personal_page(tournament):
    answer = joins(tournament, name="Zoe Zimmer", division="2")
    entry = Entry.objects.get()
    assert entry.division.name == "Jackpot"
    assert answer.redirect_chain[-1][0] == reverse("player:home", args=[entry_token(entry)])


def test_two_when_ticked_then_a_link_for_each_and_the_same_form_twice_enters_once(tournament):
    sent = {"name": "Zoe Zimmer", "division": ["1", "3"], "partner-3-2": "Yan Yo"}
    for _again in range(2):
        page = joins(tournament, **sent)
        for entry in Entry.objects.all():
            assert reverse("player:registered", args=[receipt_token(entry)]) in page.content.decode()
    assert {entry.name for entry in Entry.objects.all()} == {"Zoe Zimmer", "Zoe Zimmer & Yan Yo"}
    assert Player.objects.filter(name="Zoe Zimmer").count() == 1


def test_team_when_the_partner_has_no_name_then_told_there_and_nobody_is_entered(tournament):
    page = joins(tournament, name="Zoe Zimmer", division="3")
    assert page.status_code == 422
    assert "Enter the player’s name" in text_of(page)
    assert not Entry.objects.exists()


def test_division_when_it_is_drawn_or_unknown_then_refused(tournament):
    assert joins(tournament, name="Zoe Zimmer", division="9").status_code == 422
    assert not Entry.objects.exists()
