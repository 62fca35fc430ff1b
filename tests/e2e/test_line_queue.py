"""What was typed into the command bar waits in the browser until the server has answered it: over pages, reloads and sign-ins."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.e2e.pages import Member
from tests.e2e.typists import Typist
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL, in_full
from tournaments.models import Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SENDING = re.compile(r"/line/$")  # what is done, not what is shown
RESULTS, LATENCY = (40, 2000) if in_full() else (6, 250)  # how many, milliseconds of a request


def a_tournament(entries: int):
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    return an_event(
        entries,
        club=a_club(user, "Hall Club"),
        director=user,
        tables=entries // 2,
        lengths=[5],
        starts_on=today,
        ends_on=today,
    ).publish()


def slow(page: Page, milliseconds: int) -> None:
    """Every request takes so long, as in the throttling of the browser's own tools."""
    session = page.context.new_cdp_session(page)
    unlimited = {"downloadThroughput": -1, "uploadThroughput": -1, "offline": False}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"latency": milliseconds, **unlimited})


def hold_back(route: Route) -> None:
    route.abort("connectionfailed")


def test_results_when_the_page_is_closed_twice_then_all_recorded_once_and_in_order(house):
    tournament = a_tournament(128 if in_full() else 16)
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    board = reverse("director:board", args=[tournament.event.public_id])
    hanna.goes_to(board)
    slow(hanna.page, LATENCY)
    numbers = list(range(1, min(RESULTS, len(tournament.playable())) + 1))
    waiting = hanna.page.locator("[data-line-queue] [data-count]")
    for half in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]):
        for number in half:
            hanna.says(f"#{number} 5-{number % 5}")
        expect(waiting).to_have_text(re.compile(r"^\d+ waiting$"))
        # To another page of the event; and then the page is closed, and another one opened.
        hanna.goes_to(reverse("director:entries", args=[tournament.event.public_id]))
        page = hanna.page
        hanna.page = hanna.visitor.page = page.context.new_page()
        page.close()
        hanna.visitor.watch()
        hanna.keyboard = hanna.page.keyboard
        slow(hanna.page, LATENCY)
        hanna.goes_to(board)
        waiting = hanna.page.locator("[data-line-queue] [data-count]")
    expect(hanna.page.locator("[data-line-queue]")).to_be_hidden(timeout=RESULTS * (LATENCY + 1500) + 20_000)
    reported = Report.objects.order_by("pk").values_list("match__number", "score_a", "score_b")
    assert list(reported) == [(number, 5, number % 5) for number in numbers]
    # A line whose page was closed may still be at work when it is sent again: that is told to wait (503), and sent once more.
    hanna.visitor.troubles[:] = [one for one in hanna.visitor.troubles if "answered 503" not in one]


def keys_kept(page: Page) -> list[str]:
    return page.evaluate(
        "Object.keys(localStorage).filter((name) => /^crawford-(line|typing|draft)-/.test(name))"
    )


@ONLY_IN_FULL
def test_line_when_another_account_signs_in_then_shown_and_sent_when_its_own_is_back(house):
    tournament = a_tournament(4)
    xenia = a_director(tournament.club, "Xenia")
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    board = reverse("director:board", args=[tournament.event.public_id])
    hanna.goes_to(board)
    queue = hanna.page.locator("[data-line-queue]")
    hanna.page.route(SENDING, hold_back)
    hanna.says("#1 5-3").says("#2 5-1")
    expect(queue.locator("[data-count]")).to_have_text("2 waiting")
    queue.get_by_role("listitem").nth(1).get_by_role("button", name="Cancel").click()
    expect(queue.locator("[data-count]")).to_have_text("1 waiting")
    hanna.page.unroute(SENDING)
    hanna.page.context.clear_cookies(name="sessionid")

    hanna.visitor.troubles.clear()  # what did not reach the server is part of the story
    member = Member.__new__(Member)
    member.__dict__.update(hanna.__dict__)
    member.signs_in(xenia).goes_to(board)
    expect(queue).to_contain_text("Typed by Hanna Hall. It will be sent when Hanna Hall signs in again.")
    expect(queue.get_by_role("button")).to_have_count(0)
    assert not Report.objects.exists()
    hanna.page.context.clear_cookies(name="sessionid")
    member.signs_in(tournament.director).goes_to(board)
    expect(queue).to_be_hidden()
    assert Report.objects.get().match.number == 1

    # Half a line and a line that waits: a sign-out asks, and ends both.
    hanna.page.route(SENDING, hold_back)
    hanna.says("#2 5-1").types("call")
    expect(queue.locator("[data-count]")).to_have_text("1 waiting")
    assert len(keys_kept(hanna.page)) == 2
    member.opens_account_menu()
    member.clicks("Sign out")
    hanna.reads("Not sent yet: 1. If you continue, they will be lost.")
    with hanna.page.expect_navigation():
        hanna.page.locator("dialog").get_by_role("button", name="Sign out").click()
    assert keys_kept(hanna.page) == []
    hanna.visitor.troubles.clear()


@ONLY_IN_FULL
def test_line_that_needs_an_answer_stops_the_queue_and_one_that_is_rejected_does_not(house):
    tournament = a_tournament(8)
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    hanna.may_see(409)
    hanna.goes_to(reverse("director:board", args=[tournament.event.public_id]))
    slow(hanna.page, 400)
    queue = hanna.page.locator("[data-line-queue]")
    hanna.says("1 w/o").says("2 5-1")
    expect(queue.locator("[data-count]")).to_have_text("2 waiting")
    hanna.hears("Several commands are possible")
    assert not Report.objects.exists()
    hanna.presses("ArrowDown", "Enter")
    expect(queue).to_be_hidden()
    assert [report.match.number for report in Report.objects.order_by("pk")] == [1, 2]

    hanna.says("qqqq 3").says("call 3").says("3 5-2")
    expect(queue.locator("[data-count]")).to_have_text("2 waiting · 1 failed")
    expect(queue).to_contain_text("Waiting until the commands above are answered or dismissed.")
    # It stands in the field. Something else is typed there; "Edit" puts that aside, and Escape gives the line up.
    hanna.presses("Control+a").types("half a li")
    queue.get_by_role("button", name="Dismiss").click()
    expect(queue).to_be_hidden()
    expect(hanna.field).to_have_value("half a li")


@ONLY_IN_FULL
@pytest.mark.parametrize("locks", [True, False], ids=["locks", "plain http"])
def test_two_tabs_send_each_line_once_and_in_order(house, locks):
    tournament = a_tournament(16)
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    board = reverse("director:board", args=[tournament.event.public_id])
    if not locks:
        no_locks = "Object.defineProperty(navigator, 'locks', { value: undefined })"
        hanna.page.context.add_init_script(no_locks)
    hanna.goes_to(board)
    other = hanna.page.context.new_page()
    other.goto(hanna.page.url)
    for page in (hanna.page, other):
        slow(page, 500)
    for number in range(1, 7):
        page = (hanna.page, other)[number % 2]
        page.bring_to_front()
        field = page.get_by_role("combobox", name=re.compile("^Command bar"))
        field.fill(f"#{number} 5-1")
        field.press("Enter")
    expect(hanna.page.locator("[data-line-queue]")).to_be_hidden()
    expect(other.locator("[data-line-queue]")).to_be_hidden()
    assert list(Report.objects.order_by("pk").values_list("match__number", flat=True)) == [1, 2, 3, 4, 5, 6]


@ONLY_IN_FULL
def test_form_when_its_page_is_left_at_once_then_filled_again_until_it_is_sent(house):
    tournament = a_tournament(4)
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    notices = reverse("director:notices", args=[tournament.event.public_id])
    hanna.goes_to(notices)
    text = hanna.page.locator("textarea[name=text]")
    text.fill("Round two begins at two")
    hanna.goes_to(reverse("director:entries", args=[tournament.event.public_id]))
    hanna.goes_to(notices)
    expect(text).to_have_value("Round two begins at two")
    hanna.reads("What you typed here was restored")
    hanna.sends("Announce")
    hanna.goes_to(notices)
    expect(text).to_have_value("")
    assert keys_kept(hanna.page) == []

    text.fill("Another one")
    text.blur()
    hanna.page.locator("[data-remove-mine]").click()
    hanna.reads("Your data has been removed from this phone.")
    assert keys_kept(hanna.page) == []


def test_line_when_offline_then_one_message_says_that_it_waits(house):
    tournament = a_tournament(4)
    hanna = Typist(house, "Hanna").signs_in(tournament.director)
    hanna.goes_to(reverse("director:board", args=[tournament.event.public_id]))
    page, queue = hanna.page, hanna.page.locator("[data-line-queue]")
    page.context.set_offline(True)
    hanna.presses("/").types("#1 5-3")
    expect(page.locator(".desk-line-answer")).to_contain_text("No connection")
    hanna.presses("Enter")
    expect(queue.locator("[data-count]")).to_have_text("1 waiting")
    expect(page.locator(".desk-line-answer")).to_be_hidden()
    expect(page.get_by_text("What you entered is still here")).to_have_count(0)
    page.context.set_offline(False)
    expect(queue).to_be_hidden(timeout=40_000)
    assert Report.objects.values_list("match__number", "score_a", "score_b").get() == (1, 5, 3)
    hanna.visitor.troubles.clear()  # the requests that failed
