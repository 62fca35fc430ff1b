"""The open page of a player who waits: it rings when their match is called, also behind other pages, and is silent once they play."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import Phone
from tests.factories import an_event
from tournaments.engine.matches.answers import ReplyChoice
from tournaments.engine.statuses import MatchAction
from tournaments.hall.services.calling import move_match
from tournaments.models import CallAnswer, MatchSlot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Listens to what the page really asks of the browser; nothing of the page is replaced. Visibility is what a phone reports of a page behind another.
LISTENS = """
  window.asked = { tones: 0, shakes: [], badges: [] };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.asked.tones += 1; return start.apply(this, at); };
  const shake = Navigator.prototype.vibrate;
  Navigator.prototype.vibrate = function (how) { window.asked.shakes.push(how); return shake.call(this, how); };
  for (const [name, value] of [["setAppBadge", (count) => count], ["clearAppBadge", () => 0]]) {
    const own = Navigator.prototype[name];
    Navigator.prototype[name] = function (...count) {
      window.asked.badges.push(value(...count));
      return own ? own.apply(this, count) : Promise.resolve();
    };
  }
  let behind = false;
  Object.defineProperty(Document.prototype, "hidden", { get: () => behind });
  window.goes = (is) => { behind = is; document.dispatchEvent(new Event("visibilitychange")); };
"""


def test_called_behind_another_page_it_rings_once_and_one_tap_answers(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match = tournament.playable()[0]
    first, second = (slot.entry for slot in MatchSlot.objects.filter(match=match).order_by("side"))
    phone = Phone(house, first.name, first)
    page = phone.page
    page.add_init_script(LISTENS)
    page.clock.install()
    phone.opens()
    page.get_by_role("button", name="Play a sound when I’m called").click()
    expect(page.locator("[data-ring-state=on]")).to_be_visible()
    expect(page.locator("#ring button")).to_have_attribute("aria-pressed", "true")
    before = page.evaluate("() => window.asked.tones")
    asks: list[str] = []
    page.on("request", lambda request: asks.append(request.url) if "/my/" in request.url else None)

    page.evaluate("() => window.goes(true)")
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    move_match(**where, action=MatchAction.CALL)
    page.clock.run_for(15_000)
    assert asks == []  # behind another page it asks seldom
    with page.expect_response(lambda answer: "/my/" in answer.url):
        page.clock.run_for(20_000)
    page.wait_for_function("() => document.title.startsWith('Called: table 1')")
    asked = page.evaluate("() => window.asked")
    assert asked["tones"] - before == 4
    assert asked["shakes"] == [[400, 200, 400, 200, 400]]
    assert asked["badges"][-1] == 1
    expect(page.locator("#announcer")).to_have_text(f"Called: table 1, against {second.name}")
    expect(page.locator("[data-ring-place]")).to_be_focused()

    # Nothing rings twice for one call.
    page.evaluate("() => window.goes(false)")
    phone.opens()
    page.get_by_role("button", name="I need 5 minutes").click()
    phone.reads("The desk has been notified.").reads("You answered that you will be there at")
    assert CallAnswer.objects.get().coming == ReplyChoice.LATER
    assert page.evaluate("() => window.asked.tones") == 0
    other = Phone(house, second.name, second).opens()
    other.reads(f"{first.name} will arrive at about")

    # Who plays is left alone.
    move_match(**where, action=MatchAction.START)
    with page.expect_response(lambda answer: "/my/" in answer.url and answer.status == 200):
        page.clock.run_for(6_000)
    page.wait_for_function("() => !document.title.startsWith('Called')")
    assert page.evaluate(
        "() => [window.asked.tones, window.asked.shakes.length, window.asked.badges.at(-1)]"
    ) == [0, 0, 0]
    asks.clear()
    page.evaluate("() => window.goes(true)")
    page.clock.run_for(120_000)
    assert asks == []
