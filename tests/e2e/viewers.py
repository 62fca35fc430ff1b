"""Somebody who checks and replays game records."""

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.pages import Person


class Reader(Person):
    """At the page “check a record” and in the viewer."""

    def checks(self, file: Path) -> "Reader":
        self.goes_to("/records/")
        self.page.locator("input[type=file]").set_input_files(file)
        return self.sends("Check file")

    @property
    def viewer(self) -> Locator:
        return self.page.locator("[data-viewer]")

    def ready(self) -> "Reader":
        """The script has taken over."""
        expect(self.viewer).to_have_class(re.compile("is-ready"))
        return self

    def presses(self, *keys: str) -> "Reader":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def stands_at(self, game: int, turn: int) -> "Reader":
        expect(self.viewer).to_have_attribute("data-game", str(game))
        expect(self.viewer).to_have_attribute("data-turn", str(turn))
        return self

    def notes_turns(self) -> "Reader":
        """From here on the page remembers every turn that it shows, however short."""
        self.page.evaluate(
            """() => {
              const viewer = document.querySelector("[data-viewer]");
              window.turns = [];
              new MutationObserver(() => window.turns.push(viewer.dataset.turn))
                .observe(viewer, { attributeFilter: ["data-turn"] });
            }"""
        )
        return self

    def has_passed(self, *turns: str) -> "Reader":
        """One after the other, since they are noted."""
        self.page.wait_for_function(
            "turns => turns.every((turn, place) => window.turns[place] === turn)", arg=list(turns)
        )
        return self

    def hears(self, words: str) -> "Reader":
        """What a screen reader says after a step."""
        expect(self.page.locator("[aria-live][data-v=words]")).to_have_text(words)
        return self

    def swipes(self, towards: str) -> "Reader":
        """A finger across the board."""
        box = self.page.locator(".viewer-board").bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        begin, end = box["x"] + box["width"] * 0.7, box["x"] + box["width"] * 0.3
        if towards == "right":
            begin, end = end, begin
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": begin, "y": y}]})
        for step in range(1, 6):
            x = begin + (end - begin) * step / 5
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return self

    def sees_checkers(self, number: int, *, on: int, side: str = "white") -> "Reader":
        """Drawn checkers of a side on one of its own places."""
        drawn = self.page.locator(f"svg.board circle.board-{side}[data-place='{on}']")
        expect(drawn).to_have_count(number)
        return self
