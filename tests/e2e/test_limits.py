"""Divisions by rating in a browser: proposed in the matrix, looked at and saved; a player's own answers; axe finds nothing on either."""

import os
from datetime import date

import pytest
from playwright.sync_api import expect

from people.models import OutsideRating, Player
from tests.e2e.readers import violations
from tests.e2e.typists import Typist
from tests.factories import a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.limits import RatingLimit
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import DivisionDetails, add_division, set_limit
from tournaments.events.services.events import set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.models import Entry, EntryDetail

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("CRAWFORD_TEST_PICTURES", "")


def look(page, name):
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if PICTURES:
        for width, dark in ((390, False), (1440, True), (1920, False)):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme="dark" if dark else "light")
            page.screenshot(path=f"{PICTURES}/{name}-{width}.png", full_page=True)


@ONLY_IN_FULL
def test_divisions_when_proposed_by_rating_then_saved_by_the_director_and_answers_by_the_player(house):
    user = a_user("Kim Keys")
    tournament = an_event(4, director=user, lengths=[5])
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    entry = tournament.entry("Ann")
    details = DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])])
    novices = add_division(**at, division=details, first_name="Open")
    set_limit(**at, division_id=novices.pk, limit=RatingLimit("USBGF", most=1500))
    for name, value, day in (("Ann", 1400, date(2026, 6, 1)), ("Bob", 1700, date(2019, 1, 1))):
        player = Player.objects.get(name=name)
        OutsideRating.objects.create(player=player, source="USBGF", value=value, on=day)
    set_custom_fields(
        **at, columns=[CustomField("Lunch", CustomFieldKind.CHOICE, ("meat", "none"), asked=True)]
    )
    set_registration(**at, is_open=True)
    kim = Typist(house, "Kim").signs_in(user)
    page = kim.page
    kim.goes_to(f"/direct/events/{tournament.event.public_id}/divisions/{novices.pk}/")
    look(page, "division")
    kim.goes_to(f"/direct/events/{tournament.event.public_id}/matrix/")
    page.get_by_role("link", name="Suggest divisions by rating").click()
    expect(page.get_by_role("status").first).to_contain_text("1 tick is changed")
    expect(page.get_by_role("checkbox", name="Ann, Novices")).to_be_checked()
    expect(page.locator("[data-matrix-status]")).to_have_text("Changed: 1")
    look(page, "matrix")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 change saved.")).to_be_visible()
    assert Entry.objects.get(division=novices).name == "Ann"
    ann = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=ann)
    own = Typist(house, "Ann").signs_in(ann)
    own.goes_to("/me/")
    own.page.get_by_role("link", name="Event questions").first.click()
    look(own.page, "answers")
    own.page.get_by_label("Lunch").select_option("meat")
    own.page.get_by_role("button", name="Save").click()
    expect(own.page.get_by_text("The desk can see it immediately")).to_be_visible()
    assert set(EntryDetail.objects.get(entry=entry).extra.values()) == {"meat"}
