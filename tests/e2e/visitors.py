"""People at a browser. A visitor is one window of one browser context, and an eye on everything that goes wrong in it.

What counts as trouble: an error in a script or on the console (a violation of the content policy is one), a request that
fails, as each one does that leaves the site, an answer of 400 or more that the test did not announce with ``may_see``; 500 always.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
)

PATIENCE = 20_000  # milliseconds; a busy machine with two cores must not fail what is right
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
ANSWERED = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")
expect.set_options(timeout=PATIENCE)


@dataclass
class Visitor:
    """One person with one window on the site."""

    name: str
    site: str
    context: BrowserContext
    page: Page
    troubles: list[str] = field(default_factory=list)
    announced: set[int] = field(default_factory=set)

    def goes_to(self, address: str) -> "Visitor":
        """Open a path of the site, or a whole address that the site itself gave out."""
        self.page.goto(address if address.startswith(self.site) else self.site + address)
        return self

    def may_see(self, *statuses: int) -> "Visitor":
        """From here on an answer with such a status is part of the story (422: a form shows what is wrong)."""
        self.announced |= set(statuses)
        return self

    def clicks(self, words: str) -> "Visitor":
        """The first visible button or link that reads so; what happens then stays in this page."""
        self._named(words, "button", "link").click()
        return self

    def follows(self, words: str) -> "Visitor":
        """A link, to the page behind it."""
        with self.page.expect_navigation():
            self._named(words, "link").click()
        return self

    def sends(self, words: str) -> "Visitor":
        """The button of a form on the page itself (not in the header); back when the answer is there."""
        with self.page.expect_navigation():
            self._named(words, "button", within="main, dialog").click()
        return self

    def _named(self, words: str, *roles: str, within: str = "body") -> Locator:
        name = re.compile(rf"^\s*{re.escape(words)}\s*$")
        place = self.page.locator(within)
        found = place.get_by_role(roles[0], name=name)
        for role in roles[1:]:
            found = found.or_(place.get_by_role(role, name=name))
        return found.filter(visible=True).first

    def fills(self, **fields: str | int) -> "Visitor":
        """Type into fields by their names in the form."""
        for name, value in fields.items():
            self.page.locator(f"[name={name}]:visible").first.fill(str(value))
        return self

    def reads(self, words: str) -> "Visitor":
        """The words stand somewhere on the page, or come to stand there."""
        found = True
        try:
            expect(self.page.locator("body")).to_contain_text(words)
        except AssertionError:  # its own message is the whole page, twice
            found = False
        shown = "" if found else self.page.locator("main").inner_text()
        assert found, f"{self.name} does not read {words!r} on {self.page.url}:\n{shown}"
        return self

    def does_not_read(self, words: str) -> "Visitor":
        expect(self.page.locator("body")).not_to_contain_text(words)
        return self

    def marks_window(self) -> "Visitor":
        """Leave something in the window that a reload would wipe away."""
        self.page.evaluate("window.neverReloaded = true")
        return self

    def never_reloaded(self) -> bool:
        return bool(self.page.evaluate("window.neverReloaded === true"))

    def scrolls_sideways(self) -> bool:
        """Whether the page is wider than its window; on a phone it must not be."""
        return bool(
            self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        )

    def keeps_evidence(self, folder: Path, stem: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w.-]+", "_", f"{stem}-{self.name}")[:150]
        self.page.screenshot(path=folder / f"{stem}.png", full_page=True)
        (folder / f"{stem}.html").write_text(f"<!-- {self.page.url} -->\n{self.page.content()}")

    def watch(self) -> None:
        self.page.on("pageerror", lambda error: self.troubles.append(f"script error: {error}"))
        self.page.on("console", self._heard)
        # Not every request and answer, of which a page has some fifty: telling of them takes as long as the page itself.
        self.page.on("requestfailed", self._failed)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        # Chromium tells there of every answer of 400 and more, to whatever asked.
        answered = ANSWERED.match(message.text)
        if answered is None:
            self.troubles.append(f"console: {message.text}")
        elif int(answered[1]) >= 500 or int(answered[1]) not in self.announced:
            self.troubles.append(f"answered {answered[1]}: {message.location['url']}")

    def _failed(self, request: Request) -> None:
        # A page that is left, or hidden, drops what it was asking for.
        if request.failure not in {"net::ERR_ABORTED", "NS_BINDING_ABORTED"}:
            self.troubles.append(f"request failed: {request.url} {request.failure}")


@dataclass
class House:
    """The site and everybody who came; ``house.visitor("Ann", phone=True)`` lets one more in."""

    browser: Browser
    site: str
    visitors: list[Visitor] = field(default_factory=list)

    def visitor(
        self,
        name: str,
        *,
        phone: bool = False,
        javascript: bool = True,
        dark: bool = False,
        language: str = "en-GB",
        size: dict[str, int] | None = None,
        worker: bool = False,
    ) -> Visitor:
        """A fresh browser context: no cookie of anybody else. ``worker``: it takes the service worker of the site.

        Firefox has no windows that are a phone's but for their size, and is told its colours when it starts.
        """
        chromium = self.browser.browser_type.name == "chromium"
        context = self.browser.new_context(
            viewport=size or (PHONE if phone else DESKTOP),
            has_touch=phone and chromium,
            is_mobile=phone and chromium,
            device_scale_factor=2 if phone else 1,
            java_script_enabled=javascript,
            color_scheme=("dark" if dark else "light") if chromium else "null",
            locale=language,
            timezone_id="Europe/Berlin",
            reduced_motion="reduce" if chromium else "null",
            service_workers="allow" if worker else "block",
        )
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(name, self.site, context, context.new_page())
        visitor.watch()
        self.visitors.append(visitor)
        return visitor

    def troubles(self) -> list[str]:
        return [f"{visitor.name}: {trouble}" for visitor in self.visitors for trouble in visitor.troubles]

    def keeps_evidence(self, folder: Path, stem: str) -> None:
        for number, visitor in enumerate(self.visitors):
            visitor.keeps_evidence(folder, f"{stem}-{number}")

    def closes(self) -> None:
        for visitor in self.visitors:
            visitor.context.close()
