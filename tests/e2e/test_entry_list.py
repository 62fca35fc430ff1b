"""The list of entries keeps its place: order, columns, filter, scroll and focus, whatever is done with an entry."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director
from tests.e2e.readers import violations
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.models import EntryDetail

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ENTRIES = 48


@pytest.fixture
def tournament():
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    return an_event(ENTRIES, club=a_club(user, "Hall Club"), director=user, starts_on=today, ends_on=today)


@ONLY_IN_FULL
def test_place_on_the_list_survives_marking_changing_and_going_back(house, tournament):
    director = Director(house, "Hanna").signs_in(tournament.director).may_see(422)
    director.event = tournament.event
    page = director.opens("entries").page
    rows = page.locator(".entry-table tbody tr")
    expect(rows).to_have_count(ENTRIES)
    with page.expect_navigation():
        page.get_by_label("E-mail address").check()
    expect(page.get_by_role("columnheader", name="E-mail address")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_be_focused()
    with page.expect_navigation():
        page.get_by_label("Paid", exact=True).check()
    assert violations(page) == []

    # Two far down are marked as paid: the page is where it was.
    boxes = page.locator("[name=chosen]")
    boxes.nth(40).scroll_into_view_if_needed()
    for place in (39, 40):
        boxes.nth(place).check()
    paid = page.get_by_role("button", name="Mark as paid")
    paid.focus()
    page.evaluate("() => scrollTo(0, 400)")
    top = page.evaluate("() => scrollY")
    assert top > 0
    with page.expect_navigation():
        paid.press("Enter")
    page.wait_for_function(f"() => Math.abs(scrollY - {top}) < 2")
    expect(paid).to_be_focused()
    assert EntryDetail.objects.filter(paid=True).count() == 2

    # Narrowed to who has not paid; one of them is changed; the list is as it was, the line in view.
    with page.expect_navigation():
        page.get_by_label("Filter entries").select_option("unpaid")
    expect(rows).to_have_count(ENTRIES - 2)
    name = rows.nth(44).get_by_role("rowheader").inner_text()
    rows.nth(44).get_by_role("link", name="Change").click()
    page.get_by_label("Phone").fill("555 1234")
    assert violations(page) == []
    page.get_by_role("button", name="Save details").click()
    expect(rows).to_have_count(ENTRIES - 2)
    expect(page.get_by_role("columnheader", name="E-mail address")).to_be_visible()
    expect(rows.filter(has_text=name).first).to_be_in_viewport()

    # A form that is refused says why at its field; back from it leads to the same list.
    rows.nth(44).get_by_role("link", name="Change").click()
    page.get_by_label("E-mail address").fill("no address")
    page.get_by_role("button", name="Save details").click()
    expect(page.get_by_text("“no address” is not a valid e-mail address.")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_be_focused()
    expect(page.get_by_label("Phone")).to_have_value("555 1234")
    director.opens("entries")
    expect(rows).to_have_count(ENTRIES - 2)
    page.get_by_label("Filter entries").select_option("")
    expect(rows).to_have_count(ENTRIES)
    page.go_back()
    expect(rows).to_have_count(ENTRIES - 2)
