"""The small scripts in a real browser, against pages that the test itself answers: no server, no database."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Request, Route, expect, sync_playwright

from tests.support.servers import chromium_path

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
ORIGIN = "http://crawford.test"
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
PATIENCE = 20_000  # milliseconds; a busy machine must not fail what is right
# The very policy of the site: a script that needed more would fail here.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"


class Site:
    """Answers the browser; a test says what stands on "/" and under which version."""

    def __init__(self) -> None:
        self.body = ""
        self.version = 1
        self.broken = False
        self.asked: list[Request] = []
        self.sent: list[str] = []

    def html(self) -> str:
        scripts = "".join(
            f'<script type="module" src="/static/js/{name}.js"></script>'
            for name in (
                "menu",
                "dialog",
                "stepper",
                "copy",
                "combobox",
                "search",
                "bracket",
                "live",
                "share",
            )
        )
        return (
            '<!DOCTYPE html><html lang="en"><head><title>t</title><link rel="icon" href="/static/img/favicon.svg">'
            '<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/base.css">'
            '<script src="/static/js/theme.js"></script></head><body>'
            f'{self.body}<div id="announcer" aria-live="polite"></div><div class="toast-stack"></div>{scripts}</body></html>'
        )

    def answer(self, route: Route) -> None:
        request = route.request
        path = request.url.removeprefix(ORIGIN).split("?")[0]
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])
        elif path == "/find":
            results = [
                {"id": "p1", "text": "Ada Abell", "note": "Copenhagen"},
                {"id": "p2", "text": "Adam Brandt"},
            ]
            route.fulfill(body=json.dumps({"results": results}), content_type="application/json")
        elif request.method == "POST":
            self.sent.append(request.post_data or "")
            route.fulfill(status=204)
        else:
            self.asked.append(request)
            etag = f'"v{self.version}"'
            headers = {
                "ETag": etag,
                "Content-Security-Policy": POLICY,
                "Content-Type": "text/html; charset=utf-8",
            }
            if self.broken and request.resource_type == "fetch":
                route.fulfill(status=503)
            elif request.headers.get("if-none-match") == etag:
                route.fulfill(status=304, headers=headers)
            else:
                route.fulfill(body=self.html(), headers=headers)


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser.new_context(reduced_motion="reduce")
        browser.close()


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def show(context: Any, site: Site) -> Iterator[Callable[[str], Page]]:
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    page.route("**/*", site.answer)

    def go(body: str) -> Page:
        site.body = body
        page.goto(ORIGIN + "/")
        return page

    yield go
    page.close()
    assert faults == []


LIVE = '<main data-live="/" data-live-interval="1" data-live-etag=\'"v1"\'>{badge}<div id="now" data-live-region>{now}</div></main>'
BADGE = '<span data-live-state data-state="online"></span>'


def test_live_page_unchanged_is_asked_with_its_etag_and_left_alone(show, site):
    page = show(LIVE.format(badge="", now="<p id=a>3</p>"))
    page.evaluate("document.getElementById('a').mine = true")
    for _poll in range(2):  # whoever asks again has heard the first answer
        page.wait_for_event("request", lambda asked: asked.resource_type == "fetch", timeout=PATIENCE)
    polls = [request for request in site.asked if request.resource_type == "fetch"]
    assert polls
    assert {request.headers["if-none-match"] for request in polls} == {'"v1"'}
    assert page.evaluate("document.getElementById('a').mine") is True


def test_live_page_changed_is_merged_and_keeps_what_the_visitor_holds(show, site):
    before = (
        '<details id="d"><summary>More</summary>x</details><input id="f" value="">'
        '<ul><li data-key="m1">waiting</li><li data-key="m2">waiting</li></ul>'
    )
    page = show(LIVE.format(badge="", now=before))
    page.click("summary")
    page.fill("#f", "half a na")
    page.evaluate("document.querySelector('[data-key=m2]').mine = true")
    changed = before.replace('<li data-key="m1">waiting</li>', '<li data-key="m0">new</li>').replace(
        'm2">waiting', 'm2">playing'
    )
    site.body, site.version = LIVE.format(badge="", now=changed), 2
    expect(page.locator("[data-key=m2]")).to_have_text("playing", timeout=PATIENCE)
    assert page.locator("li").all_inner_texts() == ["new", "playing"]
    assert page.evaluate("document.querySelector('[data-key=m2]').mine") is True
    assert page.evaluate("document.getElementById('d').open") is True
    assert page.input_value("#f") == "half a na"
    assert page.evaluate("document.activeElement.id") == "f"
    expect(page.locator("#announcer")).to_have_text("Updated: new. playing")  # what has changed


def test_live_page_offline_says_so_and_comes_back(show, site):
    page = show(LIVE.format(badge=BADGE, now="1"))
    site.broken = True
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "offline", timeout=PATIENCE)
    site.broken, site.version, site.body = False, 2, LIVE.format(badge=BADGE, now="2")
    expect(page.locator("#now")).to_have_text("2", timeout=PATIENCE)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "online")


def test_stepper_stays_between_its_limits(show):
    page = show(
        '<label for="s">Ada</label><div data-stepper><input id="s" type="number" min="0" max="2" value="1"></div>'
    )
    page.get_by_role("button", name="More: Ada").click()
    assert page.input_value("#s") == "2"
    assert page.get_by_role("button", name="More: Ada").is_disabled()
    for _ in range(2):
        page.get_by_role("button", name="Less: Ada").click()
    assert page.input_value("#s") == "0"
    assert page.get_by_role("button", name="Less: Ada").is_disabled()


def test_combobox_is_driven_by_the_keyboard(show):
    page = show(
        '<label for="q">Player</label><div data-combobox="/find" data-combobox-target="#chosen"><input id="q"></div>'
        '<input id="chosen" type="hidden">'
    )
    page.type("#q", "ada")
    expect(page.get_by_role("option")).to_have_count(2)
    expect(page.locator("#announcer")).to_have_text("2 found")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute("#q", "aria-activedescendant")
    assert page.inner_text(f"#{active}") == "Adam Brandt"
    page.keyboard.press("Enter")
    assert page.input_value("#q") == "Adam Brandt"
    assert page.input_value("#chosen") == "p2"
    page.type("#q", "x")  # other words than the chosen name: the choice is gone
    assert page.input_value("#chosen") == ""


def test_long_table_is_narrowed_to_what_is_typed_and_stays_so_when_the_page_renews_itself(show, site):
    def table(names: list[str]) -> str:
        rows = [
            f'<tr data-key="{n}"><td>{n}</td><th>{name}</th></tr>' for n, name in enumerate(names, start=1)
        ]
        shape = render_to_string("_find_rows.html", {"rows": names})
        return f"<section>{shape}<table><tbody>{''.join(rows)}</tbody></table></section>"

    names = [f"Player {n}" for n in range(60)]
    page = show(table(names))
    assert page.get_by_role("searchbox").count() == 0  # so many are found by looking
    page = show(LIVE.format(badge="", now=table([*names, "Zoë Müller"])))
    page.get_by_role("searchbox", name="Find a player").fill("muller")
    shown = page.locator("tbody tr:not([hidden]) th")
    expect(shown).to_have_text(["Zoë Müller"])
    expect(page.locator("#announcer")).to_have_text("1 found")
    site.body, site.version = LIVE.format(badge="", now=table(["Ada Muller", *names, "Zoë Müller"])), 2
    expect(shown).to_have_text(["Ada Muller", "Zoë Müller"], timeout=PATIENCE)
    page.get_by_role("searchbox").fill("nobody")
    expect(shown).to_have_count(0)
    page.get_by_role("searchbox").fill("")
    expect(shown).to_have_count(62)


def test_search_opens_by_keys_from_anywhere_and_closes_by_them(show):
    page = show(
        '<a href="/search/" data-dialog="site-search">Search</a><input id="other"><dialog id="site-search">'
        '<form><div data-combobox="/find" data-combobox-go><input name="q" aria-label="Who"></div></form></dialog>'
    )
    page.focus("#other")
    page.keyboard.press("Control+k")
    page.keyboard.type("ada")
    expect(page.get_by_role("option")).to_have_count(2)
    assert page.input_value("[name=q]") == "ada"
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.click("a")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_form_with_a_question_is_sent_after_yes_alone_and_once(show, site):
    page = show(
        '<form method="post" action="/go" data-confirm="Sure?"><button name="b" value="1">Withdraw</button></form>'
    )
    page.click("form button")
    page.get_by_role("button", name="Cancel").click()
    assert site.sent == []
    page.click("form[action] button")
    with page.expect_response(lambda answer: answer.request.method == "POST", timeout=PATIENCE):
        page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    page.evaluate("document.querySelector('form[action]').requestSubmit()")
    page.wait_for_timeout(200)  # time for what must not come
    assert site.sent == ["b=1"]


def test_theme_is_kept_and_forgotten(show):
    page = show("<button data-theme-toggle>Switch between light and dark</button>")
    root = page.locator("html")
    page.click("button")
    expect(root).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    page.click("button")
    assert page.evaluate("document.documentElement.dataset.theme") is None


def test_menu_closes_with_escape_and_gives_focus_back(show):
    page = show('<details class="menu"><summary>Me</summary><a href="#x">Account</a></details>')
    page.click("summary")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.evaluate("document.querySelector('details').open") is False
    assert page.evaluate("document.activeElement.nodeName") == "SUMMARY"


def test_share_when_the_browser_can_then_link_and_picture_and_else_there_is_no_button(show):
    body = (
        '<button hidden data-share="https://x.example/q/1/" data-share-title="Take?" data-share-picture="/card.png">Share</button>'
        '<input id="share-url" value="https://x.example/q/1/">'
    )
    page = show(body)
    expect(page.locator("[data-share]")).to_be_hidden()
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async ({ title, url, files }) => {"
        " const given = [title, url, ...files.map((one) => `${one.name} ${one.type}`)]; document.body.dataset.given = given.join(' | '); };"
    )
    show(body)
    page.click("[data-share]")
    given = "Take? | https://x.example/q/1/ | position.png image/png"
    expect(page.locator("body")).to_have_attribute("data-given", given, timeout=PATIENCE)
    page.evaluate(
        "() => { navigator.share = async () => { throw new DOMException('no', 'NotAllowedError'); }; }"
    )
    page.click("[data-share]")
    expect(page.locator("#share-url")).to_be_focused(timeout=PATIENCE)
