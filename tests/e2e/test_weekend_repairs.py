"""A weekend with three flights goes wrong in every way: a late entry, a result that was wrong after the consolation began,
somebody who goes home in the middle of a match. Everything by the pages; the hall's screen follows by itself."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Director, Spectator
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.models import Entry, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WEEKEND = BracketSettings(
    flights=(Flight(FlightKind.PROGRESSIVE, (5,), rounds=2), Flight(FlightKind.LAST_CHANCE, (3,), rounds=1))
)


def row(number):
    return Match.objects.get(number=number)


def of_section(section, status):
    return Match.objects.filter(round__section=section, status=status).order_by("number")


@ONLY_IN_FULL
def test_a_weekend_with_a_late_entry_a_correction_after_the_consolation_began_and_a_withdrawal(house):
    user = a_user("Dora Director")
    tournament = an_event(
        7, club=a_club(user), director=user, lengths=[5, 7], bracket=WEEKEND, tables=6
    ).publish()
    director = Director(house, "Dora", phone=True).signs_in(user)
    director.event = tournament.event

    # Somebody comes late and takes the only bye.
    director.opens("entries").follows("Late entry").reads("Bracket line")
    field = director.page.locator("#id_name")
    field.fill("Zoe Late")
    field.press("Escape")
    director.page.locator("label.choice").first.click()
    director.sends("Add to the draw").reads("Zoe Late is now in the draw")
    assert Entry.objects.get(name="Zoe Late").slots.get().match.status == "ready"
    director.goes_to(reverse("director:late-entry", args=[tournament.event.public_id])).reads("No free line")

    # The first round is over, the consolation has begun, a semifinal was played.
    for match in [m for m in tournament.playable() if m.round.section == "main"]:
        tournament.settle(match, "a", 2)
    consolation = of_section("consolation", "ready").first()
    tournament.settle(consolation, "a", 1)
    semifinal = tournament.playable()[0]
    tournament.settle(semifinal, "a", 3)
    wrong = row(1)
    names = [tournament.entry_at(wrong, side).name for side in "ab"]
    watching = Spectator(house, "Walt").watches(tournament.event, "bracket")

    # Its result was the other way round: shown whole, chosen, made.
    director.goes_to(reverse("director:match", args=[tournament.event.public_id, wrong.public_id]))
    director.page.locator("summary", has_text="Correct result").click()
    director.fills(score_a=2, score_b=5).sends("Preview changes")
    director.reads("What should happen to them?").reads("Results that will be cancelled")
    director.reads(f"{names[1]} replaces {names[0]}.")
    director.page.locator("label.choice", has_text="Replay from here").click()
    director.sends("Correct result").reads("Matches that depended on it are replayed.")
    assert tournament.entry_at(semifinal, "a").name == names[1]
    semifinal.refresh_from_db()
    assert semifinal.status == "ready"
    watching.sees(names[1])

    # It was right after all: one tap.
    with director.page.expect_navigation():
        director.page.get_by_role("button", name="Undo").click()
    director.reads("Undone. Everything is as it was before.")
    semifinal.refresh_from_db()
    wrong.refresh_from_db()
    assert (semifinal.status, semifinal.winner_side, wrong.winner_side) == ("confirmed", "a", "a")

    # Somebody goes home in the middle of a match: it ends as it stood, and the rest follows by itself.
    match = of_section("main", "ready").first()
    leaver, stays = tournament.entry_at(match, "a"), tournament.entry_at(match, "b")
    director.goes_to(reverse("director:entry", args=[tournament.event.public_id, leaver.public_id]))
    director.follows("Withdraw").reads(f"{stays.name} wins")
    director.page.locator("label.choice", has_text="Given up during play").click()
    stage = tournament.stage.pk
    director.page.locator(f"#a-{stage}").fill("2")
    director.page.locator(f"#b-{stage}").fill("4")
    director.sends("Preview changes")
    expect(director.page.locator(f"[name=end-{stage}][value=retired]")).to_be_checked()
    director.sends("Withdraw").reads(f"{leaver.name} is withdrawn.")
    match.refresh_from_db()
    assert (match.result_kind, match.winner_side) == ("retired", "b")
    tournament.play_out()
    assert tournament.event.status == "finished"
    assert not director.visitor.scrolls_sideways()
    who = " – ".join(tournament.entry_at(wrong, side).name for side in "ab")
    director.opens("audit").reads("withdrew after the draw")
    director.reads(f"Undone: correction of match {wrong.number} ({who}).")


def tabs_to(page, words):
    """Press Tab until the focus, which has to be seen, is on what is called so."""
    for _ in range(60):
        page.keyboard.press("Tab")
        called, outline = page.evaluate(
            "() => { const on = document.activeElement; const label = on.labels?.[0]?.innerText ?? '';"
            "return [`${label} ${on.innerText ?? ''}`, getComputedStyle(on).outlineStyle]; }"
        )
        if words in called:
            assert outline != "none", words
            return
    raise AssertionError(f"{words} is not reached by Tab")


def test_a_result_is_corrected_and_taken_back_by_keyboard_alone(house):
    user = a_user("Dora Director")
    tournament = an_event(4, club=a_club(user), director=user, lengths=[5]).publish().play_out()
    wrong = row(1)
    director = Director(house, "Dora").signs_in(user)
    director.goes_to(reverse("director:match", args=[tournament.event.public_id, wrong.public_id]))
    page, keys = director.page, director.page.keyboard
    tabs_to(page, "Correct result")
    keys.press("Enter")
    for side, points in (("a", wrong.score_b), ("b", wrong.score_a)):
        tabs_to(page, tournament.entry_at(wrong, side).name)
        keys.press("Control+a")
        keys.type(str(points))
    tabs_to(page, "Preview changes")
    with page.expect_navigation():
        keys.press("Enter")
    tabs_to(page, "Replay from here")
    keys.press("Space")
    tabs_to(page, "Correct result")
    with page.expect_navigation():
        keys.press("Enter")
    director.reads("Matches that depended on it are replayed.")
    tabs_to(page, "Undo")
    with page.expect_navigation():
        keys.press("Enter")
    director.reads("Undone. Everything is as it was before.")
