"""A page for everybody in a browser, from the whole application with the shared pages in front: it names nobody, and the script does."""

import time
from collections.abc import Iterator

import pytest
from django.test import testcases
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.pages import Director, Spectator
from tests.e2e.visitors import House
from tests.factories import Tournament, an_event
from tests.support.asking import Site
from tests.support.tournaments import first_match
from tournaments.models import Match
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def site() -> Site:
    return Site(clock=time.monotonic)


@pytest.fixture
def house(site, chromium, settings, monkeypatch) -> Iterator[House]:
    """Served as everywhere else in these tests, with the shared pages in front."""
    monkeypatch.setattr(testcases, "WSGIHandler", lambda: site)
    settings.MEDIA_URL = (
        "/media/"  # without one Django's server takes every address for a file, and asks its own handler
    )
    server = LiveServer("localhost")
    settings.SITE_URL = server.url
    house = House(chromium, server.url)
    yield house
    troubles = house.troubles()
    house.closes()
    server.stop()
    assert troubles == []


def test_event_page_is_one_for_spectator_and_director_and_each_sees_their_own_way(house, site):
    tournament = an_event(entries=2, lengths=[5]).publish()
    watching = Spectator(house, "Sam").watches(tournament.event)
    assert not watching.page.evaluate("document.cookie")
    director = (
        Director(house, "Dora").signs_in(tournament.director).goes_to(f"/e/{tournament.event.public_id}/")
    )
    way = director.page.get_by_role("link", name="Manage event")
    expect(way).to_be_visible()
    expect(watching.page.get_by_role("link", name="Manage event")).to_be_hidden()
    path = f"/en/e/{tournament.event.public_id}/"
    drawn = site.asked.count(path)
    assert drawn
    played = first_match(tournament)
    tournament.settle(played, "a")
    for somebody in (watching, director):
        expect(somebody.page.locator("#event-live")).to_contain_text("Finished")
    expect(way).to_be_visible()  # also on what came since
    assert site.asked.count(path) - drawn <= 2  # drawn once for both; the minute may have passed meanwhile
    reads_their_own(watching, tournament, path, played)
    director.signs_out()
    director.goes_to(path)
    expect(director.page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(way).to_be_hidden()


def reads_their_own(visitor: Spectator, tournament: Tournament, path: str, played: Match) -> None:
    """A phone marks what is its player's once it has opened the personal link, in whatever language, and forgets it when it is told to."""
    page = visitor.page
    marks = page.locator("[data-mine-word]:visible")
    expect(marks).to_have_count(0)
    visitor.goes_to(reverse("player:home", args=[entry_token(tournament.entry("Ann"))])).goes_to(
        f"{path}entries/"
    )
    expect(page.locator("tr[data-mine] [data-mine-word=you]")).to_have_count(1)
    page.get_by_role("navigation", name="My page").get_by_role("link", name="My path").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Ann")
    page.get_by_role("navigation", name="My page").get_by_role("link", name="My page").click()
    expect(page.get_by_role("heading", name="Ann", exact=True)).to_be_visible()
    visitor.goes_to(f"{path}entries/")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("tr[data-mine] [data-mine-word=du]")).to_have_count(1)
    visitor.goes_to(f"/m/{played.public_id}/")  # without a language: what was chosen
    expect(page.locator("html[lang=de] .versus-side[data-mine]")).to_have_count(1)
    page.get_by_role("button", name="Meine Daten von diesem Handy entfernen").press("Enter")
    expect(marks).to_have_count(0)
    assert page.evaluate("localStorage.getItem('crawford-mine')") is None
    expect(page.locator("[data-my-bar]")).to_be_hidden()
