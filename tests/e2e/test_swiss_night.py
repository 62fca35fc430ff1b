"""A Swiss night in real browsers: three rounds, somebody comes late, somebody goes home, the table follows by itself."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director, Phone, Spectator
from tests.factories import a_club, a_user
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models import Event, Match, MatchSlot, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Ann Ace", "Bob Bar", "Cleo Cube", "Dan Double", "Eva Edge")


def playable(event):
    return list(
        Match.objects.filter(stage__division__event=event, status=MatchStatus.READY).order_by("number")
    )


def in_round(event, number):
    slots = MatchSlot.objects.filter(match__round__number=number, match__stage__division__event=event)
    return set(slots.exclude(entry=None).values_list("entry__name", flat=True))


@ONLY_IN_FULL
def test_a_swiss_night_with_a_late_entry_and_a_drop_out(house):
    user = a_user("Sven Swiss")
    a_club(user, "Round Club")
    director = Director(house, "Sven").signs_in(user)
    director.goes_to(reverse("director:home")).follows("Create an event").follows("Knockout")

    # What belongs to a Swiss shows when a Swiss is chosen.
    rounds = director.page.locator("[name=rounds]")
    expect(rounds).to_be_hidden()
    director.page.locator("[name=system]").select_option("swiss")
    expect(rounds).to_be_visible()
    today = str(timezone.now().date())
    director.fills(name="Swiss Night", starts_on=today, ends_on=today, lengths="3", rounds=3)
    director.fills(timezone="Europe/Helsinki").sends("Create event").reads("Swiss Night")
    director.event = event = Event.objects.get(name="Swiss Night")
    director.pastes(*NAMES).reads("5 entries")

    # Round 1: looked at, paired again, published.
    director.opens("draw").sends("Pair round 1").reads("Round 1, not published yet")
    first_seed = director.page.locator(".seed-number").inner_text()
    director.sends("Pair again")
    assert director.page.locator(".seed-number").inner_text() != first_seed
    Spectator(house, "Vera").may_see(404).goes_to(reverse("public:event", args=[event.public_id]))
    director.sends("Publish round 1")
    watching = Spectator(house, "Walt").watches(event, "bracket")
    phone_watching = Spectator(house, "Wilma", phone=True).watches(event)
    watching.sees("Standings, 1 round paired")
    expect(watching.page.locator(".pairing")).to_have_count(3)
    first, second = playable(event)
    director.records(first, 3, 1)

    # Two players need no director.
    winner = Phone(house, "", MatchSlot.objects.get(match=second, side="a").entry).opens()
    loser = Phone(house, "", MatchSlot.objects.get(match=second, side="b").entry).opens()
    winner.reports("I won", 3, 2).reads("Sent.")
    loser.agrees().reads("The result is confirmed.").reads("No match to play right now")
    director.opens("event").reads("Pair the next round").follows("Go to rounds")

    # Somebody comes late, somebody goes home.
    director.opens("entries").reads("join in the next round")
    director.fills(name="Zoe Late").sends("Add").reads("Zoe Late is entered.")
    gone = loser.entry.name
    row = director.page.get_by_role("row", name=gone)
    with director.page.expect_navigation():
        row.get_by_role("button", name="Withdraw").click()
    director.reads(f"{gone} is withdrawn.")
    director.opens("draw").sends("Pair round 2").reads("Round 2, not published yet")
    director.sends("Publish round 2")
    assert "Zoe Late" in in_round(event, 2)
    assert gone not in in_round(event, 2)
    loser.opens().reads("You have withdrawn from this event")
    watching.sees("Standings, 2 rounds paired")
    watching.sees("Zoe Late")
    for match in playable(event):
        director.records(match, 3, 0)

    # Round 3 ends it.
    director.opens("draw").sends("Pair round 3").sends("Publish round 3")
    for match in playable(event):
        director.records(match, 3, 0)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    assert Round.objects.filter(stage__division__event=event).count() == 3
    watching.sees("Final standings")
    phone_watching.sees("Final standings")
    assert watching.visitor.never_reloaded()
    assert phone_watching.visitor.never_reloaded()
    assert not phone_watching.visitor.scrolls_sideways()
    director.opens("draw").follows("Check pairings").reads("Nothing found")
