"""A match that goes on another day: what may be written down, and what comes back."""

from dataclasses import replace
from datetime import date, time

import pytest

from games.rules.errors import UnreadableId
from games.rules.position import Position
from tournaments.engine.matches.adjourning import Adjournment, check_adjournment, parse_position
from tournaments.engine.types import Score, Side

START = "4HPwATDgc/ABMA"
TODAY = date(2026, 11, 21)
WHOLE = Adjournment(
    Score(3, 2),
    cube=2,
    cube_owner=Side.B,
    position=START,
    on_roll=Side.B,
    dice=(6, 4),
    clock_a=431,
    clock_b=60,
    resumes_on=date(2026, 12, 3),
    resumes_at=time(19, 30),
    place="Table 4",
    note="White runs",
)


def faults(**changes):
    found = check_adjournment(replace(WHOLE, **changes), length=7, start=Score(0, 2), today=TODAY)
    return {(str(fault.code), fault.field) for fault in found}


def test_everything_that_was_written_down_comes_back():
    assert Adjournment.of(WHOLE.data()) == WHOLE
    assert Adjournment.of(Adjournment(Score(0, 0)).data()) == Adjournment(Score(0, 0))
    assert Adjournment.of({}) is None


def test_a_whole_note_and_the_shortest_one_may_stand():
    assert faults() == set()
    assert check_adjournment(Adjournment(Score(0, 0)), length=1, start=Score(0, 0), today=TODAY) == ()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"score": Score(7, 2)}, {("score.must_be_below_length", "score_a")}),
        ({"score": Score(-1, 2)}, {("score.negative", "score_a")}),
        ({"score": Score(3, 1)}, {("score.below_start", "score_b")}),
        ({"cube": 3}, {("adjourned.cube_odd", "cube")}),
        ({"cube": 0}, {("adjourned.cube_odd", "cube")}),
        ({"cube": -2}, {("adjourned.cube_odd", "cube")}),
        ({"cube": 1 << 13}, {("adjourned.cube_odd", "cube")}),
        ({"cube": 1}, {("adjourned.cube_owner", "cube_owner")}),
        ({"cube_owner": None}, {("adjourned.cube_owner", "cube_owner")}),
        ({"position": "nonsense"}, {("adjourned.position_odd", "position")}),
        ({"position": "AAAAAAAAAAAAAA"}, {("adjourned.game_over", "position")}),
        ({"on_roll": None}, {("adjourned.on_roll_missing", "on_roll")}),
        ({"on_roll": None, "position": ""}, {("adjourned.on_roll_missing", "on_roll")}),
        ({"dice": (0, 7)}, {("adjourned.dice_odd", "dice")}),
        ({"clock_a": -1}, {("adjourned.clock_odd", "clock_a")}),
        ({"clock_b": 100_000}, {("adjourned.clock_odd", "clock_b")}),
        ({"resumes_on": date(2026, 11, 20)}, {("adjourned.in_the_past", "resumes_on")}),
        ({"resumes_on": None}, {("adjourned.day_missing", "resumes_on")}),
        ({"place": "x" * 121}, {("adjourned.text_long", "place")}),
        (
            {"score": Score(9, 9), "cube": 5, "clock_a": -5},
            {
                ("score.must_be_below_length", "score_a"),
                ("score.must_be_below_length", "score_b"),
                ("adjourned.cube_odd", "cube"),
                ("adjourned.clock_odd", "clock_a"),
            },
        ),
    ],
)
def test_what_cannot_be_is_named_all_at_once(changes, expected):
    assert faults(**changes) == expected


def test_today_is_not_in_the_past_and_without_a_day_of_comparison_any_day_may_stand():
    assert faults(resumes_on=TODAY) == set()
    old = Adjournment(Score(0, 0), resumes_on=date(2020, 1, 1))
    assert check_adjournment(old, length=5, start=Score(0, 0), today=None) == ()


@pytest.mark.parametrize(
    "text",
    [
        START,
        f"  {START}\n",
        f"{START}:cAkAAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:63:0:0:0:7:10",
    ],
)
def test_a_position_is_read_from_what_programs_copy(text):
    assert parse_position(text) == Position.start().id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAx",
        "XGID=",
        "XGID=-:0:0:1:00:0:0:0:0:10",
        "4HPw\0TDgc/ABMA",
        "ünsinn",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(UnreadableId):
        parse_position(text)


def test_the_board_is_seen_by_side_a_whoever_is_on_roll():
    lopsided = Position.from_points({24: 2, 6: 5}, {13: 5, 8: 3})
    assert Adjournment(Score(0, 0), position=lopsided.id, on_roll=Side.A).board == lopsided
    assert Adjournment(Score(0, 0), position=lopsided.id, on_roll=Side.B).board == lopsided.swap()
    assert Adjournment(Score(0, 0)).board is None
