"""What was typed into the command bar waits in the browser until the server has answered it: over pages, reloads and sign-ins."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.e2e.typists import Typist
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import in_full
from tournaments.models import Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SENDING = re.compile(r"/line/$")  # what is done, not what is shown
RESULTS, LATENCY = (40, 2000) if in_full() else (6, 250)  # how many, milliseconds of a request


def a_night(entries: int):
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


def test_results_when_the_page_is_left_twice_then_all_recorded_once_and_in_order(house):
    night = a_night(64 if in_full() else 16)
    hanna = Typist(house, "Hanna").signs_in(night.director)
    board = reverse("director:board", args=[night.event.public_id])
    hanna.goes_to(board)
    slow(hanna.page, LATENCY)
    numbers = list(range(1, min(RESULTS, len(night.playable())) + 1))
    first, rest = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
    for number in first:
        hanna.says(f"#{number} 5-{number % 5}")
    waiting = hanna.page.locator("[data-line-queue] [data-count]")
    expect(waiting).to_have_text(re.compile(r"^\d+ waiting$"))
    # To another page of the event, with no command bar; then the page is closed, and another one opened.
    hanna.goes_to(reverse("director:entries", args=[night.event.public_id]))
    hanna.goes_to(board)
    for number in rest:
        hanna.says(f"#{number} 5-{number % 5}")
    context = hanna.page.context
    hanna.page.close()
    hanna.page = hanna.visitor.page = context.new_page()
    hanna.visitor.watch()
    slow(hanna.page, LATENCY)
    hanna.goes_to(board)
    expect(hanna.page.locator("[data-line-queue]")).to_be_hidden(timeout=RESULTS * (LATENCY + 1500) + 20_000)
    reported = Report.objects.order_by("pk").values_list("match__number", "score_a", "score_b")
    assert list(reported) == [(number, 5, number % 5) for number in numbers]
