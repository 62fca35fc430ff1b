"""An event that an operator hides: who has it open loses it within a poll, and has it back when it is restored."""

import pytest
from playwright.sync_api import expect

from people.actors import Actor
from tests.e2e.pages import Spectator
from tests.factories import an_event
from tournaments.operators.services.moderating import moderate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_page_that_is_open_when_its_event_is_hidden_then_empties_and_fills_again(house):
    tournament = an_event(2, name="Night of Insults").publish()
    vera = Spectator(house, "Vera").may_see(404).watches(tournament.event)
    region = vera.page.locator("[data-live-region]").first
    expect(region).to_contain_text("Ann")

    def shut(state: str) -> None:
        given = {"kind": "event", "key": tournament.event.public_id, "state": state, "reason": "insults"}
        moderate(actor=Actor.with_label("an operator"), **given)
        vera.page.evaluate("() => document.dispatchEvent(new Event('crawford:ask'))")

    shut("hidden")
    expect(region).to_have_text("This page no longer exists.", timeout=15_000)
    shut("")
    expect(region).to_contain_text("Ann", timeout=15_000)
