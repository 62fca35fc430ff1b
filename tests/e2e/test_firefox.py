"""The shortest journey that needs everything, in Firefox, spoken to by WebDriver BiDi: a result from phone to phone to the desk."""

import os

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import HOUSE
from tests.e2e.pages import Director, Phone, Spectator
from tests.e2e.visitors import House
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.statuses import MatchStatus

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def in_firefox(request, browsers, live_server, settings):
    program = os.environ.get("FIREFOX")
    if not program:
        pytest.skip("needs Firefox and a Playwright that speaks its language: tools/firefox.py")
    settings.SITE_URL = live_server.url
    # This channel is a Firefox as it is, by WebDriver BiDi.
    browser = browsers.firefox.launch(
        channel="moz-firefox", executable_path=program, firefox_user_prefs={"ui.prefersReducedMotion": 1}
    )
    house = request.node.stash[HOUSE] = House(browser, live_server.url)
    yield house
    house.closes()
    browser.close()


@ONLY_IN_FULL
def test_result_reported_on_one_phone_and_agreed_on_the_other_is_seen_at_the_desk_without_reload(in_firefox):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match = tournament.playable()[0]
    ann, bob = (
        Phone(in_firefox, entry.name, entry)
        for entry in (tournament.entry_at(match, "a"), tournament.entry_at(match, "b"))
    )
    dora = Director(in_firefox, "Dora").signs_in(tournament.director)
    dora.event = tournament.event
    dora.opens("board")
    dora.visitor.marks_window()
    row = dora.page.locator(f".desk-row#m-{match.public_id}")
    expect(row).to_have_attribute("data-status", "ready")
    walt = Spectator(in_firefox, "Walt").watches(tournament.event, "bracket")
    bob.opens()
    bob.visitor.marks_window()

    form = ann.opens().card().locator("form.report-form")
    form.locator("label.report-side").first.click()
    form.locator("label.report-point").nth(2).click()
    expect(form.locator("[data-report-words]")).to_have_text("You won 5–2")
    form.get_by_role("button", name="Send result").click()
    ann.reads(f"Sent. {bob.name} has to confirm it.")
    expect(row).to_have_attribute("data-status", "reported")
    bob.reads(f"{ann.name} reported:").reads("you lost")
    assert bob.visitor.never_reloaded()
    bob.agrees().reads("The result is confirmed.")
    expect(row).to_have_count(0)  # nothing to do any more
    ann.reads("You won")
    expect(walt.page.locator(".bracket-side.is-winner", has_text=ann.name)).to_have_count(1)
    for one in (dora, walt):
        assert one.visitor.never_reloaded(), one.name
    for phone in (ann, bob):
        assert not phone.visitor.scrolls_sideways(), phone.name
    match.refresh_from_db()
    assert (match.status, match.winner_side, match.score_b) == (MatchStatus.CONFIRMED, "a", 2)
