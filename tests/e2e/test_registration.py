"""Somebody enters by the link as the number one of the list: nothing is theirs before the desk has said that it is them."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Director
from tests.e2e.readers import violations
from tests.factories import a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.events.services.events import set_registration
from tournaments.models import Division, Entry
from tournaments.selectors.access.links import entry_token, join_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


@ONLY_IN_FULL
def test_stranger_who_enters_as_the_number_one_gets_nothing_before_approval(house):
    known = an_event(4, name="Spring Cup").publish(seed=1)
    tournament = an_event(2, club=known.club, director=known.director, name="Coming Night")
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    Division.objects.filter(pk=tournament.division.pk).update(capacity=3)
    one = known.entry("Dan").players.get()
    public = reverse("public:player", args=[one.public_id])

    eve = house.visitor("Eve", size=PHONE).goes_to(
        reverse("player:join", args=[join_token(tournament.fresh())])
    )
    assert violations(eve.page) == []
    eve.fills(name="Dan").page.get_by_label("My name may be shown on displays").check()
    eve.sends("Enter").reads("Your entry was received").reads("A director will approve your entry")
    assert violations(eve.page) == []
    assert not eve.scrolls_sideways()
    receipt = eve.page.url
    entry = Entry.objects.get(status="expected")

    link = house.site + reverse("player:home", args=[entry_token(entry)])
    eve.may_see(404).goes_to(link).reads("once the director has approved")
    seer = house.visitor("Seer", size=PHONE)
    seer.goes_to(reverse("public:entries", args=[tournament.event.public_id])).does_not_read("Dan")
    seer.goes_to(public).does_not_read("Coming Night")

    # The next one takes the waiting list: a place is kept for who is expected.
    zoe = house.visitor("Zoe", size=PHONE).goes_to(
        reverse("player:join", args=[join_token(tournament.fresh())])
    )
    zoe.reads("All places are taken").fills(name="Zoe Zimmer")
    zoe.page.get_by_label("My name may be shown on displays").check()
    zoe.sends("Enter").reads("number 1 on the waiting list")
    assert not zoe.scrolls_sideways()

    director = Director(house, "Dora", phone=True, size=PHONE).signs_in(tournament.director)
    director.event = tournament.event
    director.opens("entries").reads("Pending approval").reads("Known to the club")
    assert not director.visitor.scrolls_sideways()
    assert violations(director.page) == []
    director.sends("Approve all").reads("2 entries approved.")
    expect(director.page.locator("#expected")).to_have_count(0)

    eve.goes_to(receipt.removeprefix(house.site)).reads("You are entered")
    seer.goes_to(reverse("public:entries", args=[tournament.event.public_id])).reads("Dan").reads(
        "Waiting list"
    )
    seer.goes_to(public).reads("Coming Night")
    director.sends("Add now: Zoe Zimmer").reads("Zoe Zimmer has a place now.")


def test_player_scans_the_code_from_the_desk_and_has_a_page_of_their_own(house):
    tournament = an_event(4, name="Spring Cup").publish(seed=1)
    ann = tournament.entry("Ann").players.get()
    director = Director(house, "Dora", phone=True, size=PHONE).signs_in(tournament.director)
    director.visitor.goes_to(reverse("people:player", args=[tournament.club.public_id, ann.public_id]))
    director.sends("Create account link").reads("Only for Ann")
    assert violations(director.page) == []
    assert not director.visitor.scrolls_sideways()
    scanned = director.page.locator("#claim-link").input_value()

    account = a_user("Ann Arber")
    phone = Director(house, "Ann", phone=True, size=PHONE).signs_in(account)
    phone.visitor.goes_to("/claim/" + scanned.partition("/claim/")[2])
    phone.reads("Are you Ann?")
    assert violations(phone.page) == []
    phone.sends("Yes, I am Ann").reads("Your account is now linked to Ann.").reads("Spring Cup")
    assert violations(phone.page) == []
    assert not phone.visitor.scrolls_sideways()
    phone.page.get_by_role("link", name="Go to your page").click()
    phone.reads("against")
