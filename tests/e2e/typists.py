"""Somebody who has a keyboard and nothing else.

Every method presses keys. None moves a pointer, sets a value or opens an address, but for the one that is typed into the browser's own
address line at the beginning; ``used_no_mouse`` says whether the window agrees.
"""

import re

from playwright.sync_api import Locator, expect

from tests.e2e.pages import PASSWORD, Person
from tests.e2e.visitors import House

FARTHEST = 45  # presses of Tab after which a keyboard counts as lost
POINTER = """() => addEventListener("pointerdown", () => sessionStorage.setItem("pointer", "used"), true)"""
FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return "";
  const label = node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent ?? "";
  return `${node.tagName.toLowerCase()} ${label.trim().replace(/\\s+/g, " ")}`;
}"""


class Typist(Person):
    """A director without a mouse. ``keys`` counts what was pressed."""

    def __init__(self, house: House, name: str, **window: object) -> None:
        super().__init__(house, name, **window)
        self.page.add_init_script(f"({POINTER})()")
        self.keyboard = self.page.keyboard
        self.keys = 0

    def used_no_mouse(self) -> bool:
        return self.page.evaluate("sessionStorage.getItem('pointer')") is None

    def presses(self, *names: str) -> "Typist":
        for name in names:
            self.keyboard.press(name)
            self.keys += 1
        return self

    def types(self, text: str) -> "Typist":
        self.keyboard.type(text)
        self.keys += len(text)
        return self

    def pastes(self, text: str) -> "Typist":
        """What Ctrl-V does."""
        self.keyboard.insert_text(text)
        self.keys += 2
        return self

    def focus(self) -> str:
        """What has the focus: its tag and what it is called, or nothing."""
        return str(self.page.evaluate(FOCUSED))

    def is_at(self, words: str | re.Pattern[str]) -> "Typist":
        """The focus stands on what is called so, or comes to stand there."""
        for _ in range(80):
            if re.search(words, self.focus()):
                return self
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the focus is not at {words!r} but at {self.focus()!r} on {self.page.url}")

    def finds(self, words: str, *, farthest: int = FARTHEST) -> "Typist":
        """Presses Tab until the focus is on what is called so."""
        passed = []
        while not re.search(words, self.focus()):
            passed.append(self.focus())
            assert len(passed) <= farthest, f"{words!r} is not reached on {self.page.url}; passed: {passed}"
            self.presses("Tab")
        return self

    def skips(self) -> "Typist":
        """Over head and tabs to what the page is about: the first stop of every page."""
        self.presses("Tab").is_at("^a Skip to content$").presses("Enter")
        return self

    def goes(self, key: str) -> "Typist":
        """To a tab of the event."""
        with self.page.expect_navigation():
            self.presses("g", key)
        return self

    def enters(self) -> "Typist":
        """Enter, to the page behind it."""
        with self.page.expect_navigation():
            self.presses("Enter")
        return self

    def signs_in(self, user: object) -> "Typist":
        self.goes_to("/")
        self.finds("^a Sign in · My page$").enters()
        self.is_at("E-?mail").types(str(getattr(user, "email", user))).presses("Tab")
        self.finds("^input Password").types(PASSWORD).enters()
        return self

    # --- the desk line -----------------------------------------------------------------------------------------------

    @property
    def field(self) -> Locator:
        return self.page.get_by_role("combobox", name=re.compile("^Command bar"))

    def says(self, line: str) -> "Typist":
        """A line and Enter, from wherever the focus is on a page that has the line."""
        if not self.field.evaluate("node => node === document.activeElement"):
            self.presses("/")
        expect(self.field).to_be_focused()
        return self.types(line).presses("Enter")

    def hears(self, words: str | re.Pattern[str]) -> "Typist":
        expect(self.page.locator("#desk-line-heard")).to_contain_text(words)
        return self

    def is_answered(self, words: str | re.Pattern[str]) -> "Typist":
        expect(self.page.locator(".desk-line-answer")).to_contain_text(words)
        expect(self.field).to_be_focused()  # the next line can be typed at once
        return self
