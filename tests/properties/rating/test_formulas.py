"""What must hold of every system over the whole range, not at chosen points."""

import math

from hypothesis import given
from hypothesis import strategies as st

from rating.formulas import SYSTEMS, RatedMatch
from rating.formulas.elo import schedule_k
from rating.formulas.glicko2 import Glicko, grow_deviation, work_period
from rating.formulas.master import place_points
from rating.formulas.replay import RareAttributes, RowKind, rate_rows

SEQUENTIAL = [s for s in SYSTEMS.values() if s.rate is not None]
ELO_LIKE = [s for s in SEQUENTIAL if s.expect is not None]
ratings = st.floats(0.0, 4000.0)
experiences = st.integers(0, 5000)
lengths = st.integers(1, 99)


def rate(system, *args):
    return system.rate(system.read({}))(*args, 1.0)


@given(st.sampled_from(SEQUENTIAL), ratings, experiences, ratings, experiences, lengths)
def test_nobody_loses_by_winning_or_gains_by_losing(system, w, we, lo, le, n):
    up, down = rate(system, w, we, lo, le, n)
    assert up >= 0
    assert down <= 0
    assert math.isfinite(up)
    assert math.isfinite(down)


@given(
    st.sampled_from([SYSTEMS["fibs_flat"], SYSTEMS["galaxy"], SYSTEMS["galaxy_2"]]),
    ratings,
    experiences,
    ratings,
    experiences,
    lengths,
)
def test_zero_sum_systems_are_zero_sum(system, w, we, lo, le, n):
    up, down = rate(system, w, we, lo, le, n)
    assert up + down == 0


@given(ratings, st.integers(400, 9000), ratings, st.integers(400, 9000), lengths)
def test_fibs_is_zero_sum_once_both_ramps_are_over(w, we, lo, le, n):
    up, down = rate(SYSTEMS["fibs"], w, we, lo, le, n)
    assert up + down == 0


@given(st.sampled_from(ELO_LIKE), ratings, ratings, ratings, lengths)
def test_the_better_the_opponent_the_smaller_the_chance_and_the_greater_the_gain(system, own, a, b, n):
    weak, strong = sorted((a, b))
    parameters = system.read({})
    assert system.expect(parameters, own, weak, n) >= system.expect(parameters, own, strong, n)
    if not system.code.startswith("galaxy"):  # its K falls as the mean rises, so there gains need not rise
        assert rate(system, own, 500, weak, 500, n)[0] <= rate(system, own, 500, strong, 500, n)[0]


@given(st.sampled_from(ELO_LIKE), ratings, ratings, lengths)
def test_the_two_chances_are_one_together(system, a, b, n):
    parameters = system.read({})
    both = system.expect(parameters, a, b, n) + system.expect(parameters, b, a, n)
    assert math.isclose(both, 1.0, abs_tol=1e-12)


@given(
    st.sampled_from([SYSTEMS["fibs"], SYSTEMS["elo"]]), ratings, ratings, experiences, experiences, lengths
)
def test_more_experience_never_moves_more(system, w, lo, a, b, n):
    less, more = sorted((a, b))
    assert rate(system, w, less, lo, 0, n)[0] >= rate(system, w, more, lo, 0, n)[0]


@given(st.sampled_from(SEQUENTIAL), ratings, experiences, ratings, experiences, lengths)
def test_the_working_shown_is_the_change_made(system, w, we, lo, le, n):
    shown = system.work(system.read({}), RatedMatch(w, we, lo, le, n))
    assert (shown.winner_change, shown.loser_change) == rate(system, w, we, lo, le, n)
    if shown.winner_k is not None:
        # By hand from the numbers shown (which round P away from 1): K · stretch · (1 - P)
        product = shown.winner_k * shown.stretch * shown.surprise
        assert math.isclose(product, shown.winner_change, rel_tol=1e-6, abs_tol=1e-9)


@given(st.floats(0, 2000), st.sampled_from(["line", "steps"]))
def test_a_schedule_stays_between_its_ends(experience, shape):
    assert 4.0 <= schedule_k(((0.0, 20.0), (100.0, 12.0), (400.0, 4.0)), experience, shape) <= 20.0


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 80))
def test_shared_places_give_out_what_the_places_are_worth(place, tied, field):
    if place + tied - 1 > field:
        return
    shared = tied * place_points(place=place, tied=tied, field=field, weight=1.0)
    alone = sum(place_points(place=place + i, tied=1, field=field, weight=1.0) for i in range(tied))
    assert math.isclose(shared, alone)


glickos = st.builds(Glicko, st.floats(800, 2600), st.floats(30, 350), st.floats(0.03, 0.1))


@given(glickos, st.lists(st.tuples(glickos, st.sampled_from([0.0, 1.0])), min_size=1, max_size=12))
def test_glicko_knows_more_after_a_period_and_stays_finite(player, results):
    after = work_period(player, results, 0.5).after
    assert math.isfinite(after.rating)
    assert 0 < after.deviation < math.hypot(player.deviation, after.volatility * 173.7178) + 1e-9
    if all(score == 1.0 for _, score in results):
        assert after.rating > player.rating


@given(glickos, st.integers(0, 200), st.integers(0, 200))
def test_glicko_idle_periods_add_up(player, first, second):
    together = grow_deviation(player, first + second).deviation
    assert math.isclose(grow_deviation(grow_deviation(player, first), second).deviation, together)
    assert together <= 350.0


facts = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 5), st.integers(1, 5), st.sampled_from([1, 3, 7, 17])),
    max_size=40,
)


@given(facts, st.integers(0, 40))
def test_fold_in_two_halves_is_fold_in_one(history, cut):
    system = SYSTEMS["fibs"]
    rows = sorted(
        (number, moment, 0, winner, loser, length)
        for number, (moment, winner, loser, length) in enumerate(history, 1)
        if winner != loser
    )
    rows.sort(key=lambda row: (row[1], row[0]))
    settings = {
        "rate": system.rate(system.read({})),
        "start": 1500.0,
        "weighted": False,
        "extras": {9: RareAttributes()},
    }
    whole, halves = {}, {}
    once = rate_rows(rows, whole, **settings)
    twice = rate_rows(rows[:cut], halves, **settings) + rate_rows(rows[cut:], halves, **settings)
    assert once == twice
    assert whole == halves


def test_opening_that_tells_no_experience_begins_without_any():
    states = {}
    settings = {"rate": SYSTEMS["fibs"].rate(SYSTEMS["fibs"].read({})), "start": 1500.0, "weighted": False}
    rate_rows(
        [(1, 5, RowKind.OPENING, 7, 0, 0)], states, extras={1: RareAttributes(rating=1712.0)}, **settings
    )
    assert states == {7: [1712.0, 0, 0, 0, 5]}
