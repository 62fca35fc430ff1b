"""Record is pressed and nobody answers: a word in its place, all that was typed still there, and nothing recorded twice."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from tests.e2e.pages import Director, Phone
from tests.factories import an_event
from tournaments.models import Match, Report
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVERYTHING = re.compile(r"^https?://")
WORDS = "Not sent: no connection. What you entered is still here. Try again."


def lose(route: Route) -> None:
    route.abort("aborted")


def test_result_on_the_page_of_a_match_when_nobody_answers_then_it_stays_and_is_sent_later(house):
    tournament = an_event(entries=4, lengths=[7]).publish()
    director = Director(house, "Hanna", phone=True).signs_in(tournament.director)
    first = tournament.playable()[0]
    address = reverse("director:match", args=[tournament.event.public_id, first.public_id])
    page = director.goes_to(address).page
    form = page.locator("form", has=page.get_by_role("button", name="Record result"))
    form.locator("label.choice").nth(1).click()
    form.locator("[name=score_a]").fill("4")
    send = form.get_by_role("button", name="Record result")
    page.route(EVERYTHING, lose)
    send.click()
    expect(form.get_by_role("alert")).to_have_text(WORDS)
    assert page.url.endswith(address)
    expect(form.locator("[name=score_b]")).to_have_value("7")
    expect(form.locator("[name=score_a]")).to_have_value("4")
    assert not director.visitor.scrolls_sideways()
    page.unroute(EVERYTHING, lose)
    with page.expect_navigation():
        send.dblclick()
    played = Match.objects.get(pk=first.pk)
    assert (played.score_a, played.score_b) == (4, 7)
    assert Report.objects.count() == 1


def test_result_in_its_line_when_the_site_is_stopped_behind_its_front_then_the_line_stays_and_is_sent_later(
    house,
):
    tournament = an_event(entries=4, lengths=[7]).publish()
    director = Director(house, "Hanna").signs_in(tournament.director).may_see(502)
    director.event = tournament.event
    page = director.opens("board").page
    first = tournament.playable()[0]
    row = page.locator(f"#m-{first.public_id}")
    director.visitor.marks_window()
    stopped = re.compile(r"/result/$")

    def turn_away(route):
        sent = route.request.method == "POST"
        route.fulfill(status=502, content_type="text/html", body="Bad gateway") if sent else route.continue_()

    # Well before it is needed: it takes a browser a moment to let requests be answered here.
    page.route(stopped, turn_away)
    row.get_by_role("link", name="Result").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(row.get_by_role("alert")).to_contain_text("Not sent: no connection. Try again.")
    director.visitor.troubles.clear()
    page.unroute(stopped)
    page.keyboard.press("Enter")
    director.reads(f"Match {first.number}: ")
    played = Match.objects.get(pk=first.pk)
    assert (played.score_a, played.score_b) == (3, 7)
    assert director.visitor.never_reloaded()


def throw_away_while_it_is_sent(page, sending):
    """No answer comes when nobody wants it sent any more."""
    held = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(sending, hold)
    with page.expect_request(sending):
        page.get_by_role("button", name="Send now").click()
    page.wait_for_timeout(50)
    page.get_by_role("button", name="Discard").press("Enter")
    expect(page.locator("#kept .kept")).to_have_count(0)
    with page.expect_event("requestfailed"):
        held[0].abort("aborted")
    page.wait_for_timeout(100)
    page.unroute(sending)
    assert kept_on(page) == []


def kept_on(page):
    return page.evaluate("() => Object.keys(localStorage).filter((name) => /kept|draft/.test(name))")


def test_result_on_a_players_phone_when_nobody_answers_then_it_is_kept_and_sent_once_later(house):
    tournament = an_event(entries=4, lengths=[7]).publish()
    first = tournament.playable()[0]
    address = reverse("player:home", args=[entry_token(tournament.entry_at(first, "a"))])
    ann = Phone(house, "Ann").goes_to(address)
    page = ann.page
    form = page.locator("form[data-report]").first
    form.get_by_role("button", name="Send result").click()
    expect(form.get_by_text("Choose who won")).to_be_visible()  # and nothing is sent or kept
    form.locator("label.report-side").first.click()
    form.locator("label.report-point").nth(0).click()
    form.get_by_text("Match not finished, or note to the director").click()
    form.locator("[name=note]").fill("at table nine")
    page.wait_for_function(
        "() => Object.keys(localStorage).some((name) => name.startsWith('crawford-draft-'))"
    )
    page.reload()  # half-filled, and still there
    expect(form.locator("[name=note]")).to_have_value("at table nine")
    expect(form.locator("[name=mine]")).to_have_value("7")
    page.route(EVERYTHING, lose)
    form.get_by_role("button", name="Send result").click()
    card = page.locator("#kept .kept")
    expect(card).to_contain_text("Saved on this phone at")
    expect(form).to_be_hidden()  # no second result beside the one that waits
    assert not ann.visitor.scrolls_sideways()
    page.close()
    assert not Report.objects.exists()

    # Another tab, at first without an answer to what it sends.
    page = ann.page = ann.visitor.page = ann.visitor.context.new_page()
    ann.visitor.watch()
    sending = re.compile(r"/report/")
    page.route(sending, lose)
    ann.goes_to(address)
    expect(page.locator("#kept .kept")).to_contain_text("7–0")
    page.unroute(sending, lose)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator(".my-claim.is-mine")).to_be_visible()
    expect(page.locator("#kept")).to_be_hidden()  # the page itself says how far it is
    assert Report.objects.get().note == "at table nine"
    page.reload()
    expect(page.locator("#kept")).to_be_hidden()

    # What was decided otherwise meanwhile is not sent against it: the site says how it stands.
    page.get_by_text("Change my result").click()
    form = page.locator("form[data-report]").first
    form.locator("label.report-point").nth(6).click()
    page.route(EVERYTHING, lose)
    form.get_by_role("button", name="Send result").click()
    expect(page.locator("#kept .kept")).to_contain_text("7–6")
    throw_away_while_it_is_sent(page, sending)
    form.get_by_role("button", name="Send result").click()
    expect(page.locator("#kept .kept")).to_contain_text("7–6")
    tournament.settle(first, "b", 2)
    ann.may_see(409)
    page.unroute(EVERYTHING, lose)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator("#kept .kept")).to_contain_text("Not accepted")
    # By key: the result of the desk comes into the page meanwhile, and moves what a pointer aims at.
    page.get_by_role("button", name="Discard").press("Enter")
    expect(page.locator("#kept .kept")).to_have_count(0)
    assert kept_on(page) == []
    assert Report.objects.filter(entry__isnull=False).count() == 1
