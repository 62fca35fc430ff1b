"""A bracket of 64 on a phone: one round a screen, by finger, button, key and link, with and without scripts."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, sync_playwright

from config.sample_draws import sample_draw
from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import chromium_path
from tests.web.test_scripts import KINDS, ORIGIN, POLICY, STATIC
from tournaments.shared.fragments.bracket import bracket_context

pytestmark = pytest.mark.browser

STYLES = (
    "tokens",
    "base",
    "components/shell",
    "components/controls",
    "components/match",
    "components/bracket",
)
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "reduced_motion": "reduce",
}
ROUND = """() => { const view = document.querySelector(".bracket-view");
  return view.scrollLeft / view.clientWidth + 1; }"""
LEAST_TEXT = """() => Math.min(...[...document.querySelectorAll(".bracket-match *, .bracket-heads *")]
  .filter((node) => node.checkVisibility() && [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield launched
        launched.close()


def opened(browser: Browser, **how: Any) -> Page:
    page = browser.new_context(**PHONE, **how).new_page()
    drawing = render_to_string(
        "shared/_bracket.html", {"bracket": bracket_context(sample_draw(64, rounds=2), "Open")}
    )
    styles = "".join(f'<link rel="stylesheet" href="/static/css/{name}.css">' for name in STYLES)
    html = (
        f'<!DOCTYPE html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>t</title>{styles}'
        f'<script src="/static/js/theme.js"></script></head><body><div class="wrap is-full">{drawing}</div><div id="announcer"></div>'
        '<script type="module" src="/static/js/bracket.js"></script></body></html>'
    )

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])
        else:
            route.fulfill(
                body=html,
                headers={"Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8"},
            )

    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    return page


def comes_to(page: Page, number: int) -> None:
    """Asked from here: where scripts are off the page cannot wait for itself."""
    for _try in range(200):
        if abs(page.evaluate(ROUND) - number) < 0.01:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"round {page.evaluate(ROUND)} is shown, not {number}")


def swipe(page: Page, by: int) -> None:
    box = page.locator(".bracket-view").first.bounding_box()
    assert box is not None
    hand, start = page.context.new_cdp_session(page), 195 - by / 2
    for kind, x in (
        ("touchStart", start),
        *(("touchMove", start + by * part / 6) for part in range(1, 7)),
        *(("touchMove", start + by + part) for part in (1, 0)),  # and rests before it leaves the glass
        ("touchEnd", None),
    ):
        spots = [] if x is None else [{"x": x, "y": box["y"] + 300}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})
        page.wait_for_timeout(
            30
        )  # a finger takes its time; on a busy machine all at once would be a flick of any speed


@ONLY_IN_FULL
def test_bracket_of_64_is_turned_round_by_round(browser):
    page = opened(browser)
    comes_to(page, 3)  # where it is played: two rounds of six are over
    head = page.locator(".bracket-heads li[aria-current]")
    assert head.inner_text().split("\n")[0] == "Last 16"
    page.wait_for_function(f"() => ({LEAST_TEXT})() === 16")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == 390
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.bracket-round')).scrollSnapStop") == "always"
    )
    tall = "() => document.querySelector('.bracket-view').scrollHeight"
    before = page.evaluate(tall)
    swipe(page, -260)
    comes_to(page, 4)
    page.wait_for_function(f"(before) => ({tall})() < before", arg=before)  # what lies behind takes no room
    swipe(page, 260)
    comes_to(page, 3)
    page.get_by_role("link", name="Next round: Quarterfinal").click()
    comes_to(page, 4)
    page.locator(".bracket-view").focus()
    page.keyboard.press("ArrowRight")
    comes_to(page, 5)
    page.keyboard.press("ArrowLeft")
    comes_to(page, 4)
    page.get_by_label("Find a player").fill("ada")
    page.wait_for_function("() => document.querySelector('.is-found')?.getBoundingClientRect().height > 20")
    page.get_by_role("button", name="Overview").click()
    page.wait_for_function(f"() => ({LEAST_TEXT})() === 13")
    page.get_by_role("button", name="Overview").click()
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    page.wait_for_function(f"() => ({LEAST_TEXT})() === 24")  # it follows the text size of the phone
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_rounds_snap_and_their_links_lead_without_scripts(browser):
    page = opened(browser, java_script_enabled=False)
    page.get_by_role("link", name="Next round: Last 32").click()
    comes_to(page, 2)
    swipe(page, -260)
    comes_to(page, 3)
