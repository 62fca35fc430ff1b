"""Legal plays against an outside program.

`plays_gnubg.jsonl.gz` was made by GNU Backgammon 1.07.001 with `make_plays.py` beside it. The environment variable
CRAWFORD_ORACLE may name a larger file of the same kind.
"""

import gzip
import json
import os
from pathlib import Path

import pytest

from games.rules.plays import check_play, legal_plays
from games.rules.position import Position
from tests.support.lanes import in_full

GOLDEN = Path(__file__).parent / "plays_gnubg.jsonl.gz"
ORACLE = os.environ.get("CRAWFORD_ORACLE")

# Distinct plays of every first roll from the start position, counted in the golden file.
FIRST_ROLLS = {
    (2, 1): 15, (3, 1): 16, (3, 2): 17, (4, 1): 14, (4, 2): 18, (4, 3): 17, (5, 1): 8, (5, 2): 8,
    (5, 3): 9, (5, 4): 9, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7, (1, 1): 42,
    (2, 2): 75, (3, 3): 73, (4, 4): 52, (5, 5): 4, (6, 6): 11,
}  # fmt: skip


def rows(path):
    with gzip.open(path, "rt", encoding="ascii") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def golden():
    return rows(GOLDEN)


def differences(found):
    wrong = []
    for row in found:
        plays = legal_plays(Position.from_id(row["pid"]), tuple(row["dice"]))
        results = [play.result.id for play in plays]
        if len(results) != len(set(results)) or set(results) != set(row["legal"]):
            wrong.append((row["pid"], row["dice"]))
    return wrong


def test_golden_positions_agree_with_the_outside_program(golden):
    assert len(golden) > 600
    assert differences(golden) == []


def test_golden_positions_hold_every_special_case(golden):
    wanted = {
        "bar1", "bar2", "bar3", "bar4", "bearoff", "bearoff_contact", "closed", "contact", "dance", "double", "double_partial",
        "forced", "last_outside", "many", "only_higher", "only_lower", "oppbar", "race", "two_hits",
    }  # fmt: skip
    assert wanted <= {tag for row in golden for tag in row["tags"]}


def test_first_rolls_have_the_counted_number_of_plays():
    start = Position.start()
    assert {roll: len(legal_plays(start, roll)) for roll in FIRST_ROLLS} == FIRST_ROLLS


def test_a_way_to_every_golden_result_is_named_and_checks_as_legal(golden):
    for row in golden[::4]:
        position, roll = Position.from_id(row["pid"]), tuple(row["dice"])
        for play in legal_plays(position, roll):
            assert check_play(position, roll, play.steps).result == play.result


@pytest.mark.slow
@pytest.mark.skipif(not ORACLE, reason="CRAWFORD_ORACLE names no file")
def test_every_position_of_the_oracle_agrees():
    found = rows(ORACLE)
    assert len(found) >= 20_000
    assert differences(found[:: 1 if in_full() else 10]) == []
