"""A whole small evening by one line: called, recorded, refused, asked, taken back, without a mouse and without leaving the board."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.e2e.pages import Director
from tests.e2e.readers import violations
from tests.factories import a_club, a_user, an_event
from tournaments.models import Event, Match, Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST_KEYS = 12


@pytest.fixture
def tournament():
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    return an_event(
        8,
        club=a_club(user, "Hall Club"),
        director=user,
        tables=4,
        lengths=[5],
        starts_on=today,
        ends_on=today,
    ).publish()


class Line:
    """The field, by keys alone; ``keys`` counts those of the last line."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.field = page.get_by_role("combobox", name=re.compile("^Command bar"))
        self.heard = page.locator("#desk-line-heard")
        self.answer = page.locator(".desk-line-answer")
        self.keys = 0

    def types(self, text: str) -> "Line":
        """From wherever the focus is: the slash, then the line."""
        self.keys = len(text)
        if not self.field.evaluate("node => node === document.activeElement"):
            self.page.keyboard.press("/")
            self.keys += 1
        expect(self.field).to_be_focused()
        self.page.keyboard.type(text)
        return self

    def presses(self, *names: str) -> "Line":
        for name in names:
            self.page.keyboard.press(name)
            self.keys += 1
        return self

    def hears(self, words: str | re.Pattern[str]) -> "Line":
        expect(self.heard).to_contain_text(words)
        return self

    def answers(self, words: str | re.Pattern[str]) -> "Line":
        expect(self.answer).to_contain_text(words)
        return self

    def records(self, text: str, words: str) -> "Line":
        """Typed and sent without a look: Enter waits for what it means."""
        self.types(text).presses("Enter")
        assert self.keys <= MOST_KEYS
        return self.answers(words)


def names_at(tournament, number: int) -> list[str]:
    match = Match.objects.get(stage=tournament.stage, number=number)
    return [tournament.entry_at(match, side).name for side in "ab"]


def test_evening_of_eight_by_the_line_alone(house, tournament):
    director = Director(house, "Hanna").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("board").visitor.marks_window()
    line = Line(director.page)
    left, right = names_at(tournament, 1)

    line.types("call").hears(f"Call #1 · {left} – {right} to table 1").presses("Enter").answers("to table 1")
    # Shown before Enter: the winner, the match, what follows.
    line.types(f"1 {left.lower()} 3").hears(f"Table 1 · #1 · {left} 5–3 {right}, to 5")
    line.hears(f"{left} plays #5 (Semifinal), waits for #2").presses("Enter")
    line.answers(f"Table 1: {left} 5–3 {right} · table 1 becomes free")
    assert line.keys <= MOST_KEYS
    # The board follows at once, without a reload.
    expect(director.page.locator(".desk-row[data-status=called]")).to_have_count(0)

    # Taken back with Ctrl-Z in the empty line, and recorded as it was meant.
    line.presses("Control+z").hears("Undo · Match 1: 5–3, confirmed.").presses("Enter").answers("Undone")
    assert Match.objects.get(stage=tournament.stage, number=1).score_a is None
    line.records("1 3-5", f"Table 1: {right} 5–3 {left}")

    # Refused, with the reason and who reported it; nothing changes.
    line.types(f"1 {left.lower()}").hears(f"Already reported: {right} 5–3 {left}, by Hanna Hall at")
    line.presses("Enter").hears("Already reported").presses("Escape")
    expect(line.field).to_have_value("")
    # Two fit: asked, chosen with the arrow.
    line.types("2 w/o").hears("Several commands are possible")
    options = director.page.locator("#desk-line-choices").get_by_role("option")
    expect(options).to_have_count(2)
    assert violations(director.page) == []
    line.presses("ArrowDown", "ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    line.presses("Enter").answers("walkover")

    # Typed on without waiting for an answer.
    third, _other = names_at(tournament, 3)
    line.types(f"{third.lower()} 5 1").presses("Enter")
    line.types("4 5-0").presses("Enter").answers("Table 4")
    assert Match.objects.filter(stage=tournament.stage, number__lte=4, status="confirmed").count() == 4
    line.records("#5 5-2", "5–2").records("#6 0-5", "5–0").records("#7 5-4", "5–4")
    assert tournament.fresh().status == "finished"
    assert director.visitor.never_reloaded()


def test_answer_when_it_is_lost_then_the_line_is_sent_again_and_records_nothing_twice(house, tournament):
    director = Director(house, "Hanna").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("board")
    line = Line(director.page)
    address = re.compile(r"/line/$")  # what is done, not what is shown
    lost: list[str] = []

    def lose(route: Route) -> None:
        route.fetch()
        lost.append(str(route.request.post_data))
        route.abort("aborted")

    director.page.route(address, lose, times=1)
    line.types("1 5-3").hears("5–3").presses("Enter").answers("Table 1: ")
    assert len(lost) == 1
    assert Report.objects.count() == 1


def test_line_on_a_phone_stands_under_the_thumb_and_leads_to_its_words(house, tournament):
    director = Director(house, "Hanna", phone=True).signs_in(tournament.director)
    director.event = Event.objects.get(pk=tournament.event.pk)
    left, _right = names_at(tournament, 2)
    for page in ("board", "event"):
        director.opens(page)
        line = Line(director.page)
        box = line.field.bounding_box()
        assert box is not None
        assert box["y"] > 500
        line.field.tap()
        director.page.keyboard.type(f"2 {left.lower()}")
        line.hears(f"{left} 5–0")
        typed = line.field.bounding_box()
        assert typed is not None
        assert typed["width"] > 320  # all of the bar while something is typed
        heard = line.heard.bounding_box()
        assert heard is not None
        assert heard["y"] + heard["height"] <= box["y"] + 1
        assert not director.visitor.scrolls_sideways()
        line.presses("Escape")
    director.page.keyboard.type("?")
    line.hears("All commands").presses("Enter")
    director.page.wait_for_url(f"**{reverse('director:line-help', args=[tournament.event.public_id])}")
    director.reads("kampflos")
    assert violations(director.page) == []
