"""A director says it once on a phone: wall, spectators and players' phones show it, and lose it when it is taken away."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director, Phone, Spectator
from tests.e2e.readers import violations
from tests.factories import a_club, a_user, an_event
from tournaments.hall.services.calling import call_next
from tournaments.notices.services.announcing import announce

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TYPED = "Round 2 begins at half past two. Coffee is in the foyer."


@pytest.fixture
def tournament():
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    club = a_club(user, "Hall Club")
    tournament = an_event(8, club=club, director=user, tables=4, lengths=[5], starts_on=today, ends_on=today)
    return tournament.publish()


def test_announcement_is_typed_once_and_stands_everywhere_until_it_is_taken_away(house, tournament):
    call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=True)
    match = (
        tournament.playable()[0]
        if tournament.playable()
        else tournament.event.divisions.get().stages.get().matches.first()
    )
    wall = Spectator(house, "Wall", size={"width": 1920, "height": 1080}).watches(tournament.event, "hall")
    public = Spectator(house, "Public").watches(tournament.event)
    player = Phone(house, "Ann", tournament.entry_at(match, "a")).opens()
    director = Director(house, "Hanna", phone=True, size={"width": 390, "height": 844}).signs_in(
        tournament.director
    )
    director.event = tournament.event

    director.opens("event")
    director.page.get_by_role("link", name="Announce", exact=True).click()
    assert not director.visitor.scrolls_sideways()
    director.fills(text=TYPED).sends("Announce").reads("Announcement published")
    for seer in (wall, public, player):
        shown = seer.page.locator("#notices .notice")
        expect(shown).to_have_text(f"Announcement: {TYPED}", use_inner_text=False)
        expect(shown).to_be_visible()
    assert not player.visitor.scrolls_sideways()

    # On the wall it stands above the names and covers none of them, as high as a name.
    boxes = wall.page.evaluate(
        """() => ["#notices", ".wall-part.is-shown"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"""
    )
    assert boxes[0]["bottom"] <= boxes[1]["top"]
    size = wall.page.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('.notice-words')).fontSize)"
    )
    assert size >= 60

    # A second one takes turns with it, the new one first; both are there for whoever listens.
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="Table 4 is out of use.")
    expect(wall.page.locator(".notice.is-shown")).to_contain_text("Table 4")
    expect(wall.page.locator(".notice")).to_have_count(2)
    for seer in (wall, public, player):
        assert violations(seer.page) == []

    director.opens("notices")
    assert violations(director.page) == []
    director.page.locator(".notice-row").filter(has_text=TYPED).get_by_role("button").click()
    director.reads("Announcement removed from all pages.")
    for seer in (wall, public, player):
        expect(seer.page.locator("#notices")).not_to_contain_text("Coffee")
        expect(seer.page.locator(".notice")).to_have_count(1)
    assert wall.visitor.never_reloaded()


def test_line_announces_from_the_keyboard_and_takes_it_back(house, tournament):
    director = Director(house, "Hanna").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("board")
    keys = director.page.keyboard
    keys.press("/")
    keys.type("say coffee is ready")
    expect(director.page.locator("#desk-line-heard")).to_contain_text("coffee is ready")
    keys.press("Enter")
    expect(director.page.locator(".desk-line-answer")).to_contain_text("coffee is ready")
    public = Spectator(house, "Public")
    public.goes_to(reverse("public:event", args=[tournament.event.public_id])).reads("coffee is ready")
    keys.press("Control+z")
    expect(director.page.locator("#desk-line-heard")).to_contain_text("Undo")
    keys.press("Enter")
    expect(director.page.locator(".desk-line-answer")).to_contain_text("Undone")
    public.goes_to(reverse("public:event", args=[tournament.event.public_id])).does_not_read(
        "coffee is ready"
    )
