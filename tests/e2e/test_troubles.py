"""What goes wrong in a window is noticed: without that every journey would pass."""

import pytest
from playwright.sync_api import Error

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASKS_FOR_MORE = """async site => {
  await fetch("/nowhere/too/");
  await new Promise(done => { const image = new Image(); image.onerror = done; image.src = "/static/none.png"; document.body.append(image); });
  await fetch("http://192.0.2.1/").catch(() => null);
  setTimeout(() => { throw new Error("broken"); });
}"""


def heard(house, words: str) -> None:
    """Somebody got into this trouble; it may take a moment until it is told."""
    for _ in range(100):
        if any(words in trouble for trouble in house.troubles()):
            return
        house.visitors[0].page.wait_for_timeout(20)
    pytest.fail(f"no trouble with {words} in {house.troubles()}")


def test_trouble_of_every_kind_is_noticed_and_what_was_announced_is_none(house):
    vera = house.visitor("Vera").goes_to("/nowhere/")
    heard(house, "Vera: answered 404: " + house.site + "/nowhere/")
    vera.page.evaluate(ASKS_FOR_MORE, house.site)
    for words in (
        "answered 404: " + house.site + "/nowhere/too/",
        "none.png",
        "192.0.2.1",
        "script error: broken",
    ):
        heard(house, words)
    house.visitor("Paper", javascript=False).goes_to("/nowhere/")
    heard(house, "Paper: answered 404")
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        house.visitor("Otto").page.goto("http://example.org/")
    heard(house, "Otto: request failed: http://example.org/")
    for visitor in house.visitors:
        visitor.troubles.clear()
    vera.may_see(404).goes_to("/nowhere/").goes_to("/")
    assert house.troubles() == []
