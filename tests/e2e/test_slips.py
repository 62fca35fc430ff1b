"""A slip in a game record, and a score game by game, in a real browser: one tap makes the corrected copy, one tap is one game."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Phone
from tests.factories import an_event
from tests.support.consents import everybody_agrees
from tests.support.lanes import ONLY_IN_FULL
from tests.support.records import BAD_OPENING, a_record
from tournaments.matches.services.records import Upload
from tournaments.models import RecordCopy, Report
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), ONLY_IN_FULL]


@pytest.fixture
def tournament():
    made = an_event(entries=4, lengths=[3]).publish()
    everybody_agrees(made.event)
    return made


def test_one_tap_makes_the_corrected_copy_and_another_one_none(house, tournament):
    match = tournament.playable()[0]
    ann, bob = (tournament.entry_at(match, side) for side in "ab")
    record = a_record(ann.name, bob.name, 3, "lrll", opening=BAD_OPENING)
    tournament.says(match, "a", 3, 1, record=Upload(record, "evening.mat"))
    phone = Phone(house, ann.name, ann)
    phone.goes_to(reverse("player:record-copies", args=[entry_token(ann), match.public_id, 1]))
    right = phone.page.locator('[data-repair="1.1=31:8/5-6/5"]')
    right.locator("summary").click()
    expect(right.locator("svg.board")).to_be_visible()
    assert not phone.visitor.scrolls_sideways()
    right.get_by_role("button").click()
    phone.reads("Corrected copy created.").reads("8/5 6/5 instead of 8/4 6/5")
    phone.page.get_by_role("link", name="Original record").click()
    phone.page.locator('[data-repair="1.1=31:8/5-6/5"]').get_by_role("button").click()
    phone.reads("This corrected copy already exists.")
    assert RecordCopy.objects.count() == 1


def test_one_tap_is_one_game_and_the_score_follows(house, tournament):
    match = tournament.playable()[0]
    ann = tournament.entry_at(match, "a")
    phone = Phone(house, ann.name, ann)
    phone.goes_to(reverse("player:report", args=[entry_token(ann), match.public_id]))
    taps = phone.page.locator("[data-sheet]")
    taps.locator("summary").click()
    for name in ("I won a game for 1 point", "I won a game for 1 point"):
        taps.get_by_role("button", name=name, exact=True).click()
    taps.get_by_role("button", name="Undo last game").click()
    taps.get_by_role("button", name="I won a game for 2 points").click()
    expect(phone.page.locator("[name=sheet]")).to_have_value("1-0 3-0")
    expect(phone.page.locator("[name=mine]")).to_have_value("3")
    assert not phone.visitor.scrolls_sideways()
    phone.sends("Send result")
    phone.reads("has to confirm it").reads("Score after each game")
    assert Report.objects.get().sheet == [[1, 0], [3, 0]]
