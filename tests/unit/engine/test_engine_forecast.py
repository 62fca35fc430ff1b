"""Forecasts by playing through: what is certain is exact, what is not lies in its bands, and what is learned is weighed."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.durations import (
    FASTEST_DIVISOR,
    SLOWEST_FACTOR,
    TimedMatch,
    duration_statistics,
    estimate_durations,
    is_informative,
    log_survival,
    sample_above,
)
from tournaments.engine.hall.forecast import (
    SECONDS_PER_POINT,
    ClosedPeriod,
    FeedingMatch,
    ForecastBand,
    ForecastMatch,
    critical_paths,
)
from tournaments.engine.hall.plays import _sample_durations, _SharedPlayers, _Simulation, simulate_forecast
from tournaments.engine.types import EntryId, MatchNo

HOUR = 3600
KNOWN = estimate_durations(
    [TimedMatch(5, 5 * 480)] * 400, []
)  # next to no doubt about the pace, and little spread


def match(number, length, *after, **more):
    return ForecastMatch(MatchNo(number), length, tuple(MatchNo(n) for n in after), **more)


def knock_out(entries, length, offset=0):
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, entries + 1)]))

    def seat(source):
        return (
            FeedingMatch(MatchNo(source.match + offset))
            if source.match is not None
            else EntryId(source.entry + offset)
        )

    return [
        match(
            m.number + offset,
            length,
            *(source.match + offset for source in (m.a, m.b) if source.match is not None),
            a=seat(m.a),
            b=seat(m.b),
        )
        for m in bracket.matches
    ]


def through(matches, tables, known=KNOWN, *, closed=(), people=None, seed=1, plays=40):
    """The plays themselves, to look at each."""
    chance = np.random.default_rng(seed)
    played = _Simulation(matches, tables, _sample_durations(matches, known, chance, plays), closed)
    played.run(_SharedPlayers(matches, people, played, chance) if people else None)
    return played


def test_pace_when_nothing_is_known_then_eight_minutes_a_point_in_the_mean():
    assert estimate_durations([], []).seconds_a_point == pytest.approx(SECONDS_PER_POINT, rel=0.03)
    assert estimate_durations([], []).takes(7) == pytest.approx(7 * SECONDS_PER_POINT, rel=0.03)


def test_pace_when_matches_are_over_then_learned_from_them_and_not_from_what_was_interrupted_or_entered_late():
    slow = [TimedMatch(7, 7 * 660)] * 30
    learned = estimate_durations(slow, [])
    assert 600 < learned.seconds_a_point < 690
    odd = [TimedMatch(7, 24 * HOUR), TimedMatch(7, 60), TimedMatch(7, 0)]
    assert estimate_durations([*slow, *odd], []).seconds_a_point == learned.seconds_a_point
    assert (learned.match_count, estimate_durations(odd, []).match_count) == (30, 0)
    usual = 7 * SECONDS_PER_POINT
    assert is_informative(TimedMatch(7, usual * SLOWEST_FACTOR))
    assert is_informative(TimedMatch(7, math.ceil(usual / FASTEST_DIVISOR)))
    assert not is_informative(TimedMatch(7, usual * SLOWEST_FACTOR + 1))


def test_pace_when_the_quick_ones_are_over_and_the_slow_go_on_then_both_count():
    """Finding D1: of a round of 64 at a mean of eight minutes, a quarter is over."""
    chance = random.Random(4)
    lasts = sorted(chance.lognormvariate(math.log(7 * 480) - 0.06, 0.34) for _ in range(64))
    over, going = [TimedMatch(7, t) for t in lasts[:16]], [TimedMatch(7, lasts[15])] * 48
    assert estimate_durations(over, []).seconds_a_point < 360
    assert estimate_durations(over, going).seconds_a_point == pytest.approx(480, rel=0.12)


def test_pace_when_earlier_events_were_slow_then_it_begins_there_and_a_long_final_may_take_longer_a_point():
    evening = duration_statistics([TimedMatch(5, 5 * 600)] * 20 + [TimedMatch(11, 11 * 750)] * 12)
    known = estimate_durations([], [], [evening] * 6)
    assert known.seconds_a_point > 560
    assert known.takes(11) / 11 > known.takes(5) / 5 * 1.1
    assert (
        estimate_durations([], [], [{}, evening][1:]).seconds_a_point
        > estimate_durations([], []).seconds_a_point
    )


def test_chance_when_it_is_known_to_be_large_then_larger_and_as_likely_as_it_is():
    found = sample_above(np.random.default_rng(3), np.full(20_000, 1.0))
    assert found.min() > 1
    assert (found > 2).mean() == pytest.approx(0.02275 / 0.15866, abs=0.01)
    assert log_survival(np.array([0.0]))[0] == pytest.approx(math.log(0.5))
    assert (sample_above(np.random.default_rng(3), np.array([-50.0, 99.0])) >= [-8, 29]).all()


def test_three_rounds_when_there_are_enough_tables_then_three_matches_and_a_round_waits_for_its_slowest():
    found = simulate_forecast(knock_out(8, 5), 4, KNOWN, seed=1)
    assert 3 * 5 * 480 * 0.8 < found.over.first < found.over.median < found.over.last < 3 * 5 * 480 * 1.4
    assert found.begins[MatchNo(1)] == ForecastBand(0, 0, 0, 0, 0)
    wide = simulate_forecast(knock_out(8, 5), 4, estimate_durations([], []), seed=1)
    assert wide.over.last - wide.over.first > 3 * (found.over.last - found.over.first)
    assert simulate_forecast(knock_out(8, 5), 4, KNOWN, seed=1) == found


@settings(max_examples=12)
@given(st.integers(1, 6), st.integers(0, 99), st.booleans())
def test_plays_when_looked_at_then_no_table_and_nobody_has_two_matches_and_order_is_kept(
    tables, seed, shared
):
    matches = [*knock_out(8, 5), *knock_out(8, 3, offset=100)]
    people = {EntryId(n + offset): [n] for n in range(1, 9) for offset in (0, 100)} if shared else None
    played = through(matches, tables, estimate_durations([], []), people=people, seed=seed, plays=6)
    place = {m.number: index for index, m in enumerate(matches)}
    for row in range(6):
        begins, ends = played.begins[row], played.ends[row]
        for index, m in enumerate(matches):
            assert ends[index] > begins[index]
            assert all(begins[index] >= ends[place[n]] for n in m.after)
            now = begins[index]
            playing = np.flatnonzero((begins <= now) & (now < ends))
            assert playing.size <= tables
    if shared:
        # Whose first rounds are in both divisions cannot play them side by side.
        first = [(place[MatchNo(n)], place[MatchNo(n + 100)]) for n in range(1, 5)]
        for one, other in first:
            apart = (played.ends[:, one] <= played.begins[:, other]) | (
                played.ends[:, other] <= played.begins[:, one]
            )
            assert apart.all()


def test_match_when_it_goes_on_then_it_ends_later_than_now_and_the_later_the_longer_it_has():
    for so_far in (20 * 60, 2 * HOUR, 15 * HOUR):
        found = simulate_forecast(
            [match(1, 6, running_seconds=so_far)], 1, estimate_durations([], []), seed=1
        )
        assert 0 < found.over.first < found.over.last
    early, late = (
        simulate_forecast(
            [match(1, 7, running_seconds=at)], 1, estimate_durations([], []), seed=1
        ).over.median
        for at in (30 * 60, 90 * 60)
    )
    assert early + 30 * 60 < late + 90 * 60


def test_table_when_it_is_taken_then_the_next_waits_and_nobody_is_thrown_out():
    played = through([match(1, 5, running_seconds=0), match(2, 3, running_seconds=0), match(3, 1)], 1)
    assert (played.begins[:, 2] == played.ends[:, :2].max(axis=1)).all()


def test_moment_when_it_comes_then_it_takes_no_time_and_no_table_and_the_next_round_waits_for_it():
    matches = [match(1, 5), match(2, 7), match(9, 0, 1, 2), match(3, 5, 9), match(4, 5, 9)]
    played = through(matches, 2)
    assert (played.ends[:, 2] == played.ends[:, :2].max(axis=1)).all()
    assert (played.begins[:, 3] == played.ends[:, 2]).all()
    assert simulate_forecast([match(9, 0)], 1, KNOWN, seed=1).over.last == 0
    assert simulate_forecast([], 1, KNOWN, seed=1).over == ForecastBand(0, 0, 0, 0, 0)
    assert (
        simulate_forecast([match(5, 5, 1, 2)], 1, KNOWN, seed=1).over.first > 1800
    )  # what is over already holds nothing up


def test_adjourned_when_it_goes_on_tomorrow_then_it_waits_and_holds_no_table():
    matches = [match(8, 0, waits=20 * HOUR), match(1, 5, 8), match(2, 5), match(3, 5)]
    found = simulate_forecast(matches, 1, KNOWN, seed=1)
    assert found.begins[MatchNo(1)].first == 20 * HOUR
    assert found.ends[MatchNo(3)].last < 3 * HOUR


def test_hall_when_closed_then_nothing_begins_and_what_goes_on_is_played_to_its_end():
    tournament = ClosedPeriod(1 * HOUR, 10 * HOUR)
    played = through(knock_out(8, 7), 2, closed=[ClosedPeriod(0, 600), tournament])
    assert played.begins.min() == 600
    assert not ((played.begins >= tournament.since) & (played.begins < tournament.until)).any()
    assert ((played.ends > tournament.since) & (played.ends < tournament.until)).any()


def test_second_final_when_it_may_not_be_needed_then_it_is_played_in_half_of_all_cases():
    played = through([match(1, 5), match(2, 5, 1, is_second_final=True)], 1, plays=200)
    needed = (played.ends[:, 1] > played.begins[:, 1]).mean()
    assert 0.35 < needed < 0.65


def test_match_when_it_does_not_take_place_in_a_play_then_it_takes_no_table_and_waits_for_none():
    in_first_play = bytes([1, 0])
    queue = [match(number, 5) for number in (1, 2, 3)]
    played = through([*queue, match(4, 5, run_mask=in_first_play), match(5, 5, 4)], 1, plays=2)
    assert played.begins[0, 3] == played.ends[0, 2]
    assert played.begins[1, 3] == played.ends[1, 3] == 0
    assert played.begins[1, 4] == played.ends[1, 2]
    at_night = through(
        [match(1, 5), match(2, 5, 1, run_mask=in_first_play)],
        1,
        closed=[ClosedPeriod(600, 10 * HOUR)],
        plays=2,
    )
    assert at_night.ends[0, 1] > 10 * HOUR
    assert at_night.ends[1, 1] == at_night.ends[1, 0] < 10 * HOUR
    second_final = [match(1, 5), match(2, 5, 1, is_second_final=True), match(3, 9, 1)]
    one_table = through(second_final, 1, plays=40)
    skipped = one_table.ends[:, 1] == one_table.begins[:, 1]
    assert (one_table.begins[skipped, 2] == one_table.ends[skipped, 0]).all()


def test_path_when_one_match_ends_last_then_it_leads_through_that():
    matches = [match(1, 5), match(2, 9), match(3, 7, 1, 2), match(4, 3)]
    found = simulate_forecast(matches, 4, KNOWN, seed=1)
    assert critical_paths(matches, found.ends, [MatchNo(3)]) == {3: (2, 3)}
    assert critical_paths(matches, found.ends, [MatchNo(4)]) == {4: (4,)}


@pytest.mark.parametrize(
    ("matches", "tables", "code"),
    [([match(1, 5)], 0, "forecast.no_tables"), ([match(1, 5, 2), match(2, 5, 1)], 1, "forecast.never_ends")],
)
def test_what_has_no_end_is_refused(matches, tables, code):
    with pytest.raises(BadInput) as refused:
        simulate_forecast(matches, tables, KNOWN, seed=1)
    assert refused.value.code == code
