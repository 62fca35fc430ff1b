"""The director's board in a browser: results by keys alone, by four taps on a phone, and while others record."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director
from tests.factories import Tournament, a_club, a_user, an_event
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IN_VIEW = """() => {
  const top = document.querySelector(".app-header").getBoundingClientRect().bottom;
  const boxes = [...document.querySelectorAll(".desk-row")].map((row) => row.getBoundingClientRect());
  return boxes.filter((box) => box.top >= top && box.bottom <= innerHeight).length;
}"""
HERE = "document.activeElement.closest('.desk-row')?.id ?? ''"


def hall(entries: int, **changes: object) -> Tournament:
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    details = {"lengths": [5], "starts_on": today, "ends_on": today, "tables": entries, **changes}
    return an_event(entries, club=a_club(user, "Hall Club"), director=user, **details).publish()


def director_of(house, tournament: Tournament, name: str = "Hanna", **window: object) -> Director:
    director = Director(house, name, **window).signs_in(tournament.director)
    director.event = tournament.event
    return director.opens("board")


def test_results_are_recorded_by_keys_alone_and_the_focus_stays_where_one_works(house):
    tournament = hall(64)
    director = director_of(house, tournament)
    page, keys = director.page, director.page.keyboard
    assert page.evaluate(IN_VIEW) >= 20
    director.visitor.marks_window()
    first, second, third, *_rest = tournament.playable()

    keys.press("j")
    assert page.evaluate(HERE) == f"m-{first.public_id}"
    for key in ("Enter", "ArrowRight", "3", "Enter"):
        keys.press(key)
    a, b = (tournament.entry_at(first, side).name for side in "ab")
    director.reads(f"Match {first.number}: {a} 3–5 {b}.")
    expect(page.locator(f"#m-{first.public_id}")).to_have_count(0)
    assert page.evaluate(HERE) == f"m-{second.public_id}"  # the line that took its place

    # A result that cannot be is refused where it is typed, and Escape leaves it as it was.
    for key in ("Enter", "3", "Enter"):
        keys.press(key)
    editor = page.locator(".desk-row.is-editing")
    expect(editor.get_by_role("alert")).to_have_text("Choose who won.")
    keys.press("Escape")
    expect(editor).to_have_count(0)
    assert page.evaluate(HERE) == f"m-{second.public_id}"

    keys.press("a")  # what the line offers
    director.reads(f"Match {second.number} called.")
    expect(page.locator(f"#m-{second.public_id}[data-status=called]")).to_be_focused()
    keys.press("c")
    director.reads("Called: ")
    expect(page.locator(f"#m-{third.public_id}[data-status=called]")).to_have_count(1)

    keys.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    keys.press("Escape")
    keys.press("f")
    name = tournament.entry_at(third, "a").name
    with page.expect_navigation():
        keys.type(f"{name}\n")
    expect(page.locator(f"#m-{third.public_id}")).to_be_visible()
    keys.press("j")
    keys.press("o")
    page.wait_for_url(re.compile(third.public_id))
    director.opens("board")  # narrowed as before
    assert page.url.endswith(f"?q={name.replace(' ', '+')}")
    first.refresh_from_db()
    assert (first.status, first.score_a, first.score_b) == ("confirmed", 3, 5)


def test_result_takes_four_taps_on_a_phone_and_the_first_match_stands_in_the_first_screen(house):
    tournament = hall(16)
    director = director_of(house, tournament, phone=True)
    page = director.page
    match, *_rest = tournament.playable()
    row = page.locator(f"#m-{match.public_id}")
    assert row.bounding_box()["y"] < 300
    assert not director.visitor.scrolls_sideways()
    bar = page.get_by_role("button", name="Call next match")
    assert bar.bounding_box()["y"] > 740

    row.tap()
    for thing in (
        row.locator(".desk-who", has_text=tournament.entry_at(match, "b").name),
        row.get_by_role("button", name="2", exact=True),
        row.get_by_role("button", name="Record", exact=True),
    ):
        box = thing.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        thing.tap()
    director.reads(f"Match {match.number}: ")
    expect(row).to_have_count(0)
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == ("confirmed", 2, 5)

    page.get_by_role("button", name="Undo", exact=True).tap()
    director.reads("Undone: ")
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == ("ready", None, None)


def test_line_under_the_hand_stays_while_another_director_records(house):
    tournament = hall(64)
    director = director_of(house, tournament).may_see(409)
    page = director.page
    matches = tournament.playable()
    typed, above = matches[24], matches[:6]
    row = page.locator(f"#m-{typed.public_id}")
    row.scroll_into_view_if_needed()
    row.get_by_role("link", name="Result").click()
    row.locator(".desk-who").first.click()
    before = row.bounding_box()["y"]
    for match in above:
        tournament.settle(match, "a", 1)
    expect(page.locator(f"#m-{above[-1].public_id}")).to_have_count(0)
    assert abs(row.bounding_box()["y"] - before) < 2
    assert row.locator("[name=who]:checked").count() == 1

    # The very match is decided elsewhere: its line stays, says so, and what is sent is told how it stands.
    tournament.settle(typed, "b", 4)
    expect(row.get_by_role("alert")).to_contain_text("Another person has just recorded this match.")
    row.get_by_role("button", name="3", exact=True).click()
    row.get_by_role("button", name="Record", exact=True).click()
    expect(row.get_by_role("alert")).to_contain_text("4–5")
    page.keyboard.press("Escape")
    expect(row).to_have_count(0)
    assert page.evaluate(HERE).startswith("m-")
    typed.refresh_from_db()
    assert (typed.score_a, typed.score_b) == (4, 5)


def test_result_without_scripts_comes_back_to_the_same_place(house):
    tournament = hall(16)
    plain = Director(house, "Paul", javascript=False).signs_in(tournament.director)
    plain.event = tournament.event
    plain.goes_to(f"{reverse('director:board', args=[tournament.event.public_id])}?sort=time")
    first, second, *_rest = tournament.playable()
    with plain.page.expect_navigation():
        plain.page.locator(f"#m-{first.public_id}").get_by_role("link", name="Result").click()
    plain.page.locator("label.choice", has_text=tournament.entry_at(first, "a").name).click()
    plain.fills(score_b=2).sends("Record result")
    assert plain.page.url.endswith(f"?sort=time#m-{second.public_id}")
    assert Match.objects.get(pk=first.pk).score_a == 5


def test_two_directors_type_the_same_result_in_its_line_then_one_is_recorded_and_the_other_is_told(house):
    tournament = hall(8)
    hanna, otto = director_of(house, tournament), director_of(house, tournament, "Otto").may_see(409)
    match, other, *_rest = tournament.playable()
    for director, winner in ((hanna, "ArrowLeft"), (otto, "ArrowRight")):
        director.page.keyboard.press("j")
        for key in ("Enter", winner, "2"):
            director.page.keyboard.press(key)
    # What Otto types is of the line as it was before Hanna's result.
    hanna.page.keyboard.press("Enter")
    hanna.reads(f"Match {match.number}: ")
    otto.page.keyboard.press("Enter")
    row = otto.page.locator(f"#m-{match.public_id}")
    expect(row.get_by_role("alert")).to_contain_text("5–2")
    otto.page.keyboard.press("Escape")
    expect(row).to_have_count(0)
    assert otto.page.evaluate(HERE) == f"m-{other.public_id}"  # and works on
    for key in ("Enter", "ArrowRight", "0", "Enter"):
        otto.page.keyboard.press(key)
    otto.reads(f"Match {other.number}: ")
    match.refresh_from_db()
    assert (match.score_a, match.score_b, match.reports.count()) == (5, 2, 1)
