"""The board's calls, tables and times, and the screen that says what holds an event up."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from tests.factories import Tournament, an_event
from tests.support.director import Desk, desk_of, lines_of, words
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.matches.rulings import SINGLES_CLOCK, MatchConditions
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.hall.services.forecasts import update_forecast
from tournaments.models import Division, EntryPlayer, Event, Match, Report, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()


def tonight(entries: int, **changes) -> Tournament:
    today = timezone.now().date()
    return an_event(entries, **{"lengths": [5], "starts_on": today, "ends_on": today, **changes})


@pytest.fixture
def tournament():
    return tonight(8, tables=3).publish()


@pytest.fixture
def desk(tournament):
    return desk_of(tournament)


def side_draw(tournament: Tournament, *names: str) -> Stage:
    division = Division.objects.create(event=tournament.event, position=2, name="Speedgammon")
    stage = Stage.objects.create(division=division, position=1, lengths=[3])
    players = [EntryPlayer.objects.get(entry=tournament.entry(name)).player_id for name in names]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=division.pk,
        entries=[NewEntry(player_id=player) for player in players],
    )
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk, seed=1)
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    return stage


def ago(match: Match, minutes: int, **names: str) -> None:
    """Put times of the match back, as if so many minutes had gone by."""
    Match.objects.filter(pk=match.pk).update(
        **dict.fromkeys(names.values(), timezone.now() - minutes * MINUTE)
    )
    Event.objects.update(version=match.stage.division.event.version + 100)


def taps(desk: Desk, what: str, side: str = "") -> dict[str, str]:
    """What a button of the page sends, against this side."""
    forms = desk.get("holdups").content.decode().split("<form")[1:]
    found = [form.split("</form>")[0] for form in forms if f'/{what}/"' in form]
    fields = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in found]
    return next(one for one in fields if not side or one[what] == side)


def card_of(desk: Desk, match: Match) -> dict:
    return lines_of(desk)[match.public_id]


def test_call_next_when_pressed_then_the_next_match_is_called_and_named(desk, tournament):
    answer = desk.client.post(desk.url("call"), follow=True)
    first, second, third, *_ = (
        f"{tournament.entry_at(match, 'a').name} – {tournament.entry_at(match, 'b').name}"
        for match in tournament.playable()
    )
    assert f"Called: {first} to table 1." in words(answer)
    everything = desk.client.post(desk.url("call"), {"all": "1"}, follow=True)
    assert f"Called: {second} to table 2, {third} to table 3." in words(everything)
    none = desk.post("call")
    assert none.status_code == 409
    assert "No table is free." in words(none)
    assert f"match 2 ({second}, table 2), match 3 ({third}, table 3)" in words(desk.get("audit"))


def test_card_when_a_player_is_busy_then_says_where_and_cannot_be_called(desk, tournament):
    first, second, *_others = tournament.playable()
    desk.post("match-act", first.public_id, "call")
    name = tournament.entry_at(first, "a").name
    stage = side_draw(tournament, name, tournament.entry_at(second, "a").name)
    side = Match.objects.get(stage=stage)
    card = card_of(desk, side)
    assert card["why_not"] == [f"{name} is playing match 1 (Single elimination)"]
    assert not card["can_call"]
    assert not card["can_start"]
    assert name in words(desk.get("board"))
    refused = desk.post("match-act", side.public_id, "call")
    assert refused.status_code == 409
    assert f"{name} is still playing match 1." in words(refused)


def test_board_when_narrowed_then_only_that_division_shows_and_stays_so(desk, tournament):
    stage = side_draw(tournament, "Ann", "Bob")
    assert list(lines_of(desk, part="2")) == [Match.objects.get(stage=stage).public_id]
    page = desk.get("board", part="2")
    assert [key for key, _words in page.context["parts"]] == ["1.1.main", "2.1.main"]
    assert desk.post("call")["Location"] == desk.url("board")
    assert desk.get("board")["Location"] == f"{desk.url('board')}?part=2"
    assert lines_of(desk, part="9.9") == {}


def test_times_when_long_then_marked_and_an_unchanged_board_is_a_304(desk, tournament):
    first = tournament.playable()[0]
    desk.post("match-act", first.public_id, "start")
    ago(first, 61, field="started_at")
    since = card_of(desk, first)["since"]
    assert since["late"]
    assert since["words"] == "Long"
    page = desk.get("board")
    assert f'datetime="{since["iso"]}"' in page.content.decode()
    again = desk.client.get(desk.url("board"), headers={"If-None-Match": page["ETag"]})
    assert again.status_code == 304
    assert b"since.js" in page.content


def test_board_when_somebody_is_called_in_another_event_of_the_club_then_it_changes(desk, tournament):
    page = desk.get("board")
    other = tonight(2, club=tournament.club, director=tournament.director).publish()
    unchanged = desk.client.get(desk.url("board"), headers={"If-None-Match": page["ETag"]})
    assert unchanged.status_code == 200
    page = desk.get("board")
    desk_of(other).post("call")
    assert desk.client.get(desk.url("board"), headers={"If-None-Match": page["ETag"]}).status_code == 200


def test_tables_when_taken_out_of_use_then_shown_and_put_back(desk, tournament):
    assert desk.post("table-use", table="3", action="close").status_code == 302
    pool = desk.get("board").context["tables"]
    assert [(table["closed"], bool(table["match"])) for table in pool] == [
        (False, True),
        (False, True),
        (True, False),
    ]
    text = words(desk.get("board"))
    assert "Out of use" in text
    assert "Table 3 taken out of use." in words(desk.get("audit"))
    assert desk.post("table-use", table="3", action="open").status_code == 302
    assert tournament.fresh().closed_tables == []
    for odd in ("0", "99", "x", "", "-1", "99999999999999"):
        assert desk.post("table-use", table=odd, action="close").status_code == 422
    assert desk.post("table-use", table="1", action="burn").status_code == 404


def test_hold_ups_when_nothing_is_wrong_then_says_so_and_tells_the_end(desk, tournament):
    update_forecast(event_id=tournament.event.pk)
    page = desk.get("holdups")
    assert page.context["count"] == 0
    text = words(page)
    assert "No delays right now." in text
    assert "Matches that decide when" in text
    assert page.context["paths"][0]["matches"][-1]["number"] == 7


def test_hold_ups_when_players_are_late_then_minutes_and_points_by_the_schedule(desk, tournament):
    first, second, _third, _fourth = tournament.playable()
    for match, minutes in ((first, 12), (second, 3)):
        desk.post("match-act", match.public_id, "call")
        ago(match, minutes, field="called_at")
    page = desk.get("holdups")
    assert [(row["number"], row["penalty"]) for row in page.context["late"]] == [
        (first.number, "1 penalty point"),
        (second.number, ""),
    ]
    assert page.context["count"] == 1
    ago(first, 40, field="called_at")
    assert desk.get("holdups").context["late"][0]["penalty"] == "match forfeited"


def test_hold_ups_when_somebody_is_late_then_the_points_are_given_with_one_tap_and_offered_no_more(
    desk, tournament
):
    first = tournament.playable()[0]
    desk.post("match-act", first.public_id, "call")
    ago(first, 12, field="called_at")
    (row,) = desk.get("holdups").context["late"]
    assert [one["side"] for one in row["late"]] == ["a", "b"]
    assert desk.post("late", first.public_id, **taps(desk, "late", "a"))["Location"] == desk.url("holdups")
    first.refresh_from_db()
    assert (first.start_a, first.start_b) == (0, 1)
    (row,) = desk.get("holdups").context["late"]
    assert [one["side"] for one in row["late"]] == ["b"]
    ago(first, 40, field="called_at")
    fields = taps(desk, "late", "b")
    assert "apply" not in fields  # the match is lost: that is a result, and looked at before
    assert "wins this match" in words(desk.post("late", first.public_id, **fields))


def test_hold_ups_when_a_match_is_over_its_time_then_a_clock_and_points_with_one_tap(desk, tournament):
    first = tournament.playable()[0]
    desk.post("match-act", first.public_id, "start")
    ago(first, 85, field="started_at")
    assert "25 minutes overdue" in words(desk.get("holdups"))
    assert desk.post("clock", first.public_id, **taps(desk, "clock"))["Location"] == desk.url("holdups")
    page = desk.get("holdups")
    assert (page.context["running"][0]["may_clock"], "clock on since" in words(page)) == (False, True)
    line = "12 seconds per move, reserve 10:00 for each side, 1:00 less for each point already scored"
    assert line in words(desk.client.get(f"/m/{first.public_id}/"))
    desk.post("slow", first.public_id, **taps(desk, "slow", "b"))
    first.refresh_from_db()
    assert (first.start_a, first.start_b) == (2, 0)
    assert [one["side"] for one in desk.get("holdups").context["running"][0]["slow"]] == ["a"]
    undone = desk.client.post(desk.url("match-act", first.public_id, "send-back"))
    assert undone.status_code == 302
    first.refresh_from_db()
    assert first.clock == {}


def test_hold_ups_when_all_are_played_with_clocks_then_none_is_put_on(desk, tournament):
    stage = tournament.stage
    stage.settings = replace(stage.settings, conduct=MatchConditions(clocks=SINGLES_CLOCK))
    stage.save()
    first = tournament.playable()[0]
    desk.post("match-act", first.public_id, "start")
    ago(first, 85, field="started_at")
    assert desk.get("holdups").context["running"][0]["may_clock"] is False
    first.refresh_from_db()
    refused = desk.post("clock", first.public_id, seen=str(first.version))
    assert (refused.status_code, first.clock) == (409, {})


def test_hold_ups_when_reports_are_left_lying_or_disputed_then_listed(desk, tournament):
    first, second, third, fourth = tournament.playable()
    tournament.says(first, "a", 5, 2)
    tournament.says(second, "a", 5, 2)
    tournament.says(second, "b", 1, 5)
    assert desk.get("holdups").context["unanswered"] == []
    Report.objects.filter(match=first).update(created_at=timezone.now() - 20 * MINUTE)
    Event.objects.update(version=900)
    page = desk.get("holdups")
    assert [row["number"] for row in page.context["unanswered"]] == [first.number]
    assert [row["number"] for row in page.context["disputed"]] == [second.number]
    assert [row["number"] for row in page.context["without_table"]] == [fourth.number]
    assert third.number not in {row["number"] for row in page.context["without_table"]}


def test_hold_ups_when_a_match_is_long_or_a_player_has_two_then_said(desk, tournament):
    first, second, *_others = tournament.playable()
    desk.post("match-act", first.public_id, "start")
    ago(first, 90, field="started_at")
    names = tournament.entry_at(second, "a").name, tournament.entry_at(second, "b").name
    stage = side_draw(tournament, *names)
    page = desk.get("holdups")
    assert [(row["number"], row["penalty"]) for row in page.context["running"]] == [
        (first.number, "30 minutes overdue")
    ]
    assert page.context["paths"] == []  # no worker came by so far
    assert [two["name"] for two in page.context["two_waiting"]] == sorted(names)
    two = {(row["number"], row["where"]) for row in page.context["two_waiting"][0]["matches"]}
    assert {number for number, _where in two} == {second.number, Match.objects.get(stage=stage).number}


def test_hold_ups_when_a_round_waits_then_for_whom_and_what_comes_next():
    tournament = tonight(4, system="swiss")
    desk = desk_of(tournament)
    found = pair_next_round(
        actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk
    )
    publish_round(
        actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk, seen=found.version
    )
    Stage.objects.create(
        division=tournament.division, position=2, lengths=[5], fed_by=tournament.stage, takes=2
    )
    first, second = tournament.playable()
    tournament.settle(first, "a")
    page = desk.get("holdups")
    assert [[row["number"] for row in waits["matches"]] for waits in page.context["rounds"]] == [
        [second.number]
    ]
    assert page.context["not_drawn"][0]["after"]
    tournament.settle(second, "a")
    page = desk.get("holdups")
    assert "publish round 2" in words(page)
    assert f'href="{desk.url("draw")}?division={tournament.division.pk}"' in page.content.decode()


@pytest.mark.parametrize("page", ["board", "holdups"])
@pytest.mark.parametrize("size", [8, 64])
def test_pages_when_the_event_is_large_then_they_ask_no_more(page, size, django_assert_max_num_queries):
    tournament = tonight(size, tables=20).publish()
    desk = desk_of(tournament)
    desk.get("event")
    cache.clear()
    with django_assert_max_num_queries(26):
        assert desk.get(page).status_code == 200
