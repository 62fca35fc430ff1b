"""Positions of an event in a browser: shown by a director, answered on a phone without scripts, looked at from phone to large screen."""

import os
from pathlib import Path

import pytest
from django.urls import reverse

from tests.e2e.pages import Member, Person
from tests.e2e.readers import violations
from tests.support.blunders import an_event_with_blunders
from tests.support.lanes import ONLY_IN_FULL
from tournaments.matches.services.quiz import publish_positions

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("CRAWFORD_PICTURES", "")  # a folder: what each page looked like, light and dark
SIZES = ((390, 844), (1440, 900), (1920, 1080))


def fits(person, name):
    """Nothing for axe to find, nothing to scroll sideways, at any size."""
    assert violations(person.page) == []
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        assert not person.visitor.scrolls_sideways(), (name, width)
        for scheme in ("light", "dark") if PICTURES else ():
            person.page.emulate_media(color_scheme=scheme)
            person.page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)
    person.page.emulate_media(color_scheme="light")


@ONLY_IN_FULL
@pytest.mark.timeout(900)
def test_positions_when_shown_then_answered_without_scripts(house):
    tournament, _match, _row = an_event_with_blunders()
    desk = Member(house, "Desk").signs_in(tournament.director)
    desk.goes_to(reverse("director:event", args=[tournament.event.public_id])).follows("Position quiz")
    desk.sends("Show positions").reads("5 positions are now public.")
    fits(desk, "desk")
    desk.goes_to(reverse("director:papers", args=[tournament.event.public_id])).reads(
        "Matches and game records"
    )
    fits(desk, "papers")

    ann = Person(house, "Ann", phone=True, javascript=False)
    ann.goes_to(reverse("public:event", args=[tournament.event.public_id]))
    ann.follows("Positions from this event: what would you play?").reads("Position 5 of 5")
    ann.page.locator(".quiz-card a").first.click()
    ann.page.locator(".quiz-choices label").first.click()
    ann.sends("Answer").reads("1 answer so far")
    assert ann.page.url.endswith("?choice=1#answer")
    ann.follows("Try again").follows("Show answer").reads("played")


@ONLY_IN_FULL
@pytest.mark.timeout(900)
def test_positions_when_looked_at_then_readers_find_nothing_wrong_at_any_size(house):
    tournament, match, _row = an_event_with_blunders()
    publish_positions(actor=tournament.actor, event_id=tournament.event.pk)
    eye = Person(house, "Eye")
    for number in range(2):  # about the cube, and about a play
        eye.goes_to(reverse("public:quiz", args=[tournament.event.public_id]))
        eye.page.locator(".quiz-card a").nth(number).click()
        eye.reads("Your answer")
        fits(eye, f"question-{number}")
        eye.page.locator("input[name=choice]").last.check()
        eye.sends("Answer")
        fits(eye, f"answer-{number}")
    fits(eye.goes_to(reverse("public:quiz", args=[tournament.event.public_id])), "overview")
    eye.goes_to(reverse("public:hall", args=[tournament.event.public_id])).reads("what would you play?")
    fits(eye, "wall")
    eye.goes_to(f"/my/{match.tokens[0]}/analysis/{match.public_id}/").reads("Games with this analysis")
    fits(eye, "own")
