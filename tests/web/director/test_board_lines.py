"""The board line by line: what narrows it survives everything, and a result typed in its line is the form's own."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import AuditEntry
from tests.factories import Tournament, a_director, an_event
from tests.support.director import Desk, desk_of, lines_of
from tournaments.hall.web import board as board_page
from tournaments.models import Match, Report

pytestmark = pytest.mark.django_db
QUICK = {"X-Requested-With": "desk"}
LIVE = {"X-Requested-With": "live"}


@pytest.fixture
def tournament() -> Tournament:
    return an_event(4).publish()


def quickly(desk: Desk, match: Match, a: int, b: int, key: str = "k1"):
    data = {"score_a": a, "score_b": b, "kind": "played", "winner": "", "submission_key": key}
    return desk.client.post(desk.url("result", match.public_id), data, headers=QUICK)


# --- what it is narrowed to -------------------------------------------------------------------------------------------


def test_narrowing_when_chosen_then_every_way_to_the_board_leads_back_to_it(tournament) -> None:
    desk = desk_of(tournament)
    match, other = tournament.playable()
    assert desk.get("board", sort="state", q="ann").status_code == 200
    back = f"{desk.url('board')}?q=ann&sort=state"
    assert desk.get("board")["Location"] == back
    assert desk.result(match, 7, 4)["Location"] == desk.url("board")
    assert (
        desk.result(other, 7, 4, next=match.public_id)["Location"]
        == f"{desk.url('board')}#m-{match.public_id}"
    )
    page = desk.client.get(desk.url("board"), follow=True)
    assert [order for order, _words, here in page.context["orders"] if here] == ["state"]


def test_narrowing_when_everything_is_asked_for_again_then_it_is_forgotten(tournament) -> None:
    desk = desk_of(tournament)
    desk.get("board", part="1.1.main", state="playing")
    page = desk.get("board", state="playing")
    assert page.context["all_url"] == "?state=now"
    assert desk.get("board", state="now").status_code == 200
    assert desk.get("board").status_code == 200


def test_narrowing_when_it_is_nonsense_then_the_usual_board(tournament) -> None:
    desk = desk_of(tournament)
    shown = lines_of(desk)
    assert lines_of(desk, state="<b>", sort="'", part="", q="\0") == shown
    desk.client.cookies["board"] = "sort=%00&state=x&" + "q" * 900
    assert desk.get("board").status_code == 200


def test_narrowing_when_another_event_is_opened_then_it_has_its_own(tournament) -> None:
    desk = desk_of(tournament)
    cookie = desk.get("board", sort="time").cookies["board"]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (desk.url("event"), "Lax", True)


def test_narrowing_when_a_page_renews_itself_then_it_neither_follows_nor_changes_what_is_remembered(
    tournament,
) -> None:
    desk = desk_of(tournament)
    desk.get("board", sort="time")
    assert desk.client.get(desk.url("board"), headers=LIVE).status_code == 200
    assert "board" not in desk.client.get(desk.url("board"), {"sort": "state"}, headers=LIVE).cookies
    assert desk.get("board")["Location"].endswith("?sort=time")


def test_chips_when_counted_then_within_what_was_searched_and_never_an_empty_one_more_than_needed(
    tournament,
) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", match.length, 3)
    chips = {chip["code"]: chip["count"] for chip in desk.get("board").context["chips"]}
    assert chips == {"now": 2, "asks": 1, "ready": 1, "waiting": 1}
    name = tournament.entry_at(match, "a").name
    chips = {chip["code"]: chip["count"] for chip in desk.get("board", q=name).context["chips"]}
    assert chips == {"now": 1, "asks": 1}


def test_lines_when_there_are_more_than_a_page_then_the_rest_is_one_press_away(
    tournament, monkeypatch
) -> None:
    monkeypatch.setattr(board_page, "MAX_ROWS_AT_ONCE", 1)
    monkeypatch.setattr(board_page, "FIRST_ROWS", 1)
    desk = desk_of(tournament)
    page = desk.get("board")
    assert (page.context["count"], page.context["more"]) == (2, 1)
    first, second = tournament.playable()
    (line,) = page.context["groups"][0]["lines"]
    assert line["result"].endswith(f"{first.public_id}/?next={second.public_id}")
    assert len(lines_of(desk, all="1")) == 2


def test_done_when_looked_at_then_the_last_result_stands_first(tournament) -> None:
    desk = desk_of(tournament)
    first, second = tournament.playable()
    tournament.settle(second, "a", 2)
    tournament.settle(first, "b", 1)
    lines = list(lines_of(desk, state="done").values())
    assert [line["number"] for line in lines] == [first.number, second.number]
    assert (lines[0]["score"], lines[0]["winner"]) == (f"1–{first.length}", "b")


# --- results in the line ----------------------------------------------------------------------------------------------


def test_result_when_typed_in_the_line_then_recorded_as_by_the_form(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    a, b = (tournament.entry_at(match, side).name for side in "ab")
    answer = quickly(desk, match, match.length, 4)
    assert answer.json() == {"message": f"Match {match.number}: {a} {match.length}–4 {b}."}
    match.refresh_from_db()
    assert (match.status, match.score_b, Report.objects.count()) == ("confirmed", 4, 1)
    assert quickly(desk, match, match.length, 4).json() == {
        "message": f"Match {match.number} has already been recorded."
    }


def test_result_when_impossible_then_the_reason_stands_in_the_line_and_nothing_is_recorded(
    tournament,
) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    answer = quickly(desk, match, match.length, match.length)
    assert answer.status_code == 422
    assert answer.json()["reasons"]
    nonsense = quickly(desk, match, match.length, "x").json()["reasons"]
    assert nonsense[0].startswith(tournament.entry_at(match, "b").name)
    assert not Report.objects.exists()


def test_result_when_a_second_director_was_quicker_then_told_how_it_stands_and_nothing_is_lost(
    tournament,
) -> None:
    match = tournament.playable()[0]
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Second Director"))
    assert quickly(desk, match, match.length, 4).status_code == 200
    before = AuditEntry.objects.count()
    late = quickly(other, match, 2, match.length, "k2")
    assert late.status_code == 409
    assert late.json()["now"] == f"Done, {match.length}–4"
    assert late.json()["reasons"]
    same = quickly(other, match, match.length, 4, "k3")
    assert (same.status_code, AuditEntry.objects.count()) == (200, before)


def test_report_when_agreed_to_on_the_board_then_it_is_the_result(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", match.length, 3)
    line = lines_of(desk)[match.public_id]
    assert (line["claim"]["version"], line["claim"]["score"]) == (1, f"{match.length}–3")
    url = desk.url("decide", match.public_id)
    answer = desk.client.post(url, {"version": 1, "submission_key": "agreed"}, headers=QUICK)
    assert answer.json()["message"].startswith(f"Match {match.number}: ")
    match.refresh_from_db()
    assert (match.status, match.score_b) == ("confirmed", 3)


def test_report_when_the_other_side_has_spoken_since_then_the_line_agrees_to_nothing(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", match.length, 3)
    page = desk.get("board").content.decode()
    url = re.search(r'formaction="([^"]*/decide/[^"]*)"', page)[1]
    tournament.says(match, "b", 2, match.length)
    answer = desk.client.post(url, {"version": 1, "submission_key": "agreed"}, headers=QUICK)
    assert answer.status_code == 409
    assert answer.json()["reasons"][0].startswith("This match has changed in the meantime.")
    match.refresh_from_db()
    assert match.status == "disputed"
    again = tournament.says(match, "a", match.length, 5).report
    stale = desk.client.post(
        desk.url("decide", match.public_id), {"version": 1, "submission_key": "k"}, headers=QUICK
    )
    assert (stale.status_code, stale.json()["now"]) == (409, "Disputed")
    assert again.state == "open"


def test_button_when_pressed_in_a_line_then_answered_in_a_line(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    url = desk.url("match-act", match.public_id, "call")
    assert desk.client.post(url, headers=QUICK).json() == {"message": f"Match {match.number} called."}
    again = desk.client.post(url, headers=QUICK)
    assert (again.status_code, again.json()["now"]) == (409, "Called")
    everything = desk.client.post(desk.url("call"), {"all": "1"}, headers=QUICK)
    assert everything.json()["message"].startswith("Called: ")


def test_form_when_opened_from_a_line_then_it_comes_back_to_the_next_one(tournament) -> None:
    desk = desk_of(tournament)
    match, other = tournament.playable()
    page = desk.get("match", match.public_id, next=other.public_id)
    assert f'name="next" value="{other.public_id}"' in page.content.decode()
    evil = desk.result(match, match.length, 4, next='"><script>')
    assert evil["Location"] == desk.url("board")


@pytest.mark.parametrize("size", [8, 64])
def test_board_when_there_are_many_matches_then_it_asks_no_more(size) -> None:
    desk = desk_of(an_event(size, tables=6).publish())
    desk.get("board")
    with CaptureQueriesContext(connection) as made:
        assert desk.get("board").status_code == 200
    assert len(made) <= 26
