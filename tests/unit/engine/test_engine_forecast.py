"""Forecasts that a director can follow with a pencil."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import (
    FASTEST,
    SECONDS_A_POINT,
    SLOWEST,
    Finished,
    ToPlay,
    critical_paths,
    forecast,
    pace,
)
from tournaments.engine.types import EntryId, MatchNo

MINUTE = 60


def match(number, length, *after, running_for=None):
    return ToPlay(MatchNo(number), length, tuple(MatchNo(n) for n in after), running_for)


def eight(length):
    """A single elimination of eight, all matches of one length."""
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, 9)]))
    return [match(m.number, length, *(s.match for s in (m.a, m.b) if s.match)) for m in bracket.matches]


def test_pace_starts_from_eight_minutes_a_point():
    assert pace([]) == 8 * MINUTE


def test_pace_learns_from_the_events_own_matches_and_leaves_out_what_teaches_nothing():
    slow = [Finished(7, 7 * 10 * MINUTE)] * 20
    assert 9 * MINUTE < pace(slow) < 10 * MINUTE
    assert pace([*slow, Finished(7, 24 * 3600), Finished(7, MINUTE), Finished(7, 0)]) == pace(slow)
    usual = 7 * SECONDS_A_POINT
    for slowest in (Finished(7, usual * SLOWEST), Finished(7, -(-usual // FASTEST))):
        assert pace([slowest]) != pace(
            []
        )  # what is just as slow, or as quick, as a match may be still teaches


def test_three_rounds_on_enough_tables_take_three_matches():
    found = forecast(eight(5), 4, Fraction(SECONDS_A_POINT))
    assert found.over == 3 * 5 * SECONDS_A_POINT
    assert [found.begins[n] for n in (1, 5, 7)] == [0, 5 * SECONDS_A_POINT, 10 * SECONDS_A_POINT]


def test_seven_matches_on_one_table_take_seven():
    assert forecast(eight(5), 1, Fraction(SECONDS_A_POINT)).over == 7 * 5 * SECONDS_A_POINT


def test_what_is_running_goes_on_and_is_never_over_in_the_past():
    half = forecast([match(1, 6, running_for=20 * MINUTE)], 1, Fraction(SECONDS_A_POINT))
    assert half.ends == {1: 28 * MINUTE}
    late = forecast([match(1, 6, running_for=900 * MINUTE)], 1, Fraction(SECONDS_A_POINT))
    assert late.over == SECONDS_A_POINT  # one point more


def test_a_running_match_keeps_its_table_and_the_next_waits():
    found = forecast([match(1, 5, running_for=0), match(2, 5)], 1, Fraction(MINUTE))
    assert found.begins == {1: 0, 2: 5 * MINUTE}
    # more running than there are tables: nobody is thrown out
    found = forecast(
        [match(1, 5, running_for=0), match(2, 3, running_for=0), match(3, 1)], 1, Fraction(MINUTE)
    )
    assert found.begins[3] == 5 * MINUTE


def test_matches_before_that_are_over_already_hold_nothing_up():
    assert forecast([match(5, 5, 1, 2)], 1, Fraction(MINUTE)).over == 5 * MINUTE
    assert forecast([], 1, Fraction(MINUTE)).over == 0


def test_a_moment_takes_no_time_and_no_table_and_the_next_round_waits_for_it():
    first = [match(1, 5), match(2, 7)]
    found = forecast([*first, match(9, 0, 1, 2), match(3, 5, 9), match(4, 5, 9)], 2, Fraction(MINUTE))
    assert found.ends[9] == found.begins[9] == 7 * MINUTE
    assert found.begins[3] == found.begins[4] == 7 * MINUTE
    # with every table taken the moment passes all the same
    assert forecast([match(1, 5, running_for=0), match(2, 1), match(9, 0)], 1, Fraction(MINUTE)).ends[9] == 0


def test_the_chain_that_decides_the_end_follows_the_match_that_ends_last():
    matches = [match(1, 5), match(2, 9), match(3, 7, 1, 2), match(4, 3)]
    found = forecast(matches, 4, Fraction(MINUTE))
    assert critical_paths(matches, found, [MatchNo(3)]) == {3: (2, 3)}
    assert critical_paths(matches, found, [MatchNo(4)]) == {4: (4,)}
    alone = forecast([match(5, 5, 1)], 1, Fraction(MINUTE))
    assert critical_paths([match(5, 5, 1)], alone, [MatchNo(5)]) == {5: (5,)}


@pytest.mark.parametrize(
    ("matches", "tables", "code"),
    [([match(1, 5)], 0, "forecast.no_tables"), ([match(1, 5, 2), match(2, 5, 1)], 1, "forecast.never_ends")],
)
def test_what_has_no_end_is_refused(matches, tables, code):
    with pytest.raises(BadInput) as refused:
        forecast(matches, tables, Fraction(MINUTE))
    assert refused.value.code == code


@given(st.integers(1, 6), st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_no_table_holds_two_matches_and_nobody_begins_before_the_match_before_is_over(tables, lengths):
    matches = [ToPlay(m.number, length, m.after) for m, length in zip(eight(1), lengths, strict=True)]
    found = forecast(matches, tables, Fraction(MINUTE))
    for m in matches:
        assert found.ends[m.number] == found.begins[m.number] + m.length * MINUTE
        assert all(found.begins[m.number] >= found.ends[n] for n in m.after)
        now = found.begins[m.number]
        assert sum(found.begins[n] <= now < found.ends[n] for n in found.begins) <= tables
    assert found.over >= sum(lengths) * MINUTE // tables
