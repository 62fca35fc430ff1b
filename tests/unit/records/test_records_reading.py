"""What readers make of words, cells, trees and bytes, and what they refuse."""

import struct
import zlib
from random import Random

import pytest

from games.records import decoding
from games.records.decoding import decode_text
from games.records.errors import UnreadableRecord
from games.records.model import BAR, OFF, CubeAction, CubeKind, Place, Roll, RollMark, Step
from games.records.registry import (
    FORMATS,
    UnknownFormat,
    detect_format,
    get_format,
    read_record,
    write_record,
)
from games.records.sgf import parse_trees
from games.records.steps import UnreadableSteps, read_steps
from games.rules.formats import MatchFormat
from games.rules.numbering import Numbering
from games.rules.sides import Side
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file


def mat(*rows, length=7, names=" Ada : 0                         Bo : 0"):
    return "\n".join([f" {length} point match", "", " Game 1", names, *rows, ""]).encode()


def actions(*rows):
    return read_record(mat(*rows)).record.games[0].actions


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("24/18 13/11", [(24, 18), (13, 11)]),
        ("bar/20", [(BAR, 20)]),
        ("Bar/20*", [(BAR, 20)]),
        ("25/20", [(BAR, 20)]),
        ("6/off", [(6, OFF)]),
        ("6/Off 5/0", [(6, OFF), (5, OFF)]),
        ("13/11(2)", [(13, 11), (13, 11)]),
        ("13/11 (2)", [(13, 11), (13, 11)]),
        ("24/20*/16", [(24, 20), (20, 16)]),
        ("24/16*(2)", [(24, 16), (24, 16)]),
        ("bar/22(2) 6/3*(2)", [(BAR, 22), (BAR, 22), (6, 3), (6, 3)]),
        ("13 / 7 8/ 7", [(13, 7), (8, 7)]),
        ("13-8, 24-21", [(13, 8), (24, 21)]),
        ("8/5,6/5", [(8, 5), (6, 5)]),
    ],
)
def test_words_of_a_play_when_read_then_steps(words, steps):
    assert [(step.source, step.target) for step in read_steps(words)] == steps


@pytest.mark.parametrize(
    "words", ["26/20", "13/11(0)", "off/20", "x/y", "13/", "/7", "13/7(9)(9)", "8/5 " * 20, "13/11x"]
)
def test_words_of_no_play_when_read_then_refused(words):
    with pytest.raises(UnreadableSteps):
        read_steps(words)


def test_star_when_written_then_kept_where_it_stands():
    assert read_steps("24/20*/16 6/4*") == (Step(24, 20, True), Step(20, 16), Step(6, 4, True))


def test_halves_when_named_then_read_from_1a_to_1():
    assert read_steps("1A/5A 12A/12", Side.WHITE, Numbering.WHITE_FROM_1A) == (Step(24, 20), Step(13, 12))
    assert read_steps("12/12A", Side.BLACK, Numbering.WHITE_FROM_1A) == (Step(13, 12),)


def test_numbering_when_named_then_whole_record_is_read_so():
    data = mat("  1) 31: 17/20 19/20              42: 8/4 6/4")

    white, black = read_record(data, numbering=Numbering.WHITE_UP).record.games[0].actions

    assert white.steps == (Step(8, 5), Step(6, 5))
    assert black.steps == (Step(8, 4), Step(6, 4))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfZo\xc3\xab", "Zoë"),
        ("Zoë".encode(), "Zoë"),
        ("Zoë".encode("cp1252"), "Zoë"),
        ("Zoë".encode("utf-16"), "Zoë"),
        (b"\x81\x8d", "\ufffd\ufffd"),
    ],
)
def test_bytes_when_decoded_then_text(data, text):
    assert decode_text(data) == text


def test_cells_when_pushed_along_by_a_long_one_then_still_two():
    white, black = actions("  1) 44: 24/20*/16/12/8 13/9*/5/1 6/2 42: 8/4 6/4")

    assert (white.side, black.side) == (Side.WHITE, Side.BLACK)
    assert len(white.steps) == 8
    assert black.place == Place(5, 39)


def test_lone_cell_when_far_right_then_the_right_players():
    (only,) = actions("  1)                             42: 8/4 6/4")

    assert only == Roll(Side.BLACK, (4, 2), (Step(8, 4), Step(6, 4)))


def test_result_when_alone_on_a_line_then_the_column_tells_the_winner():
    left = read_record(mat("  1) 31: 8/5 6/5", "      Wins 2 points")).record.games[0].result
    right = (
        read_record(mat("  1) 31: 8/5 6/5", " " * 34 + "Wins 3 points and the match")).record.games[0].result
    )

    assert (left.winner, left.points, left.wins_match) == (Side.WHITE, 2, False)
    assert (right.winner, right.points, right.wins_match) == (Side.BLACK, 3, True)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_when_of_any_kind_then_the_same_record(end):
    data = mat("  1) 31: 8/5 6/5                  42: 8/4 6/4", "      Wins 1 point")

    assert read_record(data.replace(b"\n", end.encode())).record == read_record(data).record


def test_tabs_when_between_columns_then_counted_as_the_writer_saw_them():
    blanks = read_record(mat("  1) 31: 8/5 6/5", " " * 34 + "Wins 1 point")).record
    tabs = read_record(mat("  1) 31: 8/5 6/5", "\t" * 5 + "Wins 1 point")).record

    assert tabs == blanks


def test_losses_without_wins_when_in_a_row_then_the_other_side_won():
    result = read_record(mat("  1) 31: 8/5 6/5                  Losses 2 points")).record.games[0].result

    assert (result.winner, result.points) == (Side.WHITE, 2)


def test_words_of_the_cube_when_read_then_actions_with_values():
    doubles, takes, beavers, drops = actions(
        "  1)  Doubles => 2                Takes", "  2)  Beavers => 4                Drops"
    )

    assert doubles == CubeAction(Side.WHITE, CubeKind.DOUBLE, 2)
    assert takes == CubeAction(Side.BLACK, CubeKind.TAKE)
    assert beavers == CubeAction(Side.WHITE, CubeKind.BEAVER, 4)
    assert drops == CubeAction(Side.BLACK, CubeKind.PASS)


@pytest.mark.parametrize("cell", ["62: ????", "62: ???", "62:????"])
def test_question_marks_when_after_the_dice_then_unplayed(cell):
    assert actions(f"  1) {cell}") == (Roll(Side.WHITE, (6, 2), (), RollMark.UNPLAYED),)


def test_impossible_dice_when_read_then_a_finding_and_the_rest_is_kept():
    result = read_record(mat("  1) 31: 8/5 6/5                  60: 8/2", "  2) 42: 8/4 6/4"))

    (found,) = result.findings
    assert (found.code, found.line, found.column) == ("cell.unreadable", 5, 35)
    assert len(result.record.games[0].actions) == 2


def test_header_when_it_names_rules_then_options_and_the_rest_tags():
    data = b'; [Event "The "Big" Open"]\n; [Crawford "Off"]\n;Jacobi rule: True\n# nothing\n' + mat(
        "  1) 31: 8/5 6/5"
    )

    record = read_record(data).record

    assert record.tag("event") == 'The "Big" Open'
    assert (record.options.crawford, record.options.jacoby, record.options.beavers) == (False, True, None)
    assert len(record.tags) == 1


def test_names_when_odd_then_kept():
    names = read_record(mat("  1) 31: 8/5 6/5", names=" a/b c : 10       nick,1782 : 2")).record

    assert names.players == ("a/b c", "nick,1782")
    assert names.games[0].score_before == (10, 2)


def test_unknown_code_when_asked_then_refused_loudly():
    with pytest.raises(UnknownFormat):
        get_format("sgg")
    with pytest.raises(UnknownFormat):
        write_record(random_match(Random(1), MatchFormat(length=1)), "xg")


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (mat("  1) 31: 8/5 6/5"), "x.sgf", "mat"),
        (b"(;FF[4]GM[6]MI[length:1];W[31hefe])", "x.mat", "sgf"),
        (b'{"format": "crawford-record"}', "", "json"),
        (b"Score is 0-0 in a 5 point match.\n", "", "fibs"),
        (b"bgammon-replay 00000024\n", "x.mat", "bgammon"),
        (b"RGMH" + bytes(20), "x.txt", "xg"),
    ],
)
def test_format_when_detected_then_by_what_is_in_the_file(data, name, code):
    assert detect_format(data, name) == code
    assert code in FORMATS


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (b" \n\0", "file.empty"),
        (b"x" * (decoding.MAX_BYTES + 1), "file.too_big"),
        (b"PK\x03\x04\0\0", "file.binary"),
        (b"Dear club", "file.unknown_format"),
        (b" 7 point match\n", "record.no_games"),
        (b"(;FF[4]GM[1]SZ[9])", "sgf.not_backgammon"),
        (b"(;GM[6]PW[a" + b"(" * 300, "sgf.broken"),
        (b"(;GM[6]" * 300, "sgf.broken"),
        (b"(;GM[6]W[31hefe] 5)", "sgf.broken"),
        (b"RGMH", "xg.broken"),
        (b"RGMH" + bytes(9000), "xg.broken"),
        (b'{"format": "crawford-record", "version": 2}', "json.broken"),
        (b'{"format": "crawford-record"' + b"[" * 100_000, "json.broken"),
        (b"Score is 0-0 in a 5 point match", "file.unknown"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_hostile_file_when_read_then_refused_with_a_code(data, code):
    if code == "file.unknown":
        assert len(read_record(data).record.games) == 1
        return
    with pytest.raises(UnreadableRecord) as caught:
        read_record(data)
    assert caught.value.code == code


@pytest.mark.parametrize("row", ["  1) 31: 8/5 6/5\n", " Game 2\n a : 0   b : 0\n 1) 31: 8/5\n"])
def test_file_when_it_never_ends_then_bounded(row):
    data = mat("") + row.encode() * 30_000

    with pytest.raises(UnreadableRecord) as caught:
        read_record(data)

    assert caught.value.code in {"record.too_many_actions", "record.too_many_games"}


def test_sgf_when_it_has_nodes_without_end_then_left_before_all_are_read():
    data = b"(;GM[6]" + b";W[21ab]" * 400_000 + b")"

    with pytest.raises(UnreadableRecord) as caught:
        read_record(data)

    assert caught.value.code == "record.too_many_actions"
    assert caught.value.place is not None
    assert caught.value.place.column < len(data) // 4


def test_zlib_bomb_when_in_an_xg_file_then_not_unpacked():
    bomb = zlib.compress(bytes(decoding.MAX_UNPACKED + 5_000), 9)
    data = struct.pack("<4sIIqI", b"RGMH", 1, 8232, 0, 0).ljust(8232, b"\0") + bomb

    with pytest.raises(UnreadableRecord) as caught:
        read_record(data)

    assert caught.value.code == "file.unpacks_too_big"


@pytest.mark.parametrize("size", [9_000, 200_000])
def test_xg_when_its_header_lies_about_sizes_then_refused(size):
    data = bytearray(xg_file(random_match(Random(3), MatchFormat(length=1))))
    struct.pack_into("<I", data, 20, size)

    with pytest.raises(UnreadableRecord):
        read_record(bytes(data))


def test_xg_when_read_then_header_and_length():
    record = read_record(xg_file(random_match(Random(3), MatchFormat(), games=1))).record

    assert record.length == 0
    assert record.tag("Event") == "Invented Cup"
    assert record.tag("EventDate") == "2023.03.15"
    assert record.players == ("Ada Point", "Bo Bar")


def test_sgf_when_it_branches_then_the_main_line():
    (tree,) = parse_trees("(;GM[6](;W[31hefe](;B[42qusu](;W[62xrmk])(;W[11]))(;B[66]))(;W[65]))")

    assert [node.get("W") or node.get("B") for _, node in tree.nodes] == [
        None,
        ["31hefe"],
        ["42qusu"],
        ["62xrmk"],
    ]


def test_sgf_when_turn_is_nonsense_then_a_finding_with_its_line():
    result = read_record(b"(;GM[6]MI[length:1][game:0]PW[a]PB[b]\n;W[31hefe]\n;B[97xx]\n;B[42qusu])")

    (found,) = result.findings
    assert (found.code, found.line, found.column) == ("cell.unreadable", 3, 1)


@pytest.mark.parametrize(
    "line",
    [
        "(" * 1000,
        ";" * 5000,
        "[" * 5000,
        "1) " * 600,
        "a : 1 " * 300,
        "31: " * 500,
        "13/7" * 400,
        '; ["' * 400,
    ],
)
def test_line_when_made_to_be_slow_then_read_all_the_same(line):
    data = mat(*[f"  1) {line}"] * 30)

    assert read_record(data).record.games
