"""Somebody new, from the words of the README to the published draw of an event of eight: how many clicks it takes, and what is said on the way."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import Person
from tests.support.lanes import in_full
from tournaments.models import Event, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_CLICKS = {"typed": 9, "pasted on a phone": 12}  # 12 at most are wanted
NAMES = ("Ann Ace", "Bob Bar", "Cleo Cube", "Dan Double", "Eva Edge", "Finn Fork", "Gil Gammon", "Hana Hit")


class Newcomer(Person):
    """Who has read nothing but what stands on the page. ``clicks_made`` counts; typing of names does not."""

    clicks_made = 0

    def presses(self, role: str, words: str) -> "Newcomer":
        """One click on what reads so and can be seen without scrolling sideways."""
        thing = self.page.locator("main").get_by_role(role, name=re.compile(words)).first
        with self.page.expect_navigation():
            thing.click()
        self.clicks_made += 1
        return self

    def types(self, text: str) -> "Newcomer":
        """Into the field that has the focus by itself: nobody had to click it."""
        self.page.wait_for_function("() => document.activeElement.matches('input, textarea')")
        self.page.keyboard.type(text)
        return self


def signs_up(new: Newcomer) -> None:
    new.goes_to("/").presses("link", "^Start a club")
    new.types("Nora New")
    new.page.keyboard.press("Tab")
    new.types("nora@example.org")
    new.page.keyboard.press("Tab")
    new.types("points-and-prime-7")
    new.page.keyboard.press("Tab")
    new.types("points-and-prime-7").presses("button", "^Create account$")


@pytest.mark.parametrize("way", ["typed", "pasted on a phone"] if in_full() else ["typed"])
def test_newcomer_reaches_the_published_draw_of_eight_within_twelve_clicks(house, way):
    new = Newcomer(house, "Nora", phone="phone" in way)
    signs_up(new)
    new.reads("Three steps to your first event").presses("link", "^Create a club$")
    new.types("Nora's Club").presses("button", "^Create club$")
    new.reads("Now create its first event").presses("link", "^Knockout")
    new.types("First Night").presses("button", "^Create event$")
    expect(new.page.locator("[data-error-summary]")).to_have_count(0)  # a name is enough
    new.reads("First Night has been created").presses("link", "^Add entries$")
    if way == "typed":
        for name in NAMES:
            new.types(name)
            with new.page.expect_navigation():
                new.page.keyboard.press("Enter")
    else:
        new.presses("link", "^Import entries").types("\n".join(NAMES))
        new.presses("button", "^Preview$").presses("button", "^Import 8 players$")
    new.reads("8 entries").reads("Everyone here?").presses("button", "^Make the draw$")
    new.reads("only directors can see it so far").presses("button", "^Publish the draw$")
    new.reads("The draw is published.")

    event = Event.objects.get(name="First Night")
    assert (event.status, event.timezone) == ("running", "Europe/Berlin")  # the browser's own
    assert Match.objects.filter(stage__division__event=event, table__isnull=False).count() == 4
    assert new.clicks_made <= MOST_CLICKS[way]
    assert not new.visitor.scrolls_sideways()
