"""A hall with more matches than tables: the director calls, the board on the wall follows, minutes run by themselves."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director, Spectator
from tests.e2e.readers import violations
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.check_in.services.windows import open_check_in
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.forecasts import update_forecast
from tournaments.models import CheckIn, Event, Match, Stage
from tournaments.selectors.access.links import display_key

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tournament():
    user = a_user("Hanna Hall")
    club = a_club(user, "Hall Club")
    today = timezone.now().date()
    tournament = an_event(
        8, club=club, director=user, tables=2, lengths=[5], starts_on=today, ends_on=today
    ).publish()
    update_forecast(event_id=tournament.event.pk)
    return tournament


def test_next_match_is_called_and_the_wall_says_where(house, tournament):
    wall = Spectator(house, "Wall").watches(tournament.event, "hall")
    wall.sees("Next")
    director = Director(house, "Hanna").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("board").reads("2 matches ready to call").reads("2 waiting for a table").reads(
        "from start to finish"
    )
    pairs = [[tournament.entry_at(match, side).name for side in "ab"] for match in tournament.playable()]
    first, second, third, *_ = (" – ".join(pair) for pair in pairs)
    director.clicks("Call next match #1").reads(f"Called: {first} to table 1.")
    wall.sees("Please go to your table")
    expect(wall.page.locator("[data-status=called]")).to_have_count(1)
    opening = Match.objects.get(number=1, stage=tournament.stage)
    expect(wall.page.locator("[data-status=called]")).to_contain_text(tournament.entry_at(opening, "a").name)
    director.clicks("Call all matches with a table").reads(f"Called: {second} to table 2.")
    director.may_see(409).clicks("Call next match").reads("No table is free.")

    # A result frees the table for whoever has waited longest; the wall follows without a reload.
    director.records(opening, 5, 2)
    director.opens("board").clicks("Call next match #3").reads(f"Called: {third} to table 1.")
    following = Match.objects.get(number=3, stage=tournament.stage)
    called = wall.page.locator("[data-status=called]")
    expect(called).to_have_count(2)
    expect(called.first).to_contain_text(tournament.entry_at(following, "b").name)

    # A table that is out of use stays free of matches.
    director.page.locator("#tables > summary").click()
    director.clicks("Close table 2").reads("Table 2 is out of use.")
    assert tournament.fresh().closed_tables == [2]


def test_minutes_run_by_themselves_and_a_late_match_is_marked(house, tournament):
    director = Director(house, "Hanna").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("board").clicks("Call next match #1").reads("Called: ")
    Match.objects.filter(status="called").update(called_at=timezone.now() - timedelta(minutes=12))
    Event.objects.filter(pk=tournament.event.pk).update(version=tournament.fresh().version + 1)
    director.opens("board")
    called = director.page.locator(".desk-row[data-status=called]")
    expect(called).to_contain_text("12 min")
    expect(called.get_by_text("Late")).to_be_visible()
    director.follows("Delays").reads("1 penalty point")
    assert director.page.url.endswith(reverse("director:holdups", args=[tournament.event.public_id]))


WHERE = """() => {
  const shown = document.querySelector(".wall-part.is-shown");
  return shown.dataset.key + shown.querySelector("[data-wall-page]").textContent;
}"""
SEEN = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const page = document.querySelector(".wall-part.is-shown");
  const window_ = page.querySelector(".wall-window").getBoundingClientRect();
  const rows = [...page.querySelectorAll(".wall-list > li")].map((li) => [li, li.getBoundingClientRect()]);
  const inside = rows.filter(([, box]) => box.right > window_.left && box.left < window_.right);
  return {
    part: page.dataset.key,
    names: inside.map(([li]) => li.textContent.trim()),
    cut: inside.filter(([li, box]) => box.bottom > window_.bottom + 1 || box.right > window_.right + 1
      || [li, ...li.children].some((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)).length,
    height: parseFloat(getComputedStyle(inside[0][0].querySelector("span:not(.visually-hidden)")).fontSize),
  };
}"""


def _next_page(page):
    """What is seen when the arrow has turned: another part, or another "2 / 5" above it."""
    shown = page.evaluate(WHERE)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(before) => ({WHERE})() !== before", arg=shown)
    return page.evaluate(SEEN)


def test_forty_calls_at_once_turn_by_pages_and_cut_nobody(house):
    """Every name stands whole on exactly one page of a 1080p screen, by name and by table, 60 px high."""
    today = timezone.now().date()
    tournament = an_event(104, tables=40, starts_on=today, ends_on=today).publish()
    tournament.division.entries.filter(name="Ann").update(
        name="Maximiliana Wolfeschlegelsteinhausen-Papadopoulos"
    )
    assert Match.objects.filter(status="ready").update(status="called", called_at=timezone.now()) == 40
    wall = Spectator(house, "Wall", size={"width": 1920, "height": 1080}).watches(tournament.event, "hall")
    wall.page.locator("body.is-paged").wait_for()
    wall.page.keyboard.press("Space")  # it would turn by itself while we look
    pages = [wall.page.evaluate(SEEN)]
    while (page := _next_page(wall.page)) != pages[0] and len(pages) < 30:
        pages.append(page)
    assert {page["cut"] for page in pages} == {0}
    assert min(page["height"] for page in pages) >= 60
    by_name = [name for page in pages if page["part"] == "wall-names" for name in page["names"]]
    by_table = [name for page in pages if page["part"] == "wall-go" for name in page["names"]]
    assert (len(by_name), len(set(by_name)), len(by_table), len(set(by_table))) == (80, 80, 40, 40)
    assert len(pages) == len({(page["part"], page["names"][0]) for page in pages}) > 4


@ONLY_IN_FULL
def test_screen_of_all_divisions_turns_by_itself_and_is_as_large_on_any_screen(house):
    """Put together on its page, opened by its address: one division after the other, names a 18th of the height of the screen."""
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    tournament = an_event(
        8,
        club=a_club(user, "Hall Club"),
        director=user,
        tables=4,
        lengths=[5],
        starts_on=today,
        ends_on=today,
    )
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    stages = (StageDetails(lengths=[5]),)
    side = add_division(**at, division=DivisionDetails(name="Side", stages=stages), first_name="Main")
    names = [NewEntry(name=name) for name in ("Una", "Vic", "Wim", "Xan")]
    add_entries(**at, division_id=side.pk, entries=names)
    for stage in Stage.objects.filter(division__event=tournament.event):
        draw_stage(**at, stage_id=stage.pk)
        publish_draw(**at, stage_id=stage.pk)
    call_next(**at)

    director = Director(house, "Hanna", size={"width": 1440, "height": 900}).signs_in(user)
    director.event = tournament.event
    director.opens("screens")
    assert violations(director.page) == []
    director.page.get_by_label("Multiple divisions").select_option("divisions")
    director.page.get_by_label("current matches and tables").uncheck()
    director.fills(seconds=4).sends("Create address")
    address = director.page.locator("#screen").input_value()

    wall = Spectator(house, "Wall", size={"width": 1920, "height": 1080})
    wall.page.goto(address)
    shown = wall.page.locator(".wall-part.is-shown h2")
    expect(shown).to_contain_text("Main · Please go to your table")
    expect(shown).to_contain_text("Side · Next", timeout=60_000)  # it has turned by itself
    expect(shown).to_contain_text("Main", timeout=60_000)
    assert violations(wall.page) == []
    size = """(wanted) => innerHeight === wanted
      && parseFloat(getComputedStyle(document.querySelector('.is-shown .wall-list li > span')).fontSize) >= wanted / 18"""
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        wall.page.set_viewport_size({"width": width, "height": height})
        wall.page.wait_for_function(size, arg=height)


def test_display_when_check_ins_are_open_then_one_code_over_nothing_and_gone_once_drawn(house):
    """With two divisions and with five, on a screen of the hall: nothing lies over anything else."""
    user = a_user("Hanna Hall")
    today = timezone.now().date()
    tournament = an_event(
        32,
        club=a_club(user, "Hall Club"),
        director=user,
        tables=12,
        lengths=[5],
        starts_on=today,
        ends_on=today,
    )
    main = tournament.division
    tournament.publish()
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    for _ in range(10):
        call_next(**where)
    wall = Spectator(house, "Wall", size={"width": 1920, "height": 1080})
    sides = []
    for name, shown in (("Beginners", True), ("Doubles", False), ("Ladies", False), ("Seniors", True)):
        details = DivisionDetails(name=name, stages=[StageDetails(lengths=[3])])
        sides.append(add_division(**where, division=details, first_name="Open"))
        open_check_in(**where, division_id=sides[-1].pk)
        if not shown:
            continue
        wall.goes_to(
            f"{reverse('public:hall', args=[tournament.event.public_id])}?hall={display_key(tournament.event)}"
        )
        assert wall.page.locator(".wall-check-in").count() == 1
        if name == "Beginners":
            wall.reads("Beginners · Check-in")
        expect(wall.page.locator(".is-shown [data-wall-page]")).to_have_text("1 / 2")
        boxes = wall.page.locator(".wall > .is-shown, .wall > .wall-foot, .wall-top > *").evaluate_all(
            "nodes => nodes.map((node) => node.getBoundingClientRect()).filter((box) => box.height).map((box) => [box.top, box.bottom])"
        )
        assert len(boxes) >= 3
        assert all(below[0] >= above[1] - 1 for above, below in pairwise(boxes))
        assert boxes[-1][1] <= 1081
    CheckIn.objects.update(drawn=main.stages.get().rounds.first())
    Event.objects.filter(pk=tournament.event.pk).update(version=F("version") + 1)
    wall.goes_to(
        f"{reverse('public:hall', args=[tournament.event.public_id])}?hall={display_key(tournament.event)}"
    )
    assert wall.page.locator(".wall-check-in").count() == 0
    assert wall.page.locator(".wall-part.is-shown .wall-name").count() == 20
