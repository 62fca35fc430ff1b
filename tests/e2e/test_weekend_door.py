"""A weekend at the door: entering by the link over a waiting list, everybody's cells in the matrix, how long it will take, the draw, who comes late
by lot, and who is here on the second day.
"""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Director, Phone
from tests.e2e.readers import violations
from tests.factories import a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.tournaments import lets_new_names_in
from tournaments.checks.soundness import integrity_faults
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import CheckIn, Division, Entry, Here, Lot
from tournaments.selectors.access.links import join_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


@ONLY_IN_FULL
def test_weekend_from_the_link_over_the_matrix_to_the_second_morning(house):
    tournament = an_event(5, director=a_user("Dora Director"), lengths=[3])
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    first = tournament.division
    side = add_division(
        **where,
        division=DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])]),
        first_name="Open",
    )
    Division.objects.filter(pk=first.pk).update(capacity=6)
    lets_new_names_in(tournament)
    address = reverse("player:join", args=[join_token(tournament.fresh())])
    for name in ("Gus Gern", "Hal Hart"):  # one place is left, so the second one waits
        phone = Phone(house, name, size=PHONE).goes_to(address)
        phone.fills(name=name)
        phone.page.get_by_role("checkbox", name="Open").check()
        phone.page.get_by_label("My name may be shown on displays").last.check()
        phone.sends("Enter")
    phone.reads("number 1 on the waiting list")

    director = Director(house, "Dora").signs_in(tournament.director)
    director.event = tournament.event
    page = director.page
    director.opens("check-in").sends("Open check-in now")
    director.opens("matrix").reads("6 of 6, 1 waiting")
    assert violations(page) == []

    # Without a mouse: a letter finds Bob, the space bar takes him out, arrows go to Here of somebody below, and one save does all of it.
    page.get_by_label("Find a player").fill("bob")
    expect(page.locator("[data-matrix-row]:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.get_by_label("Find a player").fill("")
    ann = page.get_by_role("checkbox", name="Ann, Open")
    ann.focus()
    for key in ("ArrowRight", "Space", "ArrowRight", "Space", "ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(page.locator("[data-matrix-status]")).to_contain_text("4")
    director.sends("Save").reads("4 changes saved.").reads("6 of 6")
    director.does_not_read("1 waiting")
    assert Entry.objects.get(name="Hal Hart").status == "active"  # moved up by himself
    assert set(Here.objects.values_list("entry__name", flat=True)) == {"Ann", "Cleo"}
    assert Entry.objects.filter(division=side).get().name == "Ann"

    # Two at once: the other director's payment stands, ours is asked again and nothing typed is lost.
    other = Director(house, "Olga").signs_in(tournament.director)
    other.event = tournament.event
    director.opens("matrix")
    other.opens("matrix")
    other.page.get_by_role("checkbox", name="Dan has paid").check()
    other.sends("Save").reads("1 change saved.")
    page.get_by_role("checkbox", name="Dan has paid").check()
    page.get_by_label("Staff note on Dan").fill("brings clocks")
    director.sends("Save").reads("1 change saved.")  # paid is as it was wanted already
    for row in ("Dan", "Eva", "Gus Gern", "Hal Hart"):
        page.get_by_role("checkbox", name=f"{row} is here").check()
    director.sends("Save").reads("4 changes saved.")

    director.opens("how-long").reads("How long will it take?")
    director.opens("draw").sends("Make the draw")
    director.sends("Publish the draw").reads("is published")

    # Who comes late is placed by lot: the draw of six has byes.
    director.opens("matrix").reads("free lines, drawn at random")
    page.locator("#id_name").fill("Ida Ibsen")
    page.get_by_role("checkbox", name="New player, Open").check()
    page.get_by_role("checkbox", name="New player is here").check()
    director.sends("Save").reads("2 changes saved.").reads("Ida Ibsen")
    assert Lot.objects.filter(stage__division=first).count() == 2
    assert violations(page) == []

    # The second morning, on a phone.
    check_in = CheckIn.objects.get(division=first)
    CheckIn.objects.create(
        division=first,
        day=check_in.day + timedelta(days=1),
        opens_at=check_in.opens_at + timedelta(days=1),
    )
    pocket = Director(house, "Pia", phone=True, size=PHONE).signs_in(tournament.director)
    pocket.event = tournament.event
    pocket.opens("matrix").reads("Ida Ibsen")
    assert not pocket.visitor.scrolls_sideways()
    assert violations(pocket.page) == []
    tomorrow = (check_in.day + timedelta(days=1)).isoformat()
    pocket.goes_to(
        f"/direct/events/{tournament.event.public_id}/check-in/?division={first.pk}&day={tomorrow}"
    )
    pocket.clicks("Ida Ibsen is here").reads("1 of 7 checked in")
    assert Here.objects.get(check_in__day=tomorrow).entry.name == "Ida Ibsen"
    assert not integrity_faults(tournament.fresh())
