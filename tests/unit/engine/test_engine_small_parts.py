"""Lengths, tables, sides."""

import pytest

from faults import Fault
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.calling import assign_tables
from tournaments.engine.matches.lengths import check_lengths, lengths_for_rounds
from tournaments.engine.matches.rulings import MAX_MINUTES, LatenessRule
from tournaments.engine.types import Score, Side


@pytest.mark.parametrize(
    ("lengths", "rounds", "expected"),
    [
        ((5, 5, 7, 9), 4, (5, 5, 7, 9)),
        ((5, 5, 7, 9), 3, (5, 7, 9)),
        ((5, 5, 7, 9), 1, (9,)),
        ((5, 7, 9), 6, (5, 5, 5, 5, 7, 9)),
        ((11,), 10, (11,) * 10),
    ],
)
def test_lengths_are_counted_back_from_the_final(lengths, rounds, expected):
    assert lengths_for_rounds(lengths, rounds) == expected


def test_check_lengths_names_every_fault_and_its_position():
    assert check_lengths((5, 0, 7, 100, -1), "lengths") == (
        Fault("length.too_short", "lengths", {"position": 2, "length": 0}),
        Fault("length.too_long", "lengths", {"position": 4, "length": 100}),
        Fault("length.too_short", "lengths", {"position": 5, "length": -1}),
    )
    whole = {"position": None, "length": None}
    assert check_lengths(()) == (Fault("length.none", None, whole),)
    assert check_lengths((5,) * 17) == (Fault("length.too_many", None, whole),)
    assert check_lengths((1, 99)) == ()


def test_lengths_for_rounds_refuses_what_check_lengths_faults():
    with pytest.raises(BadInput) as refused:
        lengths_for_rounds((5, 0), 3)
    assert refused.value.code == "length.too_short"
    assert refused.value.params == {"position": 2, "length": 0}
    assert str(refused.value) == "length.too_short {'position': 2, 'length': 0}"


def test_tables_lowest_free_number_goes_to_whoever_waited_longest():
    assert assign_tables(["m3", "m1", "m2"], occupied_tables={1, 3}, tables=4) == {"m3": 2, "m1": 4}
    assert assign_tables(["m1"], occupied_tables=[], tables=0) == {}
    assert assign_tables([], occupied_tables=[], tables=3) == {}
    assert assign_tables(["m1"], occupied_tables={1, 2}, tables=2) == {}


def test_sides_are_each_others_other_and_scores_know_them():
    assert Side.A.other is Side.B
    assert Side.B.other is Side.A
    assert (Score(7, 4).of(Side.A), Score(7, 4).of(Side.B)) == (7, 4)


def test_rule_for_lateness_when_at_its_limits_then_made_and_beyond_them_refused():
    assert LatenessRule(grace=0, step=1, points=0)
    assert LatenessRule(grace=MAX_MINUTES, step=MAX_MINUTES, points=99)
    beyond = (
        {"grace": -1},
        {"grace": MAX_MINUTES + 1},
        {"step": 0},
        {"step": MAX_MINUTES + 1},
        {"points": -1},
    )
    for wrong in (*beyond, {"points": 100}):
        with pytest.raises(BadInput):
            LatenessRule(**wrong)
