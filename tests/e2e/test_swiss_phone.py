"""A Swiss night on phones of 390 px, by taps alone: the director at the bar, two players at their table."""

import os
import re
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect

from tests.e2e.pages import Director, Phone
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventStatus
from tournaments.models import Match, MatchSlot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEAST = 44  # pixels of a thing that a thumb hits
MOST_TAPS = 4
PICTURES = os.environ.get("CRAWFORD_PICTURES", "")  # a folder: what each page looked like, light and dark


class Thumb(Director):
    """A director with a phone in one hand; ``taps`` counts."""

    taps = 0

    def tap(self, thing: Locator) -> "Thumb":
        box = thing.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST, (thing, box)
        thing.tap()
        self.taps += 1
        return self

    def taps_on(self, role: str, words: str) -> "Thumb":
        """What leads to another page."""
        with self.page.expect_navigation():
            self.tap(self.page.locator("main").get_by_role(role, name=re.compile(words)).first)
        return self

    def looks(self, name: str) -> "Thumb":
        """Nothing is wider than the phone."""
        assert not self.visitor.scrolls_sideways(), self.page.url
        photograph(self, name)
        return self


def photograph(person, name):
    if PICTURES:
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            person.page.screenshot(path=Path(PICTURES) / f"{name}-{scheme}.png", full_page=True)
        person.page.emulate_media(color_scheme="light")


def to_play(event):
    return list(
        Match.objects.filter(stage__division__event=event, status__in=["ready", "called"]).order_by("number")
    )


@ONLY_IN_FULL
def test_swiss_night_by_taps_alone(house):
    user = a_user("Sven Swiss")
    today = timezone.now().date()
    tournament = an_event(
        6,
        club=a_club(user, "Round Club"),
        director=user,
        system="swiss",
        swiss=SwissSettings(rounds=2),
        lengths=[5],
        starts_on=today,
        ends_on=today,
        tables=4,
    )
    sven = Thumb(house, "Sven", phone=True).signs_in(user)
    sven.event = tournament.event
    sven.opens("entries").looks("entries")
    sven.taps_on("button", "^Pair round 1$").looks("draw")
    sven.taps_on("button", "^Publish round 1$").looks("board")

    page = sven.page
    sven.tap(page.get_by_role("button", name="Call next match")).reads("Called: ")
    first, second, third = to_play(tournament.event)
    record_by_taps(sven, first, "b")
    # Two need no director: one says it, the other agrees.
    winner = Phone(house, "", MatchSlot.objects.get(match=second, side="a").entry).opens()
    loser = Phone(house, "", MatchSlot.objects.get(match=second, side="b").entry).opens()
    photograph(winner, "player")
    winner.reports("I won", 5, 2).reads("Sent.")
    photograph(loser.opens(), "player-asked")
    loser.agrees().reads("The result is confirmed.")
    record_by_taps(sven, third, "a")

    sven.opens("event").looks("overview")
    sven.taps_on("link", "^Go to rounds$").taps_on("button", "^Pair round 2$").looks("rounds")
    sven.taps_on("button", "^Publish round 2$")
    for match in to_play(tournament.event):
        record_by_taps(sven, match, "a")
    tournament.fresh()
    assert tournament.event.status == EventStatus.FINISHED
    sven.opens("event").looks("over")
    for phone in (winner, loser):
        photograph(phone.opens(), "player-over")
        assert not phone.visitor.scrolls_sideways()


def record_by_taps(sven, match, side):
    """Four taps at most from the board as it stands."""
    page, before = sven.page, sven.taps
    row = page.locator(f"#m-{match.public_id}")
    row.scroll_into_view_if_needed()
    sven.tap(row)
    sven.tap(row.locator(".desk-who").nth("ab".index(side)))
    sven.tap(row.get_by_role("button", name="2", exact=True))
    sven.tap(row.get_by_role("button", name="Record", exact=True))
    expect(row).to_have_count(0)
    assert sven.taps - before <= MOST_TAPS
