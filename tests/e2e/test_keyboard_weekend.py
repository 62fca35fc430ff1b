"""A weekend with a consolation by keyboard alone, from the first page to the last place: 8 entries in every run, 128 in `.ci/long`."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.readers import violations
from tests.e2e.typists import Typist
from tests.factories import a_club, a_user
from tests.support.lanes import ONLY_IN_FULL, in_full
from tests.support.workers import wait_until
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENTRIES = 128 if in_full() else 8
SURNAMES = ("Ace", "Bar", "Cube", "Double", "Edge", "Fork", "Gammon", "Hit")
FIRST = (
    "Ann",
    "Bob",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gil",
    "Hana",
    "Ida",
    "Jon",
    "Kim",
    "Lea",
    "Max",
    "Nia",
    "Oz",
    "Pia",
)
NAMES = [f"{first} {last}" for last in SURNAMES for first in FIRST]


def to_play(event):
    return Match.objects.filter(stage__division__event=event, status__in=["ready", "called", "playing"])


def names_in(match):
    return [slot.entry.name for slot in match.slots.order_by("side").select_related("entry")]


@ONLY_IN_FULL
def test_weekend_by_keyboard_alone_to_its_last_place(house):
    user = a_user("Kim Keys")
    a_club(user, "Keyboard Club")
    kim = Typist(house, "Kim").signs_in(user)
    kim.may_see(409)  # a rejected line
    page = kim.page

    # An event of a kind, its name the only thing that is typed: Enter sends the form.
    kim.skips().finds("^a New event$|^a Create an event$").enters()
    kim.skips().finds("^a Weekend tournament").enters()
    kim.is_at("^input Name").types("Keyboard Weekend").enters()
    event = Event.objects.get(name="Keyboard Weekend")
    kim.is_at("^a Add entries$").enters()

    # One by typing, the others from a list. One is missing: she comes late, on the bye that she leaves.
    kim.is_at("^input Name").types(NAMES[0])
    expect(page.locator(".combobox-empty")).to_be_visible()
    kim.enters().is_at("^input Name").reads("1 entry")
    kim.finds("^a Import entries").enters()
    kim.is_at("^textarea").pastes("\n".join(NAMES[1 : ENTRIES - 1]))
    kim.finds("^button Review").enters()
    kim.is_at(rf"^button Import {ENTRIES - 2} players$").enters()
    kim.is_at("^button Make the draw$").enters()

    # Looked at first: one more key publishes.
    kim.is_at("^h2 ").reads("Draw seed").finds("^button Publish the draw$", farthest=3).enters()
    kim.reads("The draw is published.")
    match, late = to_play(event).order_by("number").first(), NAMES[ENTRIES - 1]
    kim.goes("e").skips().finds("^a Late entry$").enters()
    kim.is_at("Name of the late entry").types(late)
    expect(page.locator(".combobox-empty")).to_be_visible()
    kim.presses("Escape", "Tab").finds("^input ").presses("Space").enters()
    kim.reads(f"{late} is now in the draw")

    # The keys are told wherever one is, and the reader of screens has nothing to say against them.
    kim.presses("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys).to_be_visible()
    assert violations(page) == []
    kim.presses("Escape").goes("o").presses("?")
    expect(keys).to_be_visible()
    kim.presses("Escape").goes("m")

    # Called from anywhere on the page, and by the line.
    kim.presses("c").reads("Called: ")
    kim.says("call").is_answered("to table")

    # A result the wrong way round is taken back with Ctrl-Z, and noted as it was.
    left, right = names_in(match)
    kim.says(f"#{match.number} {match.length}-0").is_answered(f"{left} {match.length}–0 {right}")
    kim.presses("Control+z").hears("Undo").presses("Enter").is_answered("Undone")
    kim.says(f"#{match.number} 0-{match.length}").is_answered(f"{right} {match.length}–0 {left}")
    # Another one is noticed only later: the line says how it stands and leads to the match, where it is corrected.
    kim.says(f"#{match.number} {match.length}-0").hears("Already reported")
    kim.finds(rf"^a .*#{match.number}", farthest=4).enters()
    kim.skips().finds("^summary Correct result$").presses("Enter", "Tab").is_at(f"^input {right}$")
    kim.presses("ArrowUp").is_at(f"^input {left}$").enters()
    kim.is_at("^h2 ").reads("Pairings").finds("^button Correct result$", farthest=6).enters()
    match.refresh_from_db()
    assert (match.score_a, match.score_b) == (match.length, 0)

    # Somebody goes home before a match of the first round.
    leaving = next(one for one in to_play(event).order_by("number") if one.round.section == "main")
    gone = names_in(leaving)[0]
    kim.goes("m").says(f"out {gone}")
    page.wait_for_url(re.compile("/leave/"))
    kim.is_at(f"^h2 Withdraw {gone}$").finds("^button Withdraw$").enters()
    kim.reads(f"{gone} is withdrawn.")

    # To the end, without a look at the answers: main draw, consolation and all.
    played = 0
    while rest := list(to_play(event).order_by("number")):
        for one in rest:
            loser = played % one.length
            score = f"{one.length}-{loser}" if played % 2 else f"{loser}-{one.length}"
            kim.says(f"#{one.number} {score}")
            played += 1
        wait_until(lambda done=rest: not to_play(event).filter(pk__in=[one.pk for one in done]).exists(), 60)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    assert {"main", "consolation"} <= set(
        Match.objects.filter(stage__division__event=event, status="confirmed").values_list(
            "round__section", flat=True
        )
    )
    assert integrity_faults(event) == []

    # Places on paper, and on the page that everybody sees.
    kim.presses("Escape").goes("p").skips().finds("^button Show: Final standings").enters()
    kim.is_at("^button Print$")
    champion = page.locator(".paper").get_by_text(winner_of_main(event)).first
    expect(champion).to_be_visible()
    kim.presses("Shift+Tab").is_at("^a Other printouts$").enters()
    kim.goes("o").is_at("^a View final places$").enters()
    kim.reads("Main draw: places").reads("Consolation: places")
    assert kim.used_no_mouse()


def winner_of_main(event):
    final = Match.objects.get(stage__division__event=event, round__section="main", round__code="final")
    return final.slots.get(side=final.winner_side).entry.name
