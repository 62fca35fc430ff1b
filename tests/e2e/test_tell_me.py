"""A phone asks to be told, is woken with what concerns it, and asks no more: page and server together.

The browser's own half (its push service, its service worker) cannot be reached from here: it is stood in for by a subscription whose keys the test
holds, so what the server sends is read as the phone would read it.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.pages import Member
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.push import Phone as Browser
from tests.support.push import PushService
from tournaments.hall.services.calling import call_next
from tournaments.models import Delivery, Subscription
from tournaments.notices.services.sending import send_due_deliveries
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BROWSER = """
(keys) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0)).buffer;
  let kept = null;
  const made = (options) => ({
    endpoint: keys.endpoint,
    options: { applicationServerKey: options.applicationServerKey.buffer ?? options.applicationServerKey },
    getKey: (name) => bytes(keys[name]),
    unsubscribe: async () => { kept = null; return true; },
  });
  const pushManager = {
    subscribe: async (options) => (kept = made(options)),
    getSubscription: async () => kept,
  };
  Object.defineProperty(navigator, "serviceWorker", { value: { ready: Promise.resolve({ pushManager }), getRegistration: async () => undefined, register: async () => undefined, addEventListener() {} } });
  const given = "stand-in-permission"; // browsers remember it
  window.Notification = class {
    static get permission() { return localStorage.getItem(given) ?? "default"; }
    static async requestPermission() { localStorage.setItem(given, "granted"); return "granted"; }
  };
  window.PushManager ??= class {};
}
"""


def test_phone_when_its_player_taps_tell_me_then_it_is_told_until_they_take_it_back(house):
    tournament = an_event(entries=4, tables=2).publish()
    entry = tournament.entry_at(tournament.playable()[0], "a")
    browser = Browser()
    keys = {"endpoint": browser.endpoint, "p256dh": browser.browser.p256dh, "auth": browser.browser.auth}
    ann = house.visitor("Ann", phone=True)
    ann.page.add_init_script(f"({BROWSER})({keys!r})")
    home = reverse("player:home", args=[entry_token(entry)])
    ann.goes_to(home)
    ann.page.locator("summary", has_text="Notifications").click()
    ann.page.get_by_role("button", name="Turn on notifications").click()
    expect(ann.page.get_by_text("Notifications are on, even when the page is closed.")).to_be_visible()
    assert Subscription.objects.get().endpoint == browser.endpoint

    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    service = PushService()
    assert send_due_deliveries(push_sender=service) == 1
    (shown,) = service.read_by(browser)
    assert shown["title"] == "Table 1: your match is called"
    with ann.page.expect_response(lambda answer: "opened" in answer.url) as opened:
        ann.goes_to(shown["url"])
    assert opened.value.ok
    assert Delivery.objects.get(notification__kind="called").opened_at is not None
    assert "notice=" not in ann.page.url

    ann.page.locator("summary", has_text="Notifications").click()
    ann.page.get_by_role("button", name="Turn off notifications").click()
    expect(ann.page.get_by_role("button", name="Turn on notifications")).to_be_visible()
    assert not ann.scrolls_sideways()


WAY = """
(kept) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0)).buffer;
  const subscription = (keys, key) => ({ endpoint: keys.endpoint, options: { applicationServerKey: key }, getKey: (name) => bytes(keys[name]) });
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => subscription(kept, key.buffer);
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "default" });
}
"""
RENEWED = """
async (keys) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0)).buffer;
  await renew(null, { endpoint: keys.endpoint, getKey: (name) => bytes(keys[name]) });
}
"""


def _keys(browser: Browser) -> dict[str, str]:
    return {"endpoint": browser.endpoint, "p256dh": browser.browser.p256dh, "auth": browser.browser.auth}


@ONLY_IN_FULL
def test_page_of_choices_brings_the_worker_and_the_worker_says_its_new_address_by_itself(house):
    """The browser's way to its push service alone is stood in for; page, service worker and site are those that there are."""
    tournament = an_event(entries=4).publish()
    old, new = Browser(), Browser(f"{Browser.endpoint}-new", secret=b"another sixteen!")
    olga = Member(house, "Olga", worker=True).signs_in(tournament.director)
    olga.page.add_init_script(f"({WAY})({_keys(old)!r})")
    olga.goes_to(reverse("player:notices"))
    assert olga.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
    olga.page.get_by_role("button", name="Turn on notifications").click()
    expect(olga.page.get_by_text("Notifications are on, even when the page is closed.")).to_be_visible()
    row = Subscription.objects.get()
    assert (row.endpoint, row.auth) == (old.endpoint, old.browser.auth)
    (worker,) = olga.visitor.context.service_workers
    olga.page.wait_for_function("async () => (await caches.keys()).includes('crawford-woken')")
    for phone in (new, old):  # each time by the secret of the one before
        worker.evaluate(RENEWED, _keys(phone))
        row.refresh_from_db()
        assert (row.endpoint, row.auth) == (phone.endpoint, phone.browser.auth)
    assert row.wanted_for.get().user == tournament.director
