"""Take the screenshots of the documentation: start a demo with separate data, open its pages in a browser, and save them to docs/img.

`python tools/screenshots.py [FOLDER [NAME…]] [--all]`; with `--all`, every page, or those named, is captured in light and dark, at 390, 1440
and 1920 px, for review. Needs Chromium and the development requirements.
"""

import queue
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.try_run import free_port, read, start, until_ready  # noqa: E402

PHONE, DESKTOP, WIDE = (390, 844), (1440, 900), (1920, 1080)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DIRECTOR, PASSWORD = "director@example.org", "crawford-demo"
RECORD = b""" 7 point match

 Game 1
 Ada Abell : 0                       Bo Berg : 0
  1) 31: 8/5 6/5                      42: 8/4 6/4
  2) 65: 24/18 18/13                  31: 8/5 6/5
  3) 64: 24/18 13/9                   63: 13/7* 13/10
  4) 52: bar/23 13/8                  61: 10/4 8/7
  5) 43: 13/10 13/9                   Doubles => 2
  6) Takes                            55: 13/3 13/3
  7) 61: 10/4 5/4                     64: 24/20 24/18
"""


@dataclass(frozen=True)
class Walk:
    """A browser page on the demo site, used to find addresses that differ in each run."""

    site: str
    page: Page

    def go(self, address: str) -> None:
        self.page.goto(address if address.startswith("http") else self.site + address)

    def link(self, selector: str) -> str:
        return self.site + str(self.page.locator(selector).first.get_attribute("href"))


Find = Callable[[Walk], None]


@dataclass(frozen=True)
class Shot:
    """A page to be captured: how to reach it, and in which windows.

    ``full``: capture the whole page and not only what fits in the window.
    """

    name: str
    find: Find
    signed_in: bool = False
    phone: bool = True
    desktop: bool = True
    dark: bool = False
    full: bool = False


def event(name: str, part: str = "") -> Find:
    def find(walk: Walk) -> None:
        walk.go("/")
        address = walk.link(f"a:has-text('{name}')")
        walk.go(f"{address}{part}")

    return find


def director_page(name: str, part: str = "") -> Find:
    def find(walk: Walk) -> None:
        walk.go("/direct/")
        address = walk.link(f"main a[href^='/direct/events/']:has-text('{name}')")
        # The nearest link may already lead to a page of the event.
        event_path = re.match(r".*/direct/events/[^/]+/", address)
        walk.go(f"{event_path[0] if event_path else address}{part}")

    return find


def from_event(name: str, selector: str) -> Find:
    """Return a function that opens a page by following one link on the event's page."""

    def find(walk: Walk) -> None:
        event(name)(walk)
        walk.go(walk.link(selector))

    return find


def rating_list(walk: Walk) -> None:
    walk.go("/")
    walk.go(walk.link("main a[href*='/c/']"))
    walk.go(walk.link("main a[href*='/r/']"))


def open_rating_explanation(walk: Walk) -> None:
    from_event("Autumn Open", "main .champion a[href*='/p/']")(walk)
    walk.go(walk.link("main a[href*='/why/']"))


def club(walk: Walk) -> None:
    walk.go("/")
    walk.go(walk.link("main a[href*='/c/']"))


def decide(walk: Walk) -> None:
    director_page("Harbour Weekend", "matches/")(walk)
    walk.go(walk.link(".desk-row[data-status=disputed] .desk-number a"))


def correction(walk: Walk) -> None:
    """Open the preview of another winner for a match on which later matches depend."""
    event("Harbour Weekend", "bracket/")(walk)
    match = walk.link("main a[href*='/m/']").rpartition("/m/")[2]
    director_page("Harbour Weekend", f"matches/{match}")(walk)
    form = walk.page.locator("details.correction")
    walk.page.locator("details.correction > summary").click()
    sides = [form.locator(f"[name={name}]") for name in ("score_a", "score_b")]
    scores = [side.input_value() for side in sides]
    for side, score in zip(sides, reversed(scores), strict=True):
        side.fill(score)
    with walk.page.expect_navigation():
        form.locator("form > [type=submit]").click()


def personal_page(status: str) -> Find:
    """Return a function that opens the personal page of a player whose match has this status."""

    def find(walk: Walk) -> None:
        director_page("Harbour Weekend", "matches/")(walk)
        name = walk.page.locator(f".desk-row[data-status={status}] .desk-name").first.inner_text().strip()
        director_page("Harbour Weekend", "links/")(walk)
        walk.page.locator("main input[type=search], main input[name=q]").first.fill(name)
        with walk.page.expect_navigation():
            walk.page.keyboard.press("Enter")
        link = re.search(r"https?://[^\s\"'<]+/my/[^\s\"'<]+/", walk.page.content())
        if link is None:
            sys.exit("The page of personal links is empty.")
        walk.go(link[0])

    return find


def replay(walk: Walk) -> None:
    walk.go("/records/")
    record: FilePayload = {"name": "evening.mat", "mimeType": "text/plain", "buffer": RECORD}
    walk.page.locator("input[type=file]").first.set_input_files(record)
    with walk.page.expect_navigation():
        walk.page.locator("main form [type=submit]").first.click()


SHOTS = [
    Shot("home", lambda walk: walk.go("/")),
    Shot("event", event("Harbour Weekend")),
    Shot("bracket", event("Harbour Weekend", "bracket/")),
    Shot("swiss", event("Tuesday Swiss"), desktop=False),
    Shot("league", event("Harbour League"), phone=False),
    Shot("hall", event("Harbour Weekend", "?view=hall"), phone=False, dark=True),
    Shot("finished", event("Autumn Open"), desktop=False),
    Shot("open", event("Winter Cup")),
    Shot("match", from_event("Harbour Weekend", "main a[href*='/m/']"), desktop=False),
    Shot("player", from_event("Autumn Open", "main .champion a[href*='/p/']")),
    Shot("club", club, phone=False),
    Shot("ratings", rating_list),
    Shot("why", open_rating_explanation, desktop=False),
    Shot("my-match", personal_page("playing"), signed_in=True, desktop=False),
    Shot("my-dispute", personal_page("disputed"), signed_in=True, desktop=False, dark=True),
    Shot("overview", director_page("Harbour Weekend"), signed_in=True),
    Shot("settings", director_page("Harbour Weekend", "settings/schedule/"), signed_in=True, phone=False),
    Shot("direct", lambda walk: walk.go("/direct/"), signed_in=True, phone=False),
    Shot("board", director_page("Harbour Weekend", "matches/"), signed_in=True),
    Shot("hold-ups", director_page("Harbour Weekend", "hold-ups/"), signed_in=True),
    Shot("correction", correction, signed_in=True, phone=False, full=True),
    Shot(
        "next-season", director_page("Harbour League", "season/next/"), signed_in=True, phone=False, full=True
    ),
    Shot("decide", decide, signed_in=True, desktop=False),
    Shot("entries", director_page("Winter Cup", "entries/"), signed_in=True, desktop=False),
    Shot("links-sheet", director_page("Harbour Weekend", "links/sheet/"), signed_in=True, phone=False),
    Shot("replay", replay),
    Shot("sign-in", lambda walk: walk.go("/account/login/"), desktop=False),
]


@contextmanager
def demo() -> Iterator[str]:
    """Run a demo site with separate data and yield its address."""
    with tempfile.TemporaryDirectory(prefix="crawford-pictures-") as folder:
        process, output = start(folder, free_port()), list[str]()
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=read, args=(process, lines), daemon=True).start()
        try:
            yield until_ready(lines, output)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def window(browser: Browser, size: tuple[int, int], *, dark: bool, scale: float) -> BrowserContext:
    return browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=scale,
        has_touch=size == PHONE,
        is_mobile=size == PHONE,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="Europe/Helsinki",
    )


def sign_in(walk: Walk) -> None:
    walk.go("/account/login/")
    walk.page.locator("[name=login]").fill(DIRECTOR)
    walk.page.locator("[name=password]").fill(PASSWORD)
    with walk.page.expect_navigation():
        walk.page.locator("main form [type=submit]").first.click()


def is_wanted(shot: Shot, size: tuple[int, int], *, dark: bool, everything: bool) -> bool:
    if everything:
        return True
    return dark == shot.dark and (shot.phone if size == PHONE else shot.desktop)


def take(browser: Browser, site: str, folder: Path, names: list[str], *, everything: bool) -> int:
    picture_count = 0
    selected_shots = [shot for shot in SHOTS if not names or shot.name in names]
    for size in (PHONE, DESKTOP, WIDE) if everything else (PHONE, DESKTOP):
        for dark in (False, True):
            shots = [
                shot for shot in selected_shots if is_wanted(shot, size, dark=dark, everything=everything)
            ]
            for signed_in in (False, True):
                context = window(browser, size, dark=dark, scale=1 if everything or size != PHONE else 1.5)
                walk = Walk(site, context.new_page())
                if signed_in and any(shot.signed_in for shot in shots):
                    sign_in(walk)
                for shot in shots:
                    if shot.signed_in is not signed_in:
                        continue
                    shot.find(walk)
                    walk.page.wait_for_timeout(400)  # images and fonts load after the page
                    suffix = "-dark" if everything and dark else ""
                    walk.page.screenshot(
                        path=folder / f"{shot.name}-{size[0]}{suffix}.png", full_page=everything or shot.full
                    )
                    picture_count += 1
                context.close()
    return picture_count


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = Path(arguments[0]) if arguments else ROOT / "docs" / "img"
    folder.mkdir(parents=True, exist_ok=True)
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("Chromium is not installed.")
    with demo() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        picture_count = take(browser, site, folder, arguments[1:], everything="--all" in sys.argv)
        browser.close()
    size = sum(file.stat().st_size for file in folder.glob("*.png"))
    print(f"{picture_count} pictures in {folder}, {size / 1e6:.1f} MB in all")


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    main()
