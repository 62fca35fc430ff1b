"""A director sets up a weekend of two flights and doubles in a browser, and players find their division."""

import pytest
from django.urls import reverse

from tests.e2e.pages import Director, Phone
from tests.factories import a_user
from tests.support.lanes import ONLY_IN_FULL
from tournaments.models import Event
from tournaments.selectors.access.links import join_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@ONLY_IN_FULL
def test_weekend_when_set_up_from_a_template_then_every_division_is_entered_by_itself(house) -> None:
    director = Director(house, "Dora")
    director.signs_in(a_user("Dora Director"))
    director.founds_club("Turku Backgammon")
    director.creates_event(
        "Harbour Open", "5, 7", kind="Weekend tournament", divisions="Open, Intermediate", timezone="Helsinki"
    )
    director.opens("divisions").reads("Consolation").follows("Add division")
    director.fills(name="Doubles")
    director.page.locator("[name=team_size]").select_option("2")
    director.page.locator("[name=like]").select_option("template-knock_out")
    director.sends("Add division")
    director.reads("a team of two (doubles)")
    doubles = director.event.divisions.get(name="Doubles")
    director.goes_to(f"{reverse('director:entries', args=[director.event.public_id])}?division={doubles.pk}")
    director.fills(name="Ann Ace", name_2="Bob Berg").sends("Add")
    director.reads("Ann Ace & Bob Berg is entered")
    director.opens("entries").sends("Open registration").sends("Accept new names without approval")

    event = Event.objects.get()
    phone = Phone(house, "Cleo")
    phone.goes_to(reverse("player:join", args=[join_token(event)]))
    phone.fills(name="Cleo Cube")
    phone.page.get_by_label("Intermediate").check()
    phone.page.get_by_label("My name may be shown on displays").check()
    phone.sends("Enter").reads("You are in!")
    assert event.divisions.get(name="Intermediate").entries.get().name == "Cleo Cube"
    director.opens("entries").follows("Intermediate 1").reads("Cleo Cube")
