"""Not a plain win, in real browsers: somebody is late, somebody retires, a match goes on another day."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director, Phone, Spectator
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.matches.rulings import SINGLES_CLOCK, LatenessRule
from tournaments.engine.types import Side
from tournaments.events.services.stage_rules import set_conduct
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@ONLY_IN_FULL
def test_a_night_with_lateness_a_retirement_and_an_adjourned_match(house):
    tournament = an_event(4, lengths=[7]).publish()
    set_conduct(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        lateness=LatenessRule(),
        clocks=SINGLES_CLOCK,
        rated=True,
    )
    late, broken = tournament.playable()
    director = Director(house, "Dora").signs_in(tournament.director)

    def at(match):
        return director.goes_to(reverse("director:match", args=[tournament.event.public_id, match.public_id]))

    # Late: looked at first, then given.
    at(late)
    director.page.locator("#points summary").click()
    name = tournament.entry_at(late, Side.A).name
    director.page.locator("#id_late_late").select_option("b")
    director.page.locator("#id_late_minutes").fill("11")
    director.sends("Preview penalty").reads(f"1 point for {name}")
    director.sends("Award points").reads("starts at 1–0")
    late.refresh_from_db()
    assert (late.start_a, late.start_b) == (1, 0)

    # Retired: the form asks for the winner, and says what it counts for.
    at(late)
    winner = director.page.locator("[data-result-winner]")
    director.page.get_by_text("Match not played to completion?").click()
    kind = director.page.locator("[name=kind]:visible")
    kind.select_option("double_walkover")
    expect(winner).to_be_hidden()
    expect(director.page.locator("[data-result-score]")).to_be_hidden()
    kind.select_option("retired")
    expect(winner).to_be_visible()
    expect(director.page.locator("[data-result-counts]")).to_contain_text("Ratings: yes.")
    director.page.locator("[name=winner][value=b]").check()
    director.sends("Record result").reads("is recorded")
    late.refresh_from_db()
    assert (late.result_kind, late.winner_side, late.score_a) == ("retired", "b", 1)

    # Adjourned: whoever watches sees the board and the day; the player reports from home.
    player = Phone(house, "", tournament.entry_at(broken, Side.A)).opens()
    watching = Spectator(house, "Walt", phone=True).goes_to(reverse("public:match", args=[broken.public_id]))
    at(broken)
    director.page.locator("#adjourn summary").click()
    for field, value in {"score_a": "3", "score_b": "2", "position": "4HPwATDgc/ABMA", "dice": "6-1"}.items():
        director.page.locator(f"#id_adjourn_{field}").fill(value)
    director.page.locator("#id_adjourn_on_roll").select_option("a")
    day = timezone.now().date() + timedelta(days=30)
    director.page.locator("#id_adjourn_resumes_on").fill(str(day))
    director.sends("Adjourn match").reads(f"Resumes {day.day} {day:%B}")
    for page in (director.page, watching.page, player.page):
        expect(page.locator("svg.board")).to_be_visible()
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    player.reports("I won", 7, 2)
    Phone(house, "", tournament.entry_at(broken, Side.B)).opens().agrees()
    assert Match.objects.get(pk=broken.pk).status == "confirmed"
    watching.reads("Confirmed")
