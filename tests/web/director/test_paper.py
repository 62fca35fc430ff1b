"""What a director prints: each paper holds what it must, for whom it is, and nothing that is not of its division."""

import pytest
from django.urls import reverse

from tests.factories import a_user, an_event
from tests.support.director import signed_in, words
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.models import Match
from tournaments.site.web.paper import PAPERS, SLIPS_PER_PAGE
from tournaments.site.web.paper_draw import bracket_sheets, empty_columns

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def tournament():
    return an_event(8, tables=3, lengths=[5]).publish()


def paper(tournament, kind, user=None, **query):
    address = reverse("director:paper", args=[tournament.event.public_id, kind])
    return signed_in(user or tournament.director).get(address, query)


def test_papers_when_opened_by_a_director_then_each_is_a_page_and_strangers_have_none(tournament):
    names = [entry.name for entry in tournament.division.entries.all()]
    for kind in PAPERS:
        page = paper(tournament, kind)
        assert page.status_code == 200
        if kind not in ("cards", "places", "final"):
            assert all(name in words(page) for name in names)
        assert paper(tournament, kind, a_user()).status_code == 403
    index = signed_in(tournament.director).get(reverse("director:papers", args=[tournament.event.public_id]))
    assert all(str(one.name) in words(index) for one in PAPERS.values())


def test_paper_when_it_or_its_round_is_unknown_then_missing(tournament):
    assert paper(tournament, "nothing").status_code == 404
    for wrong in ("x", "1.99", "²", "\0"):
        assert paper(tournament, "slips", round=wrong).status_code == 404


def test_slips_when_a_round_is_chosen_then_every_match_of_it_has_one_with_a_code(tournament):
    key = f"{tournament.stage.pk}.1"
    slips = [slip for page in paper(tournament, "slips", round=key).context["pages"] for slip in page]
    assert sorted(slip["number"] for slip in slips) == [1, 2, 3, 4]
    assert [slip["table"] for slip in slips] == [1, 2, 3, None]
    assert all("<svg" in slip["qr"] for slip in slips)
    tournament.play_out()
    assert "All matches of this round are finished." in words(paper(tournament, "slips", round=key))


def test_pairings_when_by_name_then_in_the_order_of_names_with_table_and_opponent(tournament):
    rows = paper(tournament, "names", large="1").context["rows"]
    assert [row["name"] for row in rows] == ["Ann", "Bob", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana"]
    first = Match.objects.get(number=1, stage=tournament.stage)
    one, other = (tournament.entry_at(first, side).name for side in "ab")
    row = next(row for row in rows if row["name"] == one)
    assert (row["table"], row["against"]) == (1, other)


def test_draw_when_matches_were_played_then_winners_stand_on_the_next_lines(tournament):
    match = tournament.playable()[0]
    winner = tournament.entry_at(match, "b").name
    tournament.settle(match, "b", 3)
    sheet = paper(tournament, "draw").context["parts"][0]["sheets"][0]
    assert [len(column) for column in sheet["columns"]] == [8, 4, 2, 1]
    assert (sheet["columns"][1][0]["name"], sheet["columns"][1][0]["note"]) == (winner, "1 · 5–3")
    assert [cell["name"] for cell in sheet["columns"][2]] == ["", ""]


def test_draw_when_swiss_then_a_grid_with_a_field_for_every_round():
    swiss = an_event(5, system="swiss", swiss=SwissSettings(rounds=4), lengths=[5])
    grid = paper(swiss, "draw").context["parts"][0]["grid"]
    assert (len(grid["rows"]), grid["rounds"]) == (5, [1, 2, 3, 4])


@pytest.mark.parametrize("entries", [2, 16, 17, 33, 128, 200, 512, 1000])
def test_sheets_when_a_bracket_is_cut_then_no_final_is_alone_and_every_line_stands_once(entries):
    columns = empty_columns(entries)
    pages = bracket_sheets(columns)
    assert all(page["lines"] >= min(4, len(columns[0])) for page in pages)
    assert all(page["lines"] <= 32 and len(page["columns"][0]) == page["lines"] for page in pages)
    assert len(pages[-1]["columns"][-1]) == 1
    assert sum(page["lines"] for page in pages) >= len(columns[0])


def test_places_when_all_is_played_then_everybody_has_one():
    tournament = an_event(4, tables=2, lengths=[3]).publish().play_out()
    rows = paper(tournament, "places").context["parts"][0]["rows"]
    assert rows[0]["place"] == "1"
    assert len(rows) == 4


def test_cards_when_a_table_is_closed_then_it_has_none(tournament):
    type(tournament.event).objects.filter(pk=tournament.event.pk).update(closed_tables=[2])
    assert list(paper(tournament, "cards").context["pages"]) == [[1, 3]]


@pytest.mark.parametrize("entries", [17, 33, 64, 65, 128, 512])
def test_sheets_when_on_a3_then_half_as_many_and_no_final_is_alone(entries):
    columns = empty_columns(entries)
    pages = bracket_sheets(columns, scale=2)
    assert all(page["lines"] >= min(4, len(columns[0])) for page in pages)
    assert all(page["lines"] <= 64 and len(page["columns"][0]) == page["lines"] for page in pages)
    assert len(pages[-1]["columns"][-1]) == 1
    assert len(pages) <= len(bracket_sheets(columns))


def test_draw_when_a3_is_chosen_then_its_page_is_and_other_papers_have_no_choice(tournament):
    index = (
        signed_in(tournament.director)
        .get(reverse("director:papers", args=[tournament.event.public_id]))
        .content
    )
    assert index.count(b'name="a3"') == 1
    assert b"is-a3" in paper(tournament, "draw", a3="1").content
    assert b"is-a3" not in paper(tournament, "draw").content
    assert b"is-a3" not in paper(tournament, "slips", a3="1").content


def test_cards_when_printed_then_each_has_a_code(tournament):
    assert paper(tournament, "cards").content.count(b"<svg xmlns") == 3


def test_slips_when_a_round_is_larger_than_thirty_sheets_then_the_rest_is_on_further_pages():
    tournament = an_event(512).publish()
    numbers = []
    for page in (1, 2):
        answer = paper(tournament, "slips", page=page)
        numbers += [slip["number"] for sheet in answer.context["pages"] for slip in sheet]
        assert f"Page {page} of 2" in words(answer)
    assert len(set(numbers)) == len(numbers) == 256 > SLIPS_PER_PAGE
