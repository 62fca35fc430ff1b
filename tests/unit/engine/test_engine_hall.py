"""What happens in the hall: calling, lateness, clocks."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.errors import BadInput
from tournaments.engine.hall.calling import MatchToCall, assign_tables, callable_matches, next_calls
from tournaments.engine.matches.rulings import (
    SINGLES_CLOCK,
    TEAM_CLOCK,
    ClockRule,
    ClockStart,
    LatenessRule,
    MatchConditions,
    Penalty,
    SlowPlayRule,
    clock_rule_for,
    lateness_penalty,
    reserve_seconds,
    slow_play_points,
)
from tournaments.engine.types import Score


def test_nobody_is_called_who_plays_elsewhere_or_was_called_just_now():
    waiting = [("m1", {"ann", "bob"}), ("m2", {"cid", "dee"}), ("m3", {"bob", "eve"}), ("m4", {"eve", "flo"})]
    assert list(callable_matches(waiting, busy_people={"cid"})) == ["m1", "m4"]
    assert list(callable_matches(waiting, busy_people=())) == ["m1", "m2", "m4"]
    called = callable_matches(waiting, busy_people=())
    assert assign_tables(called, occupied_tables={1}, tables=3) == {"m1": 2, "m2": 3}


def ready(name, people, table=None):
    return MatchToCall(name, frozenset(people), table)


def test_next_calls_go_in_order_each_to_its_own_table_or_the_lowest_free_one():
    waiting = [ready("m1", "ab"), ready("m2", "cd", 7), ready("m3", "be"), ready("m4", "fg")]
    assert list(next_calls(waiting, (), [4, 2]).items()) == [("m1", 2), ("m2", 7), ("m4", 4)]
    assert next_calls(waiting, (), []) == {"m2": 7}  # m1 has waited longer, but there is no table for it


def test_no_table_is_kept_for_somebody_who_plays_elsewhere():
    waiting = [ready("m1", "ab", 3), ready("m2", "cd")]
    assert next_calls(waiting, {"b"}, []) == {"m2": 3}
    assert next_calls(waiting, {"b", "c"}, [1]) == {}


@given(
    st.lists(
        st.tuples(
            st.frozensets(st.integers(1, 8), min_size=2, max_size=4), st.one_of(st.none(), st.integers(1, 6))
        ),
        max_size=8,
    ),
    st.frozensets(st.integers(1, 8)),
    st.frozensets(st.integers(7, 9)),
)
def test_no_table_and_no_player_is_ever_called_twice(matches, busy, free):
    kept = set()
    waiting = []
    for number, (people, table) in enumerate(matches):
        waiting.append(MatchToCall(number, people, None if table in kept else table))
        kept.add(table)
    calls = next_calls(waiting, busy, free)
    called = [match for match in waiting if match.match in calls]
    people = [player for match in called for player in match.people]
    assert len(people) == len(set(people))
    assert not busy & set(people)
    assert len(set(calls.values())) == len(calls)
    assert set(calls.values()) <= free | {match.table for match in waiting}
    assert all(match.table in {None, calls[match.match]} for match in called)


@pytest.mark.parametrize(
    ("length", "minutes", "points", "lost"),
    [
        (7, 0, 0, False),
        (7, 5, 0, False),
        (7, 9, 0, False),
        (7, 10, 1, False),
        (7, 20, 3, False),
        (7, 25, 4, True),  # 4 of 7 is more than half
        (8, 25, 4, False),  # 4 of 8 is not
        (8, 30, 5, True),
        (1, 10, 1, True),
        (7, 600, 7, True),
    ],
)
def test_lateness_costs_a_point_each_five_minutes_after_the_first(length, minutes, points, lost):
    assert lateness_penalty(length, minutes, LatenessRule()) == Penalty(points, lost)


def test_lateness_is_the_directors_to_set():
    strict = LatenessRule(grace=0, step=10, points=2)
    assert lateness_penalty(11, 25, strict) == Penalty(4, lost=False)
    for wrong in ({"step": 0}, {"grace": -1}, {"points": -1}):
        with pytest.raises(BadInput) as refused:
            LatenessRule(**wrong)
        assert refused.value.code == "lateness.no_rule"


@pytest.mark.parametrize(
    ("length", "minutes", "points"), [(7, 9, 0), (7, 10, 1), (7, 24, 3), (7, 600, 3), (1, 60, 0)]
)
def test_slow_play_costs_a_point_each_five_minutes_and_never_more_than_half(length, minutes, points):
    assert slow_play_points(length, minutes, SlowPlayRule()) == points


def test_slow_play_is_the_directors_to_set():
    assert slow_play_points(11, 25, SlowPlayRule(grace=0, step=10, points=2)) == 4
    for wrong in ({"step": 0}, {"grace": -1}, {"points": 100}):
        with pytest.raises(BadInput) as refused:
            SlowPlayRule(**wrong)
        assert refused.value.code == "slow_play.no_rule"


@pytest.mark.parametrize("score", [None, Score(0, 0), Score(3, 6)])
def test_clock_that_was_put_on_comes_back_as_it_was_kept(score):
    on = ClockStart(datetime(2026, 11, 23, 20, 15, tzinfo=UTC), score)
    assert ClockStart.of(json.loads(json.dumps(on.data()))) == on
    assert ClockStart.of({}) is None


def test_clock_is_set_to_what_the_stage_says_or_to_what_is_usual():
    own = ClockRule(delay=8)
    assert clock_rule_for(MatchConditions(clocks=own), 2) == own
    assert (clock_rule_for(MatchConditions(), 1), clock_rule_for(MatchConditions(), 2)) == (
        SINGLES_CLOCK,
        TEAM_CLOCK,
    )


def test_clocks_give_two_minutes_a_point_less_one_for_each_point_scored():
    assert reserve_seconds(7, SINGLES_CLOCK, Score(0, 0)) == 14 * 60
    assert reserve_seconds(7, SINGLES_CLOCK, Score(3, 2)) == 9 * 60
    assert reserve_seconds(9, TEAM_CLOCK, Score(0, 0)) == 22.5 * 60
    assert reserve_seconds(1, SINGLES_CLOCK, Score(9, 9)) == 0
    assert (SINGLES_CLOCK.delay, TEAM_CLOCK.delay) == (12, 18)
    assert (SINGLES_CLOCK.overtime, TEAM_CLOCK.overtime) == (0, 0)
