"""The drawing of a bracket in hands: found, followed, pinched, dragged, folded, printed, and on the wall."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.factories import an_event
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.types import Side
from tournaments.models import MatchSlot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WEEKEND = BracketSettings(
    flights=(Flight(FlightKind.PROGRESSIVE, (3, 5), rounds=2), Flight(FlightKind.LAST_CHANCE, (3,)))
)


@pytest.fixture
def tournament():
    """Sixteen entries of whom Ann has won once and lost once; the consolation waits for the rest."""
    tournament = an_event(entries=16, lengths=[5, 7], bracket=WEEKEND, name="Autumn Open").publish()
    for name, wins in (("Ann", True), ("Ann", False)):
        match = next(
            m for m in tournament.playable() if MatchSlot.objects.filter(match=m, entry__name=name).exists()
        )
        if wins is False:
            other = tournament.playable()[0]
            assert other
        side = Side(MatchSlot.objects.get(match=match, entry__name=name).side)
        tournament.settle(match, side if wins else side.other, 2)
        while wins and not any(
            MatchSlot.objects.filter(match=m, entry__name="Ann").exists() for m in tournament.playable()
        ):
            tournament.settle(tournament.playable()[0], "a", 1)
    return tournament


def opens(house, tournament, *, query="", **how) -> Page:
    visitor = house.visitor("Vera", **how)
    visitor.goes_to(reverse("public:bracket", args=[tournament.event.public_id]) + query)
    return visitor.page


FITS = """() => [...document.querySelectorAll(".bracket-view")].every(
  (view) => view.scrollWidth <= view.clientWidth)"""


def zooms_to(page: Page, size: float, within: float = 0) -> None:
    """The drawing has this size, or comes to have it."""
    page.wait_for_function(
        """([size, within]) => Math.abs(
          Number(document.querySelector(".bracket-view").dataset.zoomed ?? 1) - size) <= within""",
        arg=[size, within],
    )


def test_player_is_found_and_followed_through_all_parts_of_the_draw(house, tournament):
    page = opens(house, tournament)
    page.get_by_label("Find a player").fill("ann")
    expect(page.locator("#announcer")).to_have_text("1 found")
    found = page.locator(".bracket-side.is-found")
    expect(found).to_have_count(3)
    expect(page.locator(".bracket-cell.is-way-in")).to_have_count(1)
    sections = found.evaluate_all(
        "sides => [...new Set(sides.map(s => s.closest('.bracket-section').dataset.code))]"
    )
    assert sections == ["main", "consolation"]
    winners = page.locator(".bracket-side.is-winner")
    before = winners.count()
    tournament.settle(tournament.playable()[0], "a", 1)
    expect(winners).not_to_have_count(before)  # the page changes under the visitor's hands
    expect(found.nth(2)).to_be_visible()


def test_ways_between_the_parts_light_up_and_lead_there_and_back(house, tournament):
    page = opens(house, tournament)
    way = page.locator(".bracket-way").first
    goal = way.get_attribute("href")
    way.hover()
    expect(page.locator(f"{goal}.is-meant")).to_have_count(1)
    way.click()
    expect(page.locator(goal)).to_be_in_viewport()
    start = page.locator(".bracket-cell").first.get_attribute("id")
    back = page.locator(f"{goal} a[href='#{start}']")
    back.focus()
    expect(page.locator(f"#{start}.is-meant")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(f"#{start}")).to_be_in_viewport()


def test_two_fingers_change_the_size_and_it_is_remembered(house, tournament):
    page = opens(house, tournament, phone=True)
    box = page.locator(".bracket-view").first.bounding_box()
    hand = page.context.new_cdp_session(page)
    x, y = box["x"] + 150, page.viewport_size["height"] - 120

    def touch(kind, *points):
        spots = [{"x": at, "y": y, "id": finger} for finger, at in enumerate(points)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    touch("touchStart", x - 60, x + 60)
    for step in range(0, 31, 5):
        touch("touchMove", x - 60 - step, x + 60 + step)
    touch("touchEnd")
    zooms_to(page, 1.5, within=0.05)
    assert page.evaluate("visualViewport.scale") == 1
    page.reload()
    zooms_to(page, 1.5, within=0.05)
    touch("touchStart", x - 60, x + 60)
    for step in range(0, 41, 5):
        touch("touchMove", x - 60 + step, x + 60 - step)
    touch("touchEnd")
    zooms_to(page, 0.8125)  # 13 px: no smaller on a phone
    expect(page.get_by_role("button", name="Fit")).to_have_attribute("aria-pressed", "true")


def test_wide_window_holds_the_whole_drawing_if_it_is_told_to(house, tournament):
    page = opens(house, tournament, size={"width": 700, "height": 600})
    page.get_by_role("button", name="Fit").click()
    expect(page.get_by_role("button", name="Fit")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(FITS)
    page.locator(".bracket-body").last.evaluate(
        """(body) => (body.style.minInlineSize =
          `${(1.3 * body.closest(".bracket-view").clientWidth) / parseFloat(getComputedStyle(body).fontSize)}em`)"""
    )
    page.wait_for_function(FITS)  # also what is drawn wider than it was measured
    page.reload()
    expect(page.get_by_role("button", name="Fit")).to_have_attribute("aria-pressed", "true")


def test_mouse_drags_the_sheet_and_opens_nothing(house, tournament):
    page = opens(house, tournament, size={"width": 700, "height": 600})
    view = page.locator(".bracket-view").first
    view.scroll_into_view_if_needed()
    card = page.locator("a.bracket-link").first.bounding_box()
    address = page.url
    page.mouse.move(card["x"] + 100, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] - 100, card["y"] + 10, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.bracket-view').scrollLeft === 200")
    expect(page).to_have_url(address)
    page.keyboard.press("Home")
    view.evaluate("view => view.scrollTo(0, 0)")
    page.locator("a.bracket-link").first.click()
    expect(page).to_have_url(re.compile(r"/m/"))


def test_keyboard_walks_along_the_lines_and_changes_the_size(house, tournament):
    page = opens(house, tournament)
    link = page.locator("a.bracket-link")
    link.first.focus()
    for key, number in (("ArrowDown", "2"), ("ArrowRight", "9"), ("ArrowLeft", "1")):
        page.keyboard.press(key)
        expect(page.locator("a.bracket-link:focus")).to_have_text(number)
    page.keyboard.press("-")
    zooms_to(page, 0.8)
    page.keyboard.press("0")
    zooms_to(page, 1)


def test_jump_to_a_round_folds_the_earlier_ones_and_once_more_shows_them(house, tournament):
    page = opens(house, tournament)
    head = page.locator("#main .bracket-heads").first.get_by_role("link", name=re.compile("Semifinal"))
    first = page.locator(".bracket-round").first
    head.click()
    expect(first).to_be_hidden()
    page.reload()
    expect(first).to_be_hidden()
    head.click()
    expect(first).to_be_visible()


def test_without_scripts_everything_is_there_to_scroll_and_follow(house, tournament):
    page = opens(house, tournament, phone=True, javascript=False)
    expect(page.locator("[data-bracket-find]")).to_be_hidden()
    page.get_by_role("link", name="Consolation").click()
    expect(page.get_by_role("heading", name="Consolation")).to_be_in_viewport()
    page.locator(".bracket-way").first.click()
    expect(page.locator(".bracket-cell:target")).to_be_in_viewport()


@pytest.mark.parametrize(("entries", "paper", "sheets"), [(8, "A4", 1), (70, "A3", 8)])
def test_print_gives_each_part_a_sheet_of_its_own(house, entries, paper, sheets):
    tournament = an_event(entries=entries, lengths=[5, 7], bracket=WEEKEND, name="Autumn Open").publish()
    page = opens(house, tournament)
    page.locator(".bracket-heads").first.get_by_role(
        "link"
    ).last.click()  # folded on the screen, whole on paper
    pdf = page.pdf(format=paper, landscape=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == sheets


def test_hall_screen_folds_what_is_over(house):
    tournament = an_event(entries=64, lengths=[5, 7], name="Autumn Open").publish()
    while tournament.playable()[0].round.number < 5:
        tournament.settle(tournament.playable()[0], "a", 1)
    page = opens(house, tournament, query="?view=hall", size={"width": 1920, "height": 1080})
    expect(page.locator(".bracket-round").first).to_be_hidden()
    rounds = ["Last 16", "Quarterfinal", "Semifinal", "Final"]
    expect(page.locator(".bracket-heads li:visible")).to_have_text(
        [re.compile(rf"^\s*{words}") for words in rounds]
    )
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    # The same address in a hand: the page as any other, a round a screen.
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(page.locator(".app-header")).to_be_visible()
    expect(page.locator(".bracket-round").first).to_be_visible()
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
