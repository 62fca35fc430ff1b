"""The board on the wall, and the expected end on public pages."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.director import desk_of
from tests.support.tournaments import link_of, opened, text_of
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.forecasts import update_forecast
from tournaments.hall.web.screens import MAX_INLINE_QR_CODES
from tournaments.hall.web.wall import DEFAULT_PAGES
from tournaments.models import Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def tournament():
    cache.clear()
    today = timezone.now().date()
    return an_event(8, tables=3, starts_on=today, ends_on=today, lengths=[5]).publish()


def rows(page, kind):
    """What stands on the pages of this kind."""
    return [row for one in page.context["pages"] if one["kind"] == kind for row in one["rows"]]


def hall(tournament, **headers):
    return Client().get(reverse("public:hall", args=[tournament.event.public_id]), headers=headers)


def test_hall_when_one_is_called_then_only_its_two_are_sent_to_their_table(tournament):
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    page = hall(tournament)
    assert page.status_code == 200
    # Tables are kept for two more matches; nobody has called them.
    assert [(row["table"], row["status"]) for row in rows(page, "go")] == [(1, "called")]
    assert [row["status"] for row in rows(page, "coming")] == ["ready"] * 3
    called = Match.objects.get(status="called")
    names = sorted(tournament.entry_at(called, side).name for side in "ab")
    assert [(row["name"], row["table"]) for row in rows(page, "names")] == [(name, 1) for name in names]
    text = text_of(page)
    assert "Please go to your table" in text
    for entry in tournament.division.entries.all():
        assert entry.name in text
    assert "is-hall" in page.content.decode()


def test_hall_when_nobody_is_called_then_nobody_is_sent(tournament):
    page = hall(tournament)
    assert (rows(page, "go"), rows(page, "names")) == ([], [])
    assert len(rows(page, "coming")) == 4
    assert "Please go to your table" not in text_of(page)


def test_hall_when_a_division_is_named_then_its_screen_alone_and_a_wrong_one_is_missing(tournament):
    url = reverse("public:hall", args=[tournament.event.public_id])
    client = Client()
    assert len(rows(client.get(url, {"division": "1"}), "coming")) == 4
    for wrong in ("2", "x", "-1", "9" * 30, "²"):
        assert client.get(url, {"division": wrong}).status_code == 404


def test_hall_when_nothing_changed_then_a_304_and_a_call_renews_it(tournament):
    page = hall(tournament)
    assert hall(tournament, **{"If-None-Match": page["ETag"]}).status_code == 304
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    assert hall(tournament, **{"If-None-Match": page["ETag"]}).status_code == 200


def test_hall_when_it_is_a_draft_or_over_then_missing_or_empty(tournament):
    draft = an_event(4)
    assert hall(draft).status_code == 404
    assert "No matches yet" in text_of(hall(opened(draft)))
    tournament.play_out()
    assert "The event has finished" in text_of(hall(tournament))


def test_end_when_the_event_runs_tonight_then_told_on_its_page_and_the_next_match_on_the_players(tournament):
    update_forecast(event_id=tournament.event.pk)
    page = Client().get(reverse("public:event", args=[tournament.event.public_id]))
    text = text_of(page)
    assert "hours from start to finish" in text
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    update_forecast(event_id=tournament.event.pk)
    mine = Client().get(reverse("player:home", args=[link_of(tournament, match, "a")]))
    assert "Expected start: about" in text_of(mine)
    assert Match.objects.filter(status="waiting", slots__entry=tournament.entry_at(match, "a")).exists()


def test_end_when_the_event_is_long_past_then_nothing_is_promised(tournament):
    type(tournament.event).objects.update(starts_on="2020-01-01", ends_on="2020-01-01")
    assert "Expected to end" not in text_of(
        Client().get(reverse("public:event", args=[tournament.event.public_id]))
    )


def two_divisions():
    """A Swiss of eight (Main) and a knock-out of four (Side), both drawn; one table, so that all but one match waits."""
    cache.clear()
    today = timezone.now().date()
    tournament = an_event(
        8,
        tables=1,
        starts_on=today,
        ends_on=today,
        lengths=[3],
        system="swiss",
        swiss=SwissSettings(rounds=3),
    )
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    stages = (StageDetails(lengths=[5]),)
    side = add_division(**at, division=DivisionDetails(name="Side", stages=stages), first_name="Main")
    names = [NewEntry(name=name) for name in ("Una", "Vic", "Wim", "Xan")]
    add_entries(**at, division_id=side.pk, entries=names)
    swiss, bracket = Stage.objects.filter(division__event=tournament.event).order_by("division__position")
    draw_stage(**at, stage_id=bracket.pk)
    publish_draw(**at, stage_id=bracket.pk)
    found = pair_next_round(**at, stage_id=swiss.pk, seed=3)
    publish_round(**at, stage_id=swiss.pk, seen=found.version)
    return tournament


def keys(page):
    return [one["key"] for one in page.context["pages"]]


def test_rounds_when_play_has_begun_then_those_ahead_stand_there_with_their_times(clock):
    tournament = two_divisions()
    assert rows(hall(tournament), "rounds") == []  # nobody knows yet when it begins
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    update_forecast(event_id=tournament.event.pk)
    page = hall(tournament)
    told = [row["name"] for row in rows(page, "rounds")]
    assert sorted(told) == ["Main · Round 2", "Main · Round 3", "Side · Final"]
    assert told.index("Main · Round 2") < told.index("Main · Round 3")
    assert all(row["begins"].startswith("about ") for row in rows(page, "rounds"))
    clock.moves(minutes=40)  # one match at the only table takes too long, and everything moves with it
    update_forecast(event_id=tournament.event.pk)
    assert hall(tournament, **{"If-None-Match": page["ETag"]}).status_code == 200


def test_screen_when_divisions_take_turns_then_each_has_its_pages_in_order(clock):
    tournament = two_divisions()
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    update_forecast(event_id=tournament.event.pk)
    url = reverse("public:hall", args=[tournament.event.public_id])
    ask = lambda **query: Client().get(url, query)  # noqa: E731
    assert keys(ask()) == ["wall-names", "wall-go", "wall-coming", "wall-rounds"]
    turns = keys(ask(turn="divisions", show="calls,next,tables"))
    assert [key.rpartition("-")[2] for key in turns] == sorted(key.rpartition("-")[2] for key in turns)
    assert {"wall-coming-1", "wall-coming-2"} <= set(turns)
    assert sum("tables" in key for key in turns) == 1
    assert keys(ask(division="2", show="next")) == ["wall-coming"]
    together = rows(ask(division="1,2", show="next"), "coming")
    assert len(together) == len(rows(ask(show="next"), "coming")) > len(rows(ask(division="2"), "coming"))
    standing = ask(show="tables").context["pages"][0]
    assert (len(standing["rows"]), standing["title"]) == (8, "Main · Table")
    assert 'data-wall-seconds="12"' in ask(seconds="12").content.decode()
    assert 'data-wall-seconds="60"' in ask(seconds="999").content.decode()


@pytest.mark.parametrize(
    "query",
    [
        {"show": "nonsense"},
        {"turn": "x"},
        {"seconds": "x"},
        {"seconds": "-4"},
        {"division": "1,9"},
        {"division": "1,,x"},
    ],
)
def test_screen_when_there_is_no_such_thing_then_missing(tournament, query):
    assert Client().get(reverse("public:hall", args=[tournament.event.public_id]), query).status_code == 404


def test_screens_when_there_are_many_then_one_code_at_a_time():
    tournament = an_event(2)
    for number in range(6):
        details = DivisionDetails(name=f"Side {number}", stages=(StageDetails(lengths=[5]),))
        add_division(
            actor=tournament.actor, event_id=tournament.event.pk, division=details, first_name="Main"
        )
    desk = desk_of(tournament)
    page = desk.get("screens")
    assert len(page.context["screens"]) == MAX_INLINE_QR_CODES + 1
    assert b"hall-screen-code" not in page.content
    asked = desk.get("screens", code=page.context["screens"][1]["key"])
    assert asked.content.count(b"hall-screen-code") == 1
    assert "<svg" in asked.context["chosen"][0]["qr"]
    assert asked.context["chosen"][0]["url"] == page.context["screens"][1]["url"]
    assert desk.get("screens", code="none").context["chosen"] == []


def test_screens_when_put_together_then_an_address_that_shows_just_that(clock):
    tournament = two_divisions()
    desk = desk_of(tournament)
    page = desk.get("screens")
    assert [one["name"] for one in page.context["screens"]] == [
        "All pages",
        "Main",
        "Side",
        "Divisions one after another, with standings",
        "Draw: Main",
        "Draw: Side",
    ]
    for one in page.context["screens"]:
        assert Client().get(one["url"]).status_code == 200, one["url"]
        assert "<svg" in one["qr"]
    made = desk.get("screens", division=["2"], show=["next", "rounds"], seconds="12")
    (screen,) = made.context["chosen"]
    assert screen["url"].endswith(
        f"/e/{tournament.event.public_id}/hall/?division=2&show=next,rounds&seconds=12"
    )
    assert Client().get(screen["url"]).status_code == 200
    usual = desk.get("screens", division=["1", "2"], show=list(DEFAULT_PAGES), seconds="8", turn="")
    assert usual.context["chosen"][0]["url"].endswith("/hall/")
    for wrong in (
        {"seconds": "1"},
        {"seconds": "8", "show": "x"},
        {"seconds": "8", "show": "next", "division": "7"},
    ):
        assert desk.get("screens", **wrong).status_code == 422
