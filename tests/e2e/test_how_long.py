"""Lengths and tables are dragged on a phone, and what comes of them stands there at once."""

import pytest

from tests.e2e.pages import Director
from tests.e2e.readers import violations
from tests.factories import a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.models import Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@ONLY_IN_FULL
def test_plan_when_dragged_on_a_phone_then_it_answers_at_once_and_is_taken_over_whole(house):
    user = a_user("Dora Drag")
    tournament = an_event(entries=37, director=user, lengths=[7, 9, 11])
    dora = Director(house, "Dora", phone=True, size={"width": 390, "height": 844}).signs_in(user)
    dora.event = tournament.event
    page = dora.opens("how-long").page
    said = page.locator(".how-long-over")
    before = said.inner_text()
    assert violations(page) == []

    def drags(name: str, share: float) -> None:
        slider = page.get_by_role("slider", name=name, exact=True)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        with page.expect_response(lambda one: "answer=1" in one.url and one.ok):
            page.mouse.move(box["x"] + box["width"] * share, y, steps=6)
        page.mouse.up()

    drags("Tables", 0.1)
    page.wait_for_function(
        "before => document.querySelector('.how-long-over').innerText !== before", arg=before
    )
    drags("Final", 0.9)
    # It stays in sight while one drags further down, and the head of the site does not cover it.
    assert said.bounding_box()["y"] >= page.locator("header").first.bounding_box()["height"]
    assert "tables=" in page.url  # a reload shows the same
    tables = int(page.get_by_label("Tables", exact=True).first.input_value())
    stage = Stage.objects.get(pk=tournament.stage.pk)
    assert stage.lengths == [7, 9, 11]  # nothing is saved so far
    dora.sends("Use these settings")
    dora.reads("Tables, hours and match lengths saved.")
    stage.refresh_from_db()
    assert stage.lengths[:-1] == [7, 9]
    assert stage.lengths[-1] > 15
    assert tournament.fresh().tables == tables
