"""MatchFormat and the presets: R33, R40, R41, F1, F3, F5, F14."""

import dataclasses

import pytest

from games.rules.errors import FormatError, RuleError, UnknownCode
from games.rules.formats import PRESETS, MatchFormat, get_preset


def faults(**settings):
    with pytest.raises(FormatError) as caught:
        MatchFormat(**settings)
    return {(fault.code, fault.rule) for fault in caught.value.faults}


def test_r40_r41_f5_f14_a_length_excludes_the_money_options_and_all_are_named_at_once():
    assert faults(length=7, jacoby=True, beavers=True, raccoons=True, automatic_doubles=1) == {
        ("format.jacoby_in_match", "R40"),
        ("format.beavers_in_match", "R41"),
        ("format.raccoons_in_match", "F5"),
        ("format.automatic_doubles_in_match", "F5"),
    }


@pytest.mark.parametrize(
    ("option", "rule"),
    [({"jacoby": True}, "R40"), ({"beavers": True}, "R41"), ({"automatic_doubles": 1}, "F5")],
)
def test_each_money_option_is_fine_without_a_length_and_refused_with_one(option, rule):
    assert MatchFormat(**option).is_money
    assert {found for _, found in faults(length=1, **option)} == {rule}


def test_the_error_text_names_code_and_rule():
    with pytest.raises(FormatError, match=r"format\.jacoby_in_match \[R40\]"):
        MatchFormat(length=5, jacoby=True)


def test_f1_a_length_is_at_least_one():
    for length in (0, -3, 1000):
        assert faults(length=length) == {("format.length", "F1")}
    assert MatchFormat(length=1).length == 1


def test_r33_without_a_cube_nothing_of_the_cube_can_be_on():
    found = faults(cube=False, jacoby=True, beavers=True, raccoons=True, automatic_doubles=1, cube_limit=4)
    assert len(found) == 5


def test_options_that_need_another():
    assert faults(raccoons=True) == {("format.raccoons_without_beavers", "F5")}
    assert faults(gammons=False) == {("format.backgammons_without_gammons", "R32")}
    assert faults(holland=True) == {("format.holland_without_crawford", "F3")}
    assert faults(length=7, crawford=False, holland=True) == {("format.holland_without_crawford", "F3")}


def test_r35_a_cube_limit_is_a_face_of_the_cube():
    for limit in (0, 1, 3, 48, -2):
        assert faults(cube_limit=limit) == {("format.cube_limit", "R35")}
    assert MatchFormat(cube_limit=128).cube_limit == 128
    assert faults(automatic_doubles=-1) == {("format.automatic_doubles", "F5")}


def test_a_format_is_frozen_and_comparable():
    form = MatchFormat(length=7)
    with pytest.raises(dataclasses.FrozenInstanceError):
        form.length = 9
    assert form == get_preset("match").format(7)
    assert len({form, MatchFormat(length=7)}) == 1


@pytest.mark.parametrize(
    ("code", "cube", "gammons", "jacoby", "beavers"),
    [
        ("first_off", False, False, False, False),
        ("single_game", False, True, False, False),
        ("money", True, True, False, False),
        ("money_options", True, True, True, True),
    ],
)
def test_presets_are_those_of_the_sheets(code, cube, gammons, jacoby, beavers):
    form = get_preset(code).format()
    assert (form.cube, form.gammons, form.jacoby, form.beavers) == (cube, gammons, jacoby, beavers)
    assert form.is_money
    with pytest.raises(RuleError):
        get_preset(code).format(7)


def test_the_match_preset_needs_a_length():
    with pytest.raises(RuleError) as caught:
        get_preset("match").format()
    assert caught.value.code == "preset.needs_length"


def test_an_unknown_preset_is_refused_loudly():
    with pytest.raises(UnknownCode):
        get_preset("blitz")
    assert all(code == found.code for code, found in PRESETS.items())
