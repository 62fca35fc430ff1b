"""Players and their phones: entering by link, a link that was taken back, reporting by keyboard alone, the director's word."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Phone
from tests.factories import an_event
from tournaments.engine.statuses import EventAction, MatchStatus
from tournaments.entries.services.links import renew_entry_link
from tournaments.entries.services.registration import approve_entries, set_approval_required
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.models import Entry, MatchSlot
from tournaments.selectors.access.links import entry_token, join_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opponents(tournament):
    """The first match that can be played and its two entries."""
    match = tournament.playable()[0]
    first, second = (slot.entry for slot in MatchSlot.objects.filter(match=match).order_by("side"))
    return match, first, second


def test_player_enters_by_link_and_finds_themselves_among_known_players(house):
    an_event(entries=4).publish()  # Ann and others are known in another club
    tournament = an_event(name="Open Friday")
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    address = reverse("player:join", args=[join_token(tournament.fresh())])

    ann = Phone(house, "Ann").joins(address, "Ann")
    ann.reads("Your entry was received")  # whether or not somebody is known by just this name
    assert not ann.visitor.scrolls_sideways()
    (entry,) = Entry.objects.filter(division__event=tournament.event)
    approve_entries(actor=tournament.actor, event_id=tournament.event.pk, entry_ids=[entry.pk], who="new")
    set_approval_required(actor=tournament.actor, event_id=tournament.event.pk, everybody=False)
    ann.clicks("Reload").reads("You are entered")

    ben = Phone(house, "Ben").joins(address, "Benedikt Fernando Yarrow")
    ben.reads("You are entered!")
    assert sorted(Entry.objects.filter(division__event=tournament.event).values_list("name", flat=True)) == [
        "Ann",
        "Benedikt Fernando Yarrow",
    ]
    # The page is theirs alone and can be opened again.
    ben.goes_to(ben.page.url).reads("Benedikt Fernando Yarrow")


def test_revoked_link_opens_nothing_and_the_new_one_does(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match, first, second = opponents(tournament)
    phone = Phone(house, first.name, first).opens()
    old = phone.address
    phone.reads(second.name)
    renew_entry_link(actor=tournament.actor, event_id=tournament.event.pk, entry_id=first.pk)

    # The page that was open all the time says so by itself, asks no more, and what was typed stays.
    phone.may_see(404)
    phone.page.locator("form.report-form label.report-point").nth(3).click()
    with phone.page.expect_response(lambda answer: answer.status == 404):
        phone.page.evaluate("() => document.dispatchEvent(new Event('crawford:ask'))")
    expect(phone.page.get_by_role("alert")).to_contain_text(
        "This link is no longer valid. Ask the director for a new one."
    )
    phone.reads("No longer live")
    expect(phone.page.locator("form.report-form [name=loser][value='3']")).to_be_checked()
    expect(phone.page.get_by_role("button", name="Send result")).to_be_disabled()
    phone.page.evaluate(
        "() => { window.asked = 0; window.fetch = () => { window.asked += 1; return Promise.reject() };"
        " document.dispatchEvent(new Event('crawford:ask')); dispatchEvent(new Event('online')) }"
    )
    assert phone.page.evaluate("() => window.asked") == 0
    match.refresh_from_db()
    assert match.status == MatchStatus.READY
    phone.goes_to(old).does_not_read(second.name)

    first.refresh_from_db()
    assert entry_token(first) not in old
    phone.opens().reads(second.name)


def test_result_is_reported_by_keyboard_alone(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match, first, second = opponents(tournament)
    ann = Phone(house, first.name, first, phone=False, size={"width": 1024, "height": 768}).opens()
    keys = ann.page.keyboard

    def tab_to(selector: str) -> None:
        for _ in range(60):
            keys.press("Tab")
            if ann.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        pytest.fail(f"Tab never reaches {selector}")

    tab_to("a.skip-link")
    keys.press("Enter")
    tab_to("[name=winner]")
    keys.press("Space")
    tab_to("[name=loser]")
    keys.press("Space")
    for _step in range(3):
        keys.press("ArrowRight")
    tab_to("form.report-form [type=submit]")
    assert ann.page.evaluate(
        "const s = getComputedStyle(document.activeElement); s.outlineStyle !== 'none' || s.boxShadow !== 'none'"
    ), "nothing shows where the focus is"
    keys.press("Enter")
    ann.reads(f"Sent. {second.name} has to confirm it.")
    match.refresh_from_db()
    assert match.status == MatchStatus.REPORTED

    bob = Phone(house, second.name, second, phone=False).opens()
    for _ in range(60):
        bob.page.keyboard.press("Tab")
        if bob.page.evaluate("document.activeElement.textContent.trim()").startswith("Yes, I "):
            break
    else:
        pytest.fail("Tab never reaches the answer")
    bob.page.keyboard.press("Enter")
    bob.reads("The result is confirmed.")
    match.refresh_from_db()
    assert (match.status, match.winner_side) == (MatchStatus.CONFIRMED, "a")


def test_impossible_score_is_said_beside_the_field_and_nothing_typed_is_lost(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match, first, _second = opponents(tournament)
    ann = Phone(house, first.name, first).opens().may_see(422)
    form = ann.card().locator("form.report-form")
    form.get_by_text("Match not finished, or note to the director").click()
    form.locator("[name=mine]").fill("5")
    form.locator("[name=theirs]").fill("5")
    form.get_by_role("button", name="Send result").click()
    expect(ann.page.locator(".field-error, .message.is-error").first).to_be_visible()
    expect(ann.page.locator("[name=theirs]")).to_have_value("5")
    match.refresh_from_db()
    assert match.status == MatchStatus.READY


def test_opponents_report_reaches_an_open_phone_without_reload(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    _match, first, second = opponents(tournament)
    ann, bob = (Phone(house, entry.name, entry).opens() for entry in (first, second))
    bob.visitor.marks_window()
    ann.reports("I won", 5, 2).reads("Sent.")
    bob.reads(f"{first.name} reported:").reads("you lost")
    assert bob.visitor.never_reloaded()
    bob.agrees().reads("The result is confirmed.")
    ann.reads("You won")


def test_german_player_on_a_dark_phone(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    _match, first, second = opponents(tournament)
    ann = Phone(house, first.name, first, dark=True, language="de-DE").opens()
    expect(ann.page.locator("html")).to_have_attribute("lang", "de")
    ann.reads(second.name)
    wait_for_ground(ann, dark=True)
    ann.page.locator("[data-theme-toggle]").click()
    wait_for_ground(ann, dark=False)
    ann.page.reload()  # the choice is kept
    expect(ann.page.locator("html")).to_have_attribute("data-theme", "light")
    wait_for_ground(ann, dark=False)


def wait_for_ground(phone: Phone, *, dark: bool) -> None:
    """The page's ground is dark, or light, or becomes so; it changes in the next frame."""
    phone.page.wait_for_function(
        """dark => {
          const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
          const brightness = (r + g + b) / 3;
          return dark ? brightness < 80 : brightness > 200;
        }""",
        arg=dark,
    )
