"""What a phone says between two rounds, during a bye, after the last life, and in a points league."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tests.support.leagues import a_points_league
from tests.support.rounds import publish_next, where
from tests.support.tournaments import text_of
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.models import Entry, Match
from tournaments.rounds.services.requests import sit_out
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


def phone(entry: Entry) -> str:
    return text_of(Client().get(reverse("player:home", args=[entry_token(entry)])))


def test_phone_when_a_round_of_a_swiss_goes_on_or_is_over_then_it_says_what_is_waited_for():
    tournament = an_event(6, system="swiss", swiss=SwissSettings(rounds=3), lengths=[5])
    sit_out(**where(tournament), entry_id=tournament.entry("Ann").pk, points=1)
    publish_next(tournament)
    bye = Match.objects.get(result_kind="bye").slots.get(side="a").entry
    assert "You have a bye in this round." in phone(bye)
    assert "You are sitting out this round." in phone(tournament.entry("Ann"))
    first, second = tournament.playable()
    winner = tournament.entry_at(first, "a")
    tournament.settle(first, "a")
    assert "Other matches are still in progress." in phone(winner)
    tournament.settle(second, "a")
    for entry in (winner, bye, tournament.entry("Ann")):
        assert "Round 1 has finished; the next round follows soon." in phone(entry)
    assert "Current place:" in phone(winner)


def test_phone_when_the_last_life_is_lost_then_it_says_so():
    tournament = an_event(5, system="swiss", swiss=SwissSettings(lives=1, tie_breaks=()), lengths=[5])
    publish_next(tournament)
    loser = tournament.entry_at(tournament.playable()[0], "b")
    tournament.settle(tournament.playable()[0], "a")
    assert "You have no lives left." in phone(loser)


def test_phone_when_it_is_a_points_league_then_it_leads_to_the_sessions():
    league = a_points_league()
    page = phone(league.entry("Ann"))
    assert "The director records your points from each session." in page
    assert "Standings and sessions" in page
    assert "Bracket" not in page


def test_entries_when_the_cut_off_has_passed_then_nobody_is_offered_to_come_in_or_back():
    tournament = an_event(5, lengths=[5]).publish()
    where_ = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    update_division(**where_, division=DivisionDetails(reentries=1))
    tournament.settle(tournament.playable()[0], "a")
    assert {"Re-enter", "Late entry"} <= _offered(tournament)
    update_division(
        **where_, division=DivisionDetails(reentries=1, entries_until=tournament.event.created_at)
    )
    assert _offered(tournament) == set()
    assert "Entries closed on" in words(desk_of(tournament).get("entries"))


def _offered(tournament) -> set[str]:
    page = words(desk_of(tournament).get("entries"))
    return {offer for offer in ("Re-enter", "Late entry") if offer in page}
