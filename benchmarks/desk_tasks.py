"""Count the effort of a director's tasks in Chromium: clicks, keys, page loads and seconds; and how many matches are visible.

    .venv/bin/python benchmarks/desk_tasks.py [--entries N] [--tables N]

Needs Chromium and the tools of `make setup`. The site is served as `make run` serves it, from a database in a temporary folder. Each task
begins on the page where a director is when it arises (named in the table), and ends when the response is on the screen. The seconds are
those of the programs: Playwright is faster than a person. The figures from before the present board and command bar are in `EXPERIENCE_BEFORE`.
"""

import argparse
import os
import random
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from board import EMAIL, PASSWORD, full_hall
from django.urls import reverse
from django.utils import timezone
from events import FOLDER, call_command
from playwright.sync_api import Browser, Page, expect, sync_playwright
from served import served

from people.actors import Actor
from people.models import User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Event, Match, Stage

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop in this thread
SIZES = {"1440×900": (1440, 900), "1920×1080": (1920, 1080)}
BEFORE = {
    "enter 40 by paste": "4 clicks, 1.4 s; names only",
    "enter one by typing": "2 s; a look-alike name interrupts and the focus is lost",
    "draw and publish": "3 clicks, 2.6 s",
    "call": "1 click",
    "a result, by mouse": "3 page loads, 2.4–2.7 s, then at the top of the board",
    "a result, by keys in its line": "27 Tabs to the first result, 21 more to the score",
    "a result, with the command bar": "not there",
    "a result, on a phone": "10 taps and scrolling",
    "correct a result": "6 clicks, under 1 s",
    "print match slips": "not there",
    "in view, 1440×900, one status": "a page of 3,257 px for 32",
    "in view, 1440×900, five": "3 of 32",
    "in view, 1920×1080, one status": "not counted",
    "in view, 1920×1080, five": "not counted",
    "first match on a phone": "y = 810 of 844",
}
# Nobody whom the other events know.
NEW_NAMES = ("Aurelie", "Bjarne", "Chidi", "Dagny", "Eluned", "Fiorenza", "Goran", "Hiroko", "Iolo")
NEW_SURNAMES = ("Quistgaard", "Oyelaran", "Vuković", "Llewellyn", "Tanizaki")
IN_VIEW = """() => {
  const top = document.querySelector(".app-header").getBoundingClientRect().bottom;
  const boxes = [...document.querySelectorAll(".desk-row")].map((row) => row.getBoundingClientRect());
  return boxes.filter((box) => box.top >= top && box.bottom <= innerHeight).length;
}"""


@dataclass
class Hand:
    """Somebody at a window: what is pressed and what the window loads is counted."""

    page: Page
    clicks: int = 0
    keys: int = 0
    loads: int = 0

    def watch(self) -> "Hand":
        self.page.on("load", lambda _page: self._loaded())
        return self

    def _loaded(self) -> None:
        self.loads += 1

    def click(self, role: str, name_pattern: str, *, navigates: bool = False) -> "Hand":
        element = self.page.locator("main, dialog").get_by_role(role, name=re.compile(name_pattern)).first
        return self.press(element.click, navigates=navigates)

    def touch(
        self, selector: str, *, navigates: bool = False, tap: bool = False, **locator_options: str
    ) -> "Hand":
        element = self.page.locator(selector, **locator_options).first
        return self.press(lambda: element.tap() if tap else element.click(), navigates=navigates)

    def press(self, action: Callable[[], None], *, navigates: bool = False) -> "Hand":
        self.clicks += 1
        if navigates:
            with self.page.expect_navigation():
                action()
        else:
            action()
        return self

    def type(self, text: str) -> "Hand":
        self.page.keyboard.type(text)
        self.keys += len(text)
        return self

    def hit(self, *names: str) -> "Hand":
        for name in names:
            self.page.keyboard.press(name)
            self.keys += 1
        return self

    def sees(self, pattern: str) -> "Hand":
        expect(self.page.locator("body")).to_contain_text(re.compile(pattern))
        return self


class Tasks:
    """What is counted, and the lines of the table."""

    def __init__(self, site: str, browser: Browser) -> None:
        self.site = site
        self.browser = browser
        self.rows: list[tuple[str, str]] = []

    def hand(self, *, phone: bool = False, size: tuple[int, int] = (1440, 900)) -> Hand:
        width, height = (390, 844) if phone else size
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone, locale="en-GB"
        )
        page = context.new_page()
        page.goto(f"{self.site}{reverse('account_login')}")
        page.locator("[name=login]").fill(EMAIL)
        page.locator("[name=password]").fill(PASSWORD)
        with page.expect_navigation():
            page.locator("main button[type=submit]").first.click()
        return Hand(page).watch()

    def opens(self, hand: Hand, name: str, event: Event) -> Hand:
        hand.page.goto(f"{self.site}{reverse(f'director:{name}', args=[event.public_id])}")
        hand.clicks = hand.keys = hand.loads = 0
        return hand

    @contextmanager
    def task(self, name: str, hand: Hand, unit: str = "clicks") -> Iterator[None]:
        hand.clicks = hand.keys = hand.loads = 0
        start = time.monotonic()
        yield
        seconds = time.monotonic() - start
        parts = [
            f"{hand.clicks} {unit if hand.clicks > 1 else unit[:-1]}" if hand.clicks else "",
            f"{hand.keys} keys" if hand.keys else "",
        ]
        parts += [f"{hand.loads} page load{'s' if hand.loads != 1 else ''}", f"{seconds:.1f} s"]
        self.notes(name, ", ".join(filter(None, parts)))

    def notes(self, name: str, text: str) -> None:
        self.rows.append((name, text))
        print(f"{name}: {text}", flush=True)


def entered(user: User, entries: int, tables: int, rng: random.Random) -> Event:
    """An event with its entries, not drawn."""
    actor, today = Actor.of(user), timezone.now().date()
    event = create_event(
        actor=actor,
        club_id=user.memberships.get().club_id,
        details=EventDetails(name="Open", starts_on=today, ends_on=today, tables=tables),
        stage=StageDetails(lengths=[7]),
    )
    division = Division.objects.get(event=event)
    names = [NewEntry(name=name) for name in people_names(entries, rng)]
    if names:
        add_entries(actor=actor, event_id=event.pk, division_id=division.pk, entries=names)
    return event


def published(user: User, event: Event) -> Event:
    actor, stage = Actor.of(user), Stage.objects.get(division__event=event)
    draw_stage(actor=actor, event_id=event.pk, stage_id=stage.pk, seed=1)
    publish_draw(actor=actor, event_id=event.pk, stage_id=stage.pk)
    return event


def before_the_draw(tasks: Tasks, event: Event) -> None:
    hand = tasks.opens(tasks.hand(), "entries", event)
    names = [f"{first} {last}" for last in NEW_SURNAMES for first in NEW_NAMES]
    with tasks.task("enter 40 by paste", hand):
        hand.click("link", "^Import entries", navigates=True)
        hand.page.keyboard.insert_text("\n".join(names[:40]))
        hand.click("button", "^Review$", navigates=True).click("button", "^Enter 40 players", navigates=True)
        hand.sees("40 players are entered")
    hand.page.goto(f"{hand.page.url.partition('?')[0]}?next")
    with tasks.task("enter one by typing", hand):
        hand.type(names[40])
        expect(hand.page.locator("main .combobox-list")).to_be_visible()
        with hand.page.expect_navigation():
            hand.hit("Enter")
        hand.sees(f"{names[40]} is entered")
    with tasks.task("draw and publish", hand):
        hand.click("button", "^Make the draw$", navigates=True).click(
            "button", "^Publish the draw$", navigates=True
        )
        hand.sees("The draw is published")


def ready(event: Event, index: int) -> Match:
    """A match that stands at a table and has no result."""
    matches = Match.objects.filter(stage__division__event=event, table__isnull=False, status="ready")
    return list(matches.order_by("table"))[index]


def names_of(match: Match) -> list[str]:
    return [slot.entry.name for slot in match.slots.order_by("side").select_related("entry") if slot.entry]


def at_the_board(tasks: Tasks, event: Event) -> None:
    hand = tasks.opens(tasks.hand(), "board", event)
    with tasks.task("call", hand):
        hand.click("button", "^Call next match$").sees("Called: ")
    match = ready(event, 3)
    row, (left, right) = f"#m-{match.public_id}", names_of(match)
    with tasks.task("a result, by mouse", hand):
        hand.touch(f"{row} .desk-a").touch(f"{row} .desk-numbers button", has_text="3")
        hand.touch(f"{row} .desk-form button[type=submit]").sees(f"{left} 7–3 {right}")
    hand.page.keyboard.press("Home")
    with tasks.task("a result, by keys in its line", hand):
        hand.hit("j", "Enter", "ArrowRight", "3", "Enter").sees("3–7")
    match = ready(event, 5)
    left, right = names_of(match)
    with tasks.task("a result, with the command bar", hand):
        hand.type("/").type(f"{match.table} 7-3").hit("Enter").sees(
            f"Table {match.table}: {left} 7–3 {right}"
        )
    match = ready(event, 6)
    hand.page.locator(f"#m-{match.public_id} .desk-number a").click()
    with hand.page.expect_navigation():
        hand.page.locator("label.choice", has_text=names_of(match)[0]).first.click()
        hand.page.get_by_role("button", name="Record result").last.click()
    hand.page.goto(f"{tasks.site}{reverse('director:match', args=[event.public_id, match.public_id])}")
    with tasks.task("correct a result", hand):
        hand.touch("summary", has_text="Correct result").touch("label.choice", has_text=names_of(match)[1])
        hand.click("button", "^Preview changes$", navigates=True)
        hand.click("button", "^Correct result$", navigates=True).sees("0–7")
    tasks.opens(hand, "board", event)
    with tasks.task("print match slips", hand):
        hand.touch("nav.tabs a", has_text="Print", navigates=True).click(
            "button", "^Show ?: Match slips", navigates=True
        )
        expect(hand.page.get_by_role("button", name="Print", exact=True)).to_be_focused()

    phone = tasks.opens(tasks.hand(phone=True), "board", event)
    tasks.notes(
        "first match on a phone",
        f"y = {phone.page.locator('.desk-row').first.bounding_box()['y']:.0f} of 844",
    )
    match = ready(event, 8)
    row, (left, right) = f"#m-{match.public_id}", names_of(match)
    phone.page.locator(row).scroll_into_view_if_needed()
    with tasks.task("a result, on a phone", phone, "taps"):
        phone.touch(row, tap=True).touch(f"{row} .desk-who", has_text=left, tap=True)
        phone.touch(f"{row} .desk-numbers button", has_text="3", tap=True)
        phone.touch(f"{row} .desk-form button[type=submit]", tap=True).sees(f"{left} 7–3 {right}")


def in_view(tasks: Tasks, event: Event, statuses: str) -> None:
    for name, size in SIZES.items():
        hand = tasks.opens(tasks.hand(size=size), "board", event)
        visible_rows, row_count = hand.page.evaluate(IN_VIEW), hand.page.locator(".desk-row").count()
        tasks.notes(f"in view, {name}, {statuses}", f"{visible_rows} of {row_count}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=96)
    parser.add_argument("--tables", type=int, default=40)
    options = parser.parse_args()
    program = (
        os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    )
    if program is None:
        sys.exit("needs Chromium: set CHROMIUM")
    call_command("migrate", verbosity=0)
    user = User.objects.create_user(EMAIL, PASSWORD, name="Dora Director")
    rng = random.Random(7)
    busy_event = full_hall(user, options.entries, options.tables, rng)
    fresh_event = published(user, entered(user, options.entries, options.tables, rng))
    empty_event = entered(user, 0, options.tables, rng)
    print(f"{options.entries} entries, {options.tables} tables, in {FOLDER.name}")
    with served("config.rsgi:application") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tasks = Tasks(site, browser)
        in_view(tasks, fresh_event, "one status")
        in_view(tasks, busy_event, "five")
        before_the_draw(tasks, empty_event)
        at_the_board(tasks, fresh_event)
        browser.close()
    print("\n| task | before | now |\n|---|---|---|")
    for name, text in tasks.rows:
        print(f"| {name} | {BEFORE.get(name, '')} | **{text}** |")


if __name__ == "__main__":
    main()
