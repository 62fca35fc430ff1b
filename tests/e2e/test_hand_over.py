"""The winner shows a code, the loser reads it and agrees, and neither has network: one confirmed result."""

import base64
import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.conftest import SWITCHES
from tests.e2e.pages import Phone
from tests.e2e.visitors import House
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.servers import chromium_path
from tournaments.engine.statuses import MatchStatus
from tournaments.models import MatchSlot, Report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENDING = re.compile(r"/(report|hand-over|agree)/|/healthz")
NOTHING_KEPT = "() => !Object.keys(localStorage).some((name) => name.startsWith('crawford-kept-'))"
# The picture that is shown, as grey dots of a film of 640 by 640.
DOTS = """async () => {
  const drawn = document.querySelector("[data-picture] svg").cloneNode(true);
  drawn.setAttribute("width", "560");
  drawn.setAttribute("height", "560");
  const picture = new Image();
  picture.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(drawn));
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 640 });
  const paint = canvas.getContext("2d");
  paint.fillStyle = "#fff";
  paint.fillRect(0, 0, 640, 640);
  paint.drawImage(picture, 40, 40);
  const { data } = paint.getImageData(0, 0, 640, 640);
  let dots = "";
  for (let at = 0; at < data.length; at += 4) dots += String.fromCharCode(data[at]);
  return btoa(dots);
}"""


def lose(route: Route) -> None:
    route.abort("aborted")


def pair(house, **window):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match = tournament.playable()[0]
    first, second = (slot.entry for slot in MatchSlot.objects.filter(match=match).order_by("side"))
    return match, Phone(house, first.name, first, **window), Phone(house, second.name, second, **window)


def opens_code_row(phone):
    phone.card().locator("[data-code-row]:not([open]) > summary").click()


def shows_code(winner):
    form = winner.card().locator("form.report-form")
    form.locator("label.report-side").first.click()
    form.locator("label.report-point").nth(3).click()
    opens_code_row(winner)
    form.get_by_role("button", name="Show QR code").click()
    expect(winner.page.locator("[data-picture] svg")).to_be_visible()
    return winner.page.locator("[data-link]").input_value()


def test_code_of_the_winner_when_opened_and_agreed_to_then_one_result_from_whichever_phone_is_first(house):
    match, won, lost = pair(house)
    won.opens()
    lost.opens()
    opens_code_row(lost)
    expect(lost.page.get_by_role("button", name=f"Scan {won.name}’s code")).to_be_visible()
    for phone in (won, lost):
        phone.page.route(SENDING, lose)
    code = shows_code(won)
    assert not won.visitor.scrolls_sideways()
    lost.goes_to(code).reads(f"{won.name} reported that you lost 3–5. Is this correct?")
    lost.page.get_by_role("button", name="Yes, confirm").click()
    lost.reads("Confirmed and saved on this phone until it is online.")
    assert not Report.objects.exists()

    lost.page.unroute(SENDING, lose)
    lost.opens().reads("The result is confirmed.")
    match.refresh_from_db()
    assert (match.status, match.winner_side, match.score_b) == (MatchStatus.CONFIRMED, "a", 3)
    won.page.unroute(SENDING, lose)
    won.opens().reads("You won")
    won.page.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.startsWith('crawford-kept-'))"
    )
    assert Report.objects.count() == 2


@ONLY_IN_FULL
def test_two_phones_without_network_when_one_reads_the_other_by_camera_then_the_result_is_confirmed(
    chromium, live_server, settings, tmp_path
):
    settings.SITE_URL = live_server.url
    film = tmp_path / "code.y4m"
    switches = [
        *SWITCHES,
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=switches)
    house = House(browser, live_server.url)
    match, won, lost = pair(house, worker=True)
    for phone in (won, lost):
        phone.visitor.context.grant_permissions(["camera"], origin=house.site)
        phone.opens()
        expect(phone.page.locator("[data-code-row]")).to_be_visible()
        phone.page.wait_for_timeout(3000)  # the worker keeps the page
        phone.visitor.context.set_offline(True)
        phone.opens().reads("No connection. As of")
    shows_code(won)
    records(film, won.page.evaluate(DOTS))
    opens_code_row(lost)
    lost.page.get_by_role("button", name=f"Scan {won.name}’s code").click()
    lost.reads(f"{won.name} reported that you lost 3–5.")
    lost.page.get_by_role("button", name="Yes, confirm").click()
    expect(lost.page.locator("[data-picture] svg")).to_be_visible()
    # And back, so that the winner's phone can send it, too: it is the one that has network first.
    records(film, lost.page.evaluate(DOTS))
    won.page.get_by_role("button", name="Scan the reply code").click()
    won.reads(f"Confirmed with {lost.name} by QR code")
    assert not Report.objects.exists()
    for phone in (won, lost):
        phone.visitor.troubles.clear()
    won.visitor.context.set_offline(False)
    expect(won.page.locator("[data-result=won]")).to_be_visible()
    match.refresh_from_db()
    assert (match.status, match.winner_side, match.score_b) == (MatchStatus.CONFIRMED, "a", 3)
    lost.visitor.context.set_offline(False)
    expect(lost.page.locator("[data-result=lost]")).to_be_visible()
    lost.page.wait_for_function(NOTHING_KEPT)
    assert Report.objects.count() == 2
    assert [one for one in house.troubles() if "DISCONNECTED" not in one] == []
    house.closes()
    browser.close()


def records(film, dots):
    """A film of one picture, over and over: grey, without colour."""
    grey = base64.b64decode(dots)
    frame = b"FRAME\n" + grey + b"\x80" * (2 * 320 * 320)
    film.write_bytes(b"YUV4MPEG2 W640 H640 F10:1 Ip A1:1 C420jpeg\n" + frame * 5)
