"""The site in the pocket: what a phone opens without network, what it forgets, and what it is told while no page is open."""

import json
import time

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.conftest import SWITCHES
from tests.e2e.pages import Phone
from tests.e2e.visitors import PATIENCE, House
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import required, whole_chromium_path
from tournaments.entries.services.links import renew_entry_link
from tournaments.models import Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """async () => {
  const names = [];
  for (const cache of ["crawford-own", "crawford-open"]) {
    for (const request of await (await caches.open(cache)).keys()) names.push(new URL(request.url).pathname);
  }
  return names.sort();
}"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((one) => [one.title, one.body, one.tag, one.data.url]);
}"""


SENT = """() => new Promise((resolve) => {
  const opening = indexedDB.open("crawford-kept", 1);
  opening.onsuccess = () => {
    const asked = opening.result.transaction("claims").objectStore("claims").count();
    asked.onsuccess = () => { resolve(asked.result); opening.result.close(); };
  };
})"""


def comes_to(phone, question, wanted):
    """Ask the page until the answer is this one."""
    end = time.monotonic() + PATIENCE / 1000
    while (found := phone.page.evaluate(question)) != wanted and time.monotonic() < end:
        phone.page.wait_for_timeout(100)
    assert found == wanted


def test_phone_that_was_here_starts_and_reads_without_network_and_forgets_a_dead_link(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    entry = tournament.entry_at(tournament.playable()[0], "a")
    ann = Phone(house, "Ann", entry, worker=True).opens()
    page = ann.page
    comes_to(ann, KEPT, sorted([ann.address, "/start/", "/h/"]))
    bracket = reverse("public:bracket", args=[tournament.event.public_id])
    ann.goes_to(bracket)
    comes_to(ann, KEPT, sorted([ann.address, bracket, "/start/", "/h/"]))

    ann.visitor.context.set_offline(True)
    ann.visitor.troubles.clear()
    ann.goes_to("/start/")
    page.wait_for_url(f"**{ann.address}")
    ann.reads("No connection. As of").reads("Who won?")
    assert (
        page.evaluate("() => getComputedStyle(document.querySelector('.report-side')).borderTopWidth")
        == "2px"
    )
    ann.goes_to(bracket).reads("No connection. As of")
    ann.goes_to(reverse("public:search")).reads("No connection, and this page is not saved on this phone")
    expect(page.locator("[data-start-pages] a")).to_have_count(2)
    ann.visitor.troubles.clear()  # files that no page asked for, and live updates

    ann.visitor.context.set_offline(False)
    ann.opens()
    expect(page.locator("[data-as-of-note]")).to_have_count(0)
    renew_entry_link(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)
    ann.may_see(404).opens()
    comes_to(ann, KEPT, sorted([bracket, "/start/", "/h/"]))


@pytest.fixture
def whole(chromium, live_server, settings):
    """The site before the browser as a whole: the headless shell shows no notices."""
    program = whole_chromium_path()
    if program is None and not required():
        pytest.skip("needs the whole of Chromium")
    settings.SITE_URL = live_server.url
    browser = chromium.browser_type.launch(executable_path=program, args=[*SWITCHES, "--headless=new"])
    house = House(browser, live_server.url)
    yield house
    assert house.troubles() == []
    house.closes()
    browser.close()


@ONLY_IN_FULL
def test_worker_while_no_page_is_open_shows_what_is_pushed_and_sends_what_was_kept(whole):
    tournament = an_event(entries=4, lengths=[5]).publish()
    ann = Phone(whole, "Ann", tournament.entry_at(tournament.playable()[0], "a"), worker=True)
    ann.visitor.context.grant_permissions(["notifications"], origin=whole.site)
    ann.opens()
    comes_to(ann, KEPT, sorted([ann.address, "/start/", "/h/"]))
    ann.opens()  # by the worker, from the beginning
    form = ann.card().locator("form.report-form")
    form.locator("label.report-side").first.click()
    form.locator("label.report-point").nth(2).click()
    ann.visitor.context.set_offline(True)
    form.get_by_role("button", name="Send result").click()
    ann.reads("Saved on this phone at")
    ann.visitor.troubles.clear()
    other = ann.visitor.context.new_page()
    ann.page.close()
    ann.page = ann.visitor.page = other
    ann.visitor.context.set_offline(False)
    ann.goes_to("/verify/")
    line = ann.visitor.context.new_cdp_session(ann.page)
    found = []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    line.send("ServiceWorker.enable")
    ann.page.wait_for_timeout(500)
    where = {"origin": whole.site, "registrationId": found[0]["registrationId"]}
    told = {"title": "Table 4", "body": "Please come now.", "tag": "call", "url": "/start/", "lang": "en"}
    line.send("ServiceWorker.deliverPushMessage", {**where, "data": json.dumps(told)})
    comes_to(ann, SHOWN, [["Table 4", "Please come now.", "call", "/start/"]])
    line.send("ServiceWorker.dispatchSyncEvent", {**where, "tag": "crawford-kept", "lastChance": False})
    comes_to(ann, SENT, 0)
    assert Report.objects.count() == 1
    ann.opens().reads("Waiting for")
    assert ann.page.evaluate("() => Object.keys(localStorage).filter((name) => name.includes('kept'))") == []
    assert Report.objects.count() == 1
