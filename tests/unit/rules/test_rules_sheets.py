"""Score sheets without moves: which games can be, by which rule, and how sheets are written."""

import pytest

from faults import Invalid
from games.rules.formats import MatchFormat, get_preset
from games.rules.sheets import audit_sheet, format_sheet, points_to_win, read_sheet, swap_sheet_sides

SEVEN = MatchFormat(length=7)


@pytest.mark.parametrize(
    ("rows", "game", "rule"),
    [
        ("1-0 2-2", 2, "R31"),
        ("1-0 1-0 2-0", 2, "R32"),
        ("2-0 1-0", 2, "F1"),
        ("1-0 6-0", 2, "R39"),  # five points
        ("6-0 6-4", 2, "F2"),  # a gammon or backgammon is the most of the Crawford game
        ("4-0 8-0 8-1", 3, "F9"),
    ],
)
def test_first_game_that_cannot_be_is_named_with_its_rule(rows, game, rule):
    found = audit_sheet(SEVEN, read_sheet(rows))
    assert (found.game, found.fault.rule) == (game, rule)


@pytest.mark.parametrize(
    "rows",
    [
        "1-0 3-0 3-4 3-5 6-5 6-6 7-6",
        "6-0 6-3 6-7",  # after the Crawford game the cube is back
        "4-0 6-0 7-0",
        "3-0 7-0",  # four, or what was needed of more
        "2-0 10-0",  # all of them stand there (F1)
    ],
)
def test_games_that_can_be_are_no_finding(rows):
    assert audit_sheet(SEVEN, read_sheet(rows)) is None


def test_crawford_game_is_won_for_what_it_is_worth_and_no_more():
    assert audit_sheet(SEVEN, read_sheet("6-0 6-2 6-3"), start=(0, 0)) is None
    found = audit_sheet(SEVEN, read_sheet("6-1 6-7"), start=(4, 1))
    assert (found.game, found.fault.code, found.fault.params["most"]) == (2, "sheet.crawford", 3)


def test_without_the_crawford_rule_and_without_a_cube_the_worths_are_others():
    rows = read_sheet("6-0 6-4")
    assert audit_sheet(MatchFormat(length=7, crawford=False), rows) is None
    no_cube = MatchFormat(length=7, cube=False, crawford=False)
    assert audit_sheet(no_cube, read_sheet("4-0")).fault.rule == "R39"
    assert points_to_win(no_cube) == (1, 2, 3)


def test_sheet_begins_where_the_match_did_and_ends_as_it_did():
    assert audit_sheet(SEVEN, read_sheet("3-1 7-1"), start=(2, 1), final=(7, 1)) is None
    found = audit_sheet(SEVEN, read_sheet("3-1 6-1"), start=(2, 1), final=(7, 1))
    assert (found.game, found.fault.code, found.after) == (2, "sheet.ends_otherwise", (6, 1))
    assert audit_sheet(SEVEN, read_sheet("3-0 9-0"), final=(7, 0)) is None  # points above the length
    assert audit_sheet(SEVEN, (), final=(7, 0)) is None


def test_taps_offer_what_a_game_can_be_worth():
    assert points_to_win(SEVEN) == (1, 2, 3, 4, 6, 8)
    assert points_to_win(MatchFormat(length=1)) == (1,)
    assert points_to_win(get_preset("match").format(3)) == (1, 2, 3)


def test_sheet_is_read_as_people_write_it_and_written_in_one_way():
    rows = read_sheet(" 1-0, 1 \u2013 2\n5:2;")
    assert rows == ((1, 0), (1, 2), (5, 2))
    assert read_sheet(format_sheet(rows)) == rows
    assert swap_sheet_sides(rows) == ((0, 1), (2, 1), (2, 5))
    assert read_sheet("") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1-0 oops", "sheet.unreadable"),
        ("1-0-2", "sheet.unreadable"),
        ("1000-0", "sheet.unreadable"),
        ("\u0661-0", "sheet.unreadable"),
        ("1-0 " * 300, "sheet.too_long"),
    ],
)
def test_what_is_no_score_is_refused(text, code):
    with pytest.raises(Invalid) as refused:
        read_sheet(text)
    assert [fault.code for fault in refused.value.faults] == [code]
