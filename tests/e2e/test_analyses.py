"""Analyses in a browser: a director has them made and follows how far they are; a player goes from error to error on a phone and tries plays."""

import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.models import AnalysedDecision
from tests.e2e.pages import Member, Phone
from tests.e2e.readers import violations
from tests.factories import an_event
from tests.support.analysed import a_played_match, analysed
from tests.support.handed_in import games_of, thought_over
from tests.support.lanes import ONLY_IN_FULL
from tournaments.models import Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), ONLY_IN_FULL]
PICTURES = os.environ.get("CRAWFORD_PICTURES", "")  # a folder: what each page looked like, light and dark
SIZES = ((1440, 900), (1920, 1080), (390, 844))


def fits(person, name):
    """Nothing for axe to find, nothing to scroll sideways, at any size; the last one is a phone."""
    assert violations(person.page) == []
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        assert not person.visitor.scrolls_sideways(), (name, width)
        for scheme in ("dark", "light") if PICTURES else ():
            person.page.emulate_media(color_scheme=scheme)
            person.page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.timeout(900)
def test_director_when_analyses_are_wanted_then_asked_for_followed_and_called_off(house, engine):
    tournament = an_event(4, lengths=[5]).publish()
    match, other = tournament.playable()[:2]
    first, _second = games_of(tournament, match), games_of(tournament, other, seed=2)
    desk = Member(house, "Desk").signs_in(tournament.director)
    desk.goes_to(reverse("director:event", args=[tournament.event.public_id])).follows("Analyses").reads(
        "0 of 2"
    )
    desk.sends("Analyse all matches").reads("2 matches are waiting to be analysed.")
    fits(desk, "director-analyses")
    thought_over(first)
    desk.page.reload()
    desk.reads("1 of 2").sends("Cancel 1 waiting analysis").reads("1 analysis cancelled.")

    desk.goes_to(reverse("director:match", args=[tournament.event.public_id, match.public_id]))
    desk.reads("The two players can see it").does_not_read("PR est.")
    desk.goes_to(reverse("director:match", args=[tournament.event.public_id, other.public_id]))
    desk.sends("Analyse match").reads("1 match is waiting to be analysed.")
    desk.reads("This match is waiting to be analysed.").follows("Event analyses").reads(
        "1 analysis is waiting or in progress."
    )


@pytest.mark.timeout(900)
def test_player_on_a_phone_when_it_is_analysed_then_from_error_to_error_with_arrows_and_other_plays(house):
    match = a_played_match()
    row = analysed()
    ann = Phone(house, "Ann", Entry.objects.get(slots__match=match, slots__side="a")).opens()
    ann.follows("Analysis").reads("PR est. (GNU Backgammon 9.9, 2-ply)").reads("the furthest was 1.1.")
    page, board = ann.page, ann.page.locator(".viewer-board")
    where, here = page.locator('[data-a="error-place"]'), page.locator("[data-viewer]")
    after, before = (page.locator(f'[data-a="{name}"]') for name in ("after", "before"))

    def place():
        return here.get_attribute("data-game"), here.get_attribute("data-turn")

    here.scroll_into_view_if_needed()
    after.tap()
    expect(where).to_contain_text("Error ")
    expect(board).to_be_in_viewport()
    first, across = place(), page.locator(".course-here").get_attribute("x1")
    after.tap()
    assert place() != first
    page.keyboard.press("e")
    assert page.locator(".course-here").get_attribute("x1") != across
    page.keyboard.press("Shift+E")
    before.tap()
    assert place() == first

    found = AnalysedDecision.objects.filter(analysis=row, kind="checker", turn__gt=1)
    roll = found.order_by("game", "turn").first()
    own = f"/my/{match.tokens[0]}/analysis/{match.public_id}/"
    ann.goes_to(f"{own}?game={roll.game}&turn={roll.turn - 1}")
    page.locator('[data-step="forward"]').tap()
    page.get_by_role("link", name="Try another play").tap()
    select = page.get_by_label("Try another play")
    expect(select).to_be_focused()
    plays = select.locator("option")
    select.select_option(index=plays.count() - 1)
    tried = page.locator('[data-a="tried"]')
    expect(tried).to_contain_text(plays.last.inner_text())
    expect(board.locator("svg")).to_have_attribute("aria-label", tried.inner_text())
    expect(page.locator(".viewer-words")).to_have_text(tried.inner_text())
    expect(board).to_be_in_viewport()
    expect(board.locator(".board-move").first).to_be_attached()
    fits(ann, "player-analysis")
