"""R1 to R6: board, start, numberings; identifiers at their edges."""

import base64
import json
import pickle

import pytest

from games.rules.errors import RuleError, UnreadableId
from games.rules.ids import MatchId, PlayState
from games.rules.numbering import Numbering, label, labels, point_from_label
from games.rules.position import Position
from games.rules.sides import SIDES, Side
from games.rules.xgid import XgId, XgidAction, board_from_xgid
from tests.support.rules import at, counts

START_ID = "4HPwATDgc/ABMA"
START_BOARD = "-b----E-C---eE---c-e----B-"


def test_r1_r3_the_start_has_fifteen_a_side_where_the_sheets_put_them():
    start = Position.start()
    assert start.own == counts({24: 2, 13: 5, 8: 3, 6: 5})
    assert sum(start.own) == 15
    assert start.pips == start.other_pips == 167
    assert start.id == START_ID
    assert Position.from_id(START_ID) == start


def test_r4_the_start_is_symmetric():
    assert Position.start().swap() == Position.start()


def test_r1_sixteen_checkers_or_a_short_board_are_refused():
    for own, other in (
        (counts({6: 16}), counts({})),
        (counts({6: -1, 5: 2}), counts({})),
        ((0,) * 25, counts({})),
    ):
        with pytest.raises(RuleError) as caught:
            Position.from_counts(own, other)
        assert caught.value.rule == "R1"
    with pytest.raises(RuleError):
        Position.from_points({26: 1}, {})


def test_r6_one_colour_on_a_point():
    with pytest.raises(RuleError) as caught:
        at("6:2", "19:1")
    assert caught.value.rule == "R6"
    assert at("6:15", "24:15").own[6] == 15  # any number of one colour


def test_a_position_is_frozen_hashable_and_small():
    start = Position.start()
    with pytest.raises(AttributeError):
        start.own = ()
    assert len({start, start.swap(), Position.from_id(START_ID)}) == 1
    assert pickle.loads(pickle.dumps(start)) == start
    assert type(pickle.loads(pickle.dumps(start))) is Position
    assert start.__sizeof__() < 64
    assert repr(start) == f"Position.from_id('{START_ID}')"


def test_off_is_what_is_missing_from_fifteen():
    position = at("6:2 bar:1", "24:1")
    assert (position.own_off, position.swap().own_off) == (12, 14)
    assert not position.all_off
    assert at("", "24:1").all_off
    assert at("24:1", "").other_all_off


def test_the_board_is_signed_from_the_own_side():
    board = at("bar:1 6:2", "bar:2 24:3").board()
    assert (board[0], board[1], board[6], board[25]) == (-2, -3, 2, 1)


def test_r5_own_numbering_is_the_same_for_both():
    for side in SIDES:
        assert labels(Numbering.OWN, side) == tuple(str(point) for point in range(1, 25))


def test_r5_sheet_d_white_enters_on_1_to_6_and_black_on_24_to_19():
    assert [label(Numbering.WHITE_UP, Side.WHITE, 25 - die) for die in (1, 6)] == ["1", "6"]
    assert [label(Numbering.WHITE_UP, Side.BLACK, 25 - die) for die in (1, 6)] == ["24", "19"]


def test_r5_sheet_e_orange_runs_1_to_24_and_white_24_to_1():
    orange, white = Side.BLACK, Side.WHITE
    assert (label(Numbering.BLACK_UP, orange, 24), label(Numbering.BLACK_UP, orange, 1)) == ("1", "24")
    assert (label(Numbering.BLACK_UP, white, 24), label(Numbering.BLACK_UP, white, 1)) == ("24", "1")


def test_r5_sheet_a_white_runs_1a_12a_12_1_and_black_the_other_way():
    way = [label(Numbering.WHITE_FROM_1A, Side.WHITE, point) for point in (24, 13, 12, 1)]
    assert way == ["1A", "12A", "12", "1"]
    way = [label(Numbering.WHITE_FROM_1A, Side.BLACK, point) for point in (24, 13, 12, 1)]
    assert way == ["1", "12", "12A", "1A"]
    assert label(Numbering.BLACK_FROM_1A, Side.BLACK, 24) == "1A"


@pytest.mark.parametrize("numbering", [n for n in Numbering if n is not Numbering.OWN])
def test_r5_a_fixed_label_is_the_same_point_for_both_sides(numbering):
    for point in range(1, 25):
        assert label(numbering, Side.WHITE, point) == label(numbering, Side.BLACK, 25 - point)


def test_r5_labels_are_read_in_either_case_and_unknown_ones_refused():
    assert point_from_label(Numbering.WHITE_FROM_1A, Side.WHITE, " 12a ") == 13
    assert point_from_label(Numbering.OWN, Side.WHITE, "Bar") == 25
    assert point_from_label(Numbering.OWN, Side.WHITE, "OFF") == 0
    for wrong in ("", "13A", "0", "25"):
        with pytest.raises(RuleError) as caught:
            point_from_label(Numbering.WHITE_FROM_1A, Side.WHITE, wrong)
        assert caught.value.rule == "R5"
    with pytest.raises(RuleError):
        label(Numbering.OWN, Side.WHITE, 26)


@pytest.mark.parametrize(
    ("text", "code", "at_place"),
    [
        ("4HPwATDgc/ABM", "position_id.length", 13),
        ("4HPwATDgc/ABMAA", "position_id.length", 14),
        ("4HPwATDg?/ABMA", "position_id.character", 8),
        ("4HPwATDgc/ABMB", "position_id.spare_bits", 13),
        ("//////////////", "position_id.spare_bits", 13),
        ("/////////////w", "position_id.places", 13),
        ("//8AAAAAAAAAAA", "position_id.checkers", 0),
        ("AQAAAAAAAgAAAA", "position_id.shared_point", 0),
        ("", "position_id.length", 0),
    ],
)
def test_a_broken_position_id_says_what_and_where(text, code, at_place):
    with pytest.raises(UnreadableId) as caught:
        Position.from_id(text)
    assert (caught.value.code, caught.value.place) == (code, at_place)


def test_match_id_of_the_gnubg_manual():
    match = MatchId.from_id("QYkqASAAIAAA")
    assert match == MatchId(
        cube=2,
        owner=Side.WHITE,
        roller=Side.BLACK,
        state=PlayState.PLAYING,
        turn=Side.BLACK,
        dice=(5, 2),
        length=9,
        score=(2, 4),
        jacoby=True,
    )
    assert match.id == "QYkqASAAIAAA"


@pytest.mark.parametrize(
    ("rule", "jacoby", "beavers"), [(0, False, False), (1, True, False), (2, False, True), (3, True, True)]
)
def test_r40_r41_an_xgid_of_money_play_tells_jacoby_and_beavers_apart(rule, jacoby, beavers):
    found = XgId(Position.start(), rule=rule)
    assert (found.jacoby, found.beavers, found.crawford) == (jacoby, beavers, False)


def test_identifiers_that_are_told_nothing_more_are_of_a_money_game_that_begins():
    assert XgId(Position.start()).id == f"XGID={START_BOARD}:0:0:1:00:0:0:0:0:10"
    assert MatchId() == MatchId(cube=1, owner=None, dice=(0, 0), length=0, score=(0, 0), resigned=0)
    assert (MatchId().jacoby, MatchId().doubled, MatchId().crawford) == (False, False, False)
    assert MatchId.from_id(MatchId().id) == MatchId()


@pytest.mark.parametrize(
    ("bits", "code"),
    [
        (1 << 67, "match_id.spare_bits"),
        (2 << 4, "match_id.owner"),
        (5 << 8, "match_id.state"),
        (7 << 15, "match_id.dice"),
    ],
)
def test_a_match_id_with_impossible_fields_is_refused(bits, code):
    text = base64.b64encode(bits.to_bytes(9, "little")).decode()
    with pytest.raises(UnreadableId) as caught:
        MatchId.from_id(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "wrong",
    [{"cube": 3}, {"cube": 0}, {"dice": (7, 1)}, {"resigned": 4}, {"length": -1}, {"score": (0, 1 << 15)}],
)
def test_a_match_id_is_not_made_of_impossible_values(wrong):
    with pytest.raises(RuleError):
        MatchId(**wrong)


def test_xgid_of_a_turn_seen_by_o():
    text = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:52:3:4:1:7:10"
    xgid = XgId.from_id(text)
    assert xgid.id == text
    assert (xgid.turn, xgid.owner, xgid.cube, xgid.dice) == (Side.BLACK, Side.BLACK, 2, (5, 2))
    assert xgid.crawford
    assert not xgid.jacoby
    assert xgid.position == Position.start()


@pytest.mark.parametrize(
    ("turn", "position_id"), [("1:1:00", "2DaDgNCwtREABA"), ("-1:-1:43", "w9ZGABC2zSAgBA")]
)
def test_xgid_and_position_id_mean_what_they_mean_to_gnubg(turn, position_id):
    xgid = XgId.from_id(f"XGID=aB--aBBABB-aA---b-bbbb---A:2:{turn}:2:1:0:9:10")
    assert xgid.position.id == position_id  # as GNU Backgammon 1.07.001 answers to `set xgid`


def test_xgid_money_rules():
    xgid = XgId.from_id(f"XGID={START_BOARD}:0:0:1:D:0:0:3:0:10")
    assert xgid.action is XgidAction.DOUBLED
    assert xgid.jacoby
    assert xgid.beavers
    assert not xgid.crawford


@pytest.mark.parametrize(
    ("text", "code", "at_place"),
    [
        ("", "xgid.prefix", 0),
        ("XGID=abc", "xgid.fields", 8),
        (f"XGID={START_BOARD}:x:0:1:00:0:0:0:0:10", "xgid.number", 32),
        (f"XGID={START_BOARD}:01:0:1:00:0:0:0:0:10", "xgid.number", 32),
        (f"XGID={START_BOARD}:0:2:1:00:0:0:0:0:10", "xgid.owner", 34),
        (f"XGID={START_BOARD}:0:0:0:00:0:0:0:0:10", "xgid.turn", 36),
        (f"XGID={START_BOARD}:0:0:1:07:0:0:0:0:10", "xgid.dice", 38),
        (f"XGID={START_BOARD}:0:0:1:00:0:0:2:7:10", "xgid.rule", 45),
        (f"XGID=?{START_BOARD[1:]}:0:0:1:00:0:0:0:0:10", "xgid.character", 5),
        (f"XGID={START_BOARD[1:]}:0:0:1:00:0:0:0:0:10", "xgid.board_length", 5),
        ("XGID=-OO-----------------------:0:0:1:00:0:0:0:0:10", "xgid.checkers", 5),
    ],
)
def test_a_broken_xgid_says_what_and_where(text, code, at_place):
    with pytest.raises(UnreadableId) as caught:
        XgId.from_id(text)
    assert (caught.value.code, caught.value.place) == (code, at_place)


def test_the_bars_of_an_xgid_belong_to_one_side_each():
    for wrong in ("A" + "-" * 25, "-" * 25 + "a"):
        with pytest.raises(UnreadableId):
            board_from_xgid(wrong)


@pytest.mark.parametrize(
    "wrong", [{"dice": (0, 1)}, {"score": (-1, 0)}, {"rule": 4}, {"rule": 2, "length": 5}]
)
def test_an_xgid_is_not_made_of_impossible_values(wrong):
    with pytest.raises(RuleError):
        XgId(Position.start(), **wrong)


def test_errors_can_be_shown_and_their_parameters_written_as_json():
    with pytest.raises(UnreadableId) as caught:
        Position.from_id("no")
    assert "position_id.length" in str(caught.value)
    assert json.dumps(caught.value.params)
