"""The places of an event's pages: headings, tabs, counts, and what needs attention."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.director import desk_of
from tests.support.tournaments import first_match
from tournaments.engine.stages.settings import BracketSettings
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.hall.web.attention import match_rows
from tournaments.selectors.hall.board import load_board
from tournaments.selectors.hall.holdups import find_delays

pytestmark = pytest.mark.django_db


def heading(page) -> str:
    return " ".join(re.search(r"<h1>(.*?)</h1>", page.content.decode(), re.DOTALL)[1].split())


def test_headings_repeat_the_links_that_lead_to_them():
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    for place in desk.get("event").context["places"]:
        for tab in place.tabs:
            answer = desk.client.get(tab.url, follow=True)
            assert answer.status_code == 200, tab.url
            assert heading(answer) == tab.name


def test_check_in_page_before_the_first_one_is_a_tab_of_players():
    page = desk_of(an_event(4)).get("check-in")
    assert heading(page) == "Check-in"
    assert page.context["place"].name == "Players"


def test_page_of_a_match_is_headed_by_it():
    tournament = an_event(4).publish()
    match = first_match(tournament)
    page = desk_of(tournament).get("match", match.public_id)
    assert heading(page) == f"Match {match.number}"
    assert 'aria-current="page"' not in page.content.decode().partition("<main")[2].partition("</nav>")[0]


def test_points_page_keeps_the_tabs_of_its_place_beside_a_draw():
    tournament = an_event(4)
    add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(name="Money", stages=[StageDetails(system="money")]),
        first_name="Open",
    )
    page = desk_of(tournament).get("money")
    assert [tab.name for tab in page.context["place"].tabs] == ["Draw", "Points"]
    assert heading(page) == "Points"


def test_attention_when_one_match_waits_in_two_ways_then_both_rows_have_their_own_key():
    tournament = an_event(4, lengths=[5]).publish()
    match = first_match(tournament)
    tournament.says(match, "a", 5, 3)
    tournament.says(match, "b", 3, 5)
    hall = load_board(tournament.fresh())
    rows = match_rows(hall, find_delays(hall, timezone.now()))
    keys = [row["key"] for row in rows]
    assert rows[0]["title"].startswith("Conflicting reports")
    assert len(keys) == len(set(keys))


def test_attention_when_play_waits_for_late_entries_alone_then_it_says_so():
    tournament = an_event(3, bracket=BracketSettings(open_lines=1)).publish()
    for match in list(tournament.playable()):
        tournament.settle(match, "a")
    rows = desk_of(tournament).get("event").context["attention"]
    assert "waits for late entries" in " ".join(row["title"] for row in rows)


def test_finished_match_is_corrected_from_its_line():
    tournament = an_event(4, lengths=[5]).publish()
    match = first_match(tournament)
    tournament.settle(match, "a")
    url = reverse("director:match", args=[tournament.event.public_id, match.public_id])
    board = desk_of(tournament).client.get(
        reverse("director:board", args=[tournament.event.public_id]), {"state": "done"}
    )
    assert f'href="{url}#correct"' in board.content.decode()
    assert 'id="correct"' in desk_of(tournament).client.get(url).content.decode()
