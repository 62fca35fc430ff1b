"""The migrations that emptied the bags of a stage, as far as they are arithmetic; whole databases: `tests/upgrades`."""

import importlib

import pytest

typed = importlib.import_module("tournaments.migrations.0005_typed_settings")
rows = importlib.import_module("tournaments.migrations.0007_fill_stage_rows")


def test_bag_when_read_then_settings_rules_and_what_happened_go_apart():
    bag = {
        "rounds": 7,
        "lives": 0,
        "tie_breaks": ["lot"],
        "rated": False,
        "order": [3, 1],
        "struck": [1],
        "old": 1,
    }
    assert typed.typed("round_robin", bag) == {
        "v": 1,
        "own": {"rounds": 7, "lives": 0, "tie_breaks": ["lot"]},
        "conduct": {"rated": False},
    }
    assert typed.typed("no such system", bag)["own"] == {}


@pytest.mark.parametrize(
    ("bag", "rounds"),
    [
        ({"rounds": 5}, None),
        ({"rounds": 3, "ended": True}, 3),
        ({"rounds": 7, "order": [1, 2], "groups": []}, 7),
        ({}, None),
    ],
)
def test_rounds_when_drawn_or_ended_then_they_are_settled(bag, rounds):
    assert typed.settled(bag) == rounds


def test_entries_when_drawn_in_groups_then_each_has_its_place_and_what_else_was_said_of_it():
    bag = {"order": [4, 2, 3, 1], "groups": [[4, 1], [2, 3]], "struck": [3], "play_off": {"4": 2, "2": 1}}
    assert rows.of_entries(bag, {"rests": {}}) == {
        4: {"group": 1, "place": 1, "play_off": 2},
        1: {"group": 1, "place": 2},
        2: {"group": 2, "place": 1, "play_off": 1},
        3: {"group": 2, "place": 2, "is_struck": True},
    }


def test_entries_when_drawn_without_groups_then_all_are_in_the_first():
    found = rows.of_entries({"order": [4, 2], "groups": []}, {})
    assert found == {4: {"group": 1, "place": 1}, 2: {"group": 1, "place": 2}}


def test_round_to_come_when_rests_and_swaps_are_arranged_then_they_are_kept_in_their_order():
    assert rows.of_entries({}, {"seed": "9", "rests": {"7": 1, "5": 0}}) == {
        7: {"rest_points": 1},
        5: {"rest_points": 0},
    }
    assert rows.of_pairs({"pairs": [[8, 5, "never"]]}, {"swaps": [[7, 5], [5, 7]]}) == [
        {"first_id": 5, "second_id": 8, "kind": "never"},
        {"first_id": 7, "second_id": 5, "kind": "swap", "position": 1},
        {"first_id": 5, "second_id": 7, "kind": "swap", "position": 2},
    ]
