"""Games are called what the file calls them."""

import pytest

from games.messages import location_label
from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.findings import finding
from games.records.registry import read_record, write_record

NAMES = " Ada : {0}                          Bo : {1}"


def mat(*games):
    lines = [" 25 point match"]
    for number, (left, right) in games:
        lines += [
            "",
            f" Game {number}",
            NAMES.format(left, right),
            "  1) 31: 8/5 6/5                  64: 24/14",
            "      Wins 1 point",
        ]
    return "\n".join([*lines, ""]).encode()


def numbers(data):
    return read_record(data).record.game_numbers


def test_games_when_file_begins_later_or_leaves_one_out_then_called_as_in_the_file():
    assert numbers(mat((12, (5, 4)), (13, (6, 4)))) == (12, 13)
    assert numbers(mat((1, (0, 0)), (3, (1, 0)))) == (1, 3)


@pytest.mark.parametrize("given", [(1, 1), (5, 4), (0, 1)])
def test_games_when_numbers_make_no_sense_then_called_by_place(given):
    assert numbers(mat((given[0], (0, 0)), (given[1], (1, 0)))) == (1, 2)


@pytest.mark.parametrize("first", [0, 1])
def test_games_of_sgf_when_counted_from_0_or_1_then_the_first_is_1(first):
    trees = "".join(
        f"(;FF[4]GM[6]MI[length:9][game:{first + index}][ws:{index}][bs:0]PW[A]PB[B]RE[W+1];W[31hefe])"
        for index in range(2)
    )
    assert numbers(trees.encode()) == (1, 2)


def test_games_of_sgf_when_it_begins_later_then_called_as_programs_show_them():
    tree = b"(;FF[4]GM[6]AP[GNU Backgammon:1.08]MI[length:9][game:11][ws:5][bs:4]PW[A]PB[B]RE[W+1];W[31hefe])"

    assert numbers(tree) == (12,)


@pytest.mark.parametrize("code", ["mat", "sgf", "json"])
def test_numbers_when_written_then_read_back(code):
    record = canonical(read_record(mat((12, (5, 4)), (13, (6, 4)))).record)

    assert read_record(write_record(record, code).data).record.game_numbers == (12, 13)


def test_words_when_numbers_are_given_then_of_the_file():
    found = finding("points.uncapped", game=2)

    assert location_label(found, (12, 13)) == "Game 13"
    assert location_label(found) == "Game 2"
    assert check_record(mat((12, (5, 4)))).record.game_numbers == (12,)
