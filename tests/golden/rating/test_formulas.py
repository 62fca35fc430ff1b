"""Worked examples of every system, each with its source."""

import math

import pytest

from rating.formulas import get_system
from rating.formulas.elo import FIBS, fibs_k, schedule_k
from rating.formulas.galaxy import pr_share
from rating.formulas.glicko2 import (
    Glicko,
    expected_score,
    grow_deviation,
    length_factor,
    win_chance,
    work_period,
)
from rating.formulas.master import division_weight, match_points, place_points, rank_factor, shared_factor
from rating.formulas.periods import DAY_MICROSECONDS, replay_periods
from rating.formulas.replay import RareAttributes, RowKind


def rate(code, *args, **parameters):
    system = get_system(code)
    return system.rate(system.read(parameters))(*args, 1.0)


# FIBS `help formula` (https://www.bkgm.com/rgb/rgb.cgi?view+1093)
def test_fibs_when_two_newcomers_play_seven_points_then_26_4575_changes_hands():
    up, down = rate("fibs", 1500.0, 0, 1500.0, 0, 7)
    assert round(up, 4) == 26.4575
    assert round(down, 4) == -26.4575


# macFIBS glossary: Kp = max(1, 5 - ((Ep + N) / 100)), Ep + N being the experience with this match
def test_fibs_when_the_match_counts_as_experience_then_26_0871_changes_hands():
    up, down = rate("fibs", 1500.0, 0, 1500.0, 0, 7, experience="after")
    assert round(up, 4) == 26.0871
    assert round(down, 4) == -26.0871


def test_fibs_when_equals_of_settled_k_play_one_point_then_two_points_change_hands():
    assert rate("fibs", 1500.0, 400, 1500.0, 1000, 1) == (2.0, -2.0)


@pytest.mark.parametrize(
    ("own", "other", "length", "percent"), [(1675.0, 1500.0, 1, 55.02), (1900.0, 1500.0, 17, 86.98)]
)
def test_fibs_expectation_matches_published_percentages(own, other, length, percent):
    chance = FIBS.expect(FIBS.read({}), own, other, length)
    assert round(100 * chance, 2) == percent


# A. Alegre's table of winning chances, rec.games.backgammon (https://bkgm.com/rgb/rgb.cgi?view+45)
@pytest.mark.parametrize(
    ("difference", "chances"),
    [
        (0, (0.500, 0.500, 0.500, 0.500, 0.500, 0.500)),
        (100, (0.529, 0.550, 0.564, 0.576, 0.585, 0.594)),
        (200, (0.557, 0.598, 0.626, 0.648, 0.666, 0.682)),
        (300, (0.585, 0.645, 0.684, 0.714, 0.738, 0.759)),
        (700, (0.691, 0.802, 0.858, 0.894, 0.918, 0.935)),
    ],
)
def test_fibs_expectation_matches_the_published_table(difference, chances):
    for length, chance in zip((1, 3, 5, 7, 9, 11), chances, strict=True):
        ours = FIBS.expect(FIBS.read({}), 1500.0 + difference, 1500.0, length)
        assert abs(ours - chance) < 0.0011, (difference, length)


@pytest.mark.parametrize(
    ("experience", "k"), [(0, 5.0), (100, 4.0), (200, 3.0), (399, 1.01), (400, 1.0), (9000, 1.0)]
)
def test_fibs_ramp_falls_from_five_to_one(experience, k):
    assert math.isclose(fibs_k(experience), k)


def test_fibs_flat_when_newcomers_play_seven_points_then_k_is_one():
    up, down = rate("fibs_flat", 1500.0, 0, 1500.0, 0, 7)
    assert round(up, 4) == 5.2915
    assert down == -up


# By hand: D = 200 for the loser, n = 9: P = 1/(1+10^(-0.3)) = 0.666139; an upset moves 4·3·0.666139
def test_fibs_flat_when_the_underdog_wins_then_the_change_is_the_favourites_chance():
    up, _down = rate("fibs_flat", 1500.0, 0, 1700.0, 0, 9)
    assert round(up, 5) == 7.99367


@pytest.mark.parametrize("experience", [0, 7, 150, 399, 400, 5000])
def test_general_elo_with_the_parameters_of_fibs_is_fibs(experience):
    general = rate("elo", 1610.0, experience, 1555.5, 33, 11)
    fibs = rate("fibs", 1610.0, experience, 1555.5, 33, 11)
    assert general == pytest.approx(fibs, rel=1e-14)


# Elo as used in chess (divisor 400, K = 32, length without influence): 1613 beats 1609 → +15.8 (FIDE style example)
def test_general_elo_with_chess_parameters_gives_the_chess_change():
    up, down = rate(
        "elo", 1613.0, 0, 1609.0, 0, 7, divisor=400, exponent=0, schedule=[[0, 32]], shape="steps"
    )
    assert round(up, 2) == 15.82
    assert down == -up


def test_schedule_in_steps_holds_each_step_and_in_a_line_runs_to_the_next():
    schedule = ((0.0, 20.0), (100.0, 10.0))
    assert [schedule_k(schedule, e, "steps") for e in (0, 99, 100, 500)] == [20.0, 20.0, 10.0, 10.0]
    assert [schedule_k(schedule, e, "line") for e in (0, 50, 100, 500)] == [20.0, 15.0, 10.0, 10.0]


# http://www.columbusbg.org/Ratings/formulas.html, example of version 1
def test_galaxy_when_1736_78_plays_1628_80_to_13_then_34_19_or_46_65_changes_hands():
    up, down = rate("galaxy", 1736.78, 0, 1628.80, 0, 13)
    assert (round(up, 2), round(down, 2)) == (34.19, -34.19)
    up, down = rate("galaxy", 1628.80, 0, 1736.78, 0, 13)
    assert (round(up, 2), round(down, 2)) == (46.65, -46.65)
    system = get_system("galaxy")
    assert round(system.expect({}, 1736.78, 1628.80, 13), 8) == 0.57707843


# The same page: version 2 gives half of it where "the match winner is different than the PR winner"
def test_galaxy_2_when_the_winner_lost_the_pr_then_half_of_it_changes_hands():
    system = get_system("galaxy_2")
    change = system.rate(system.read({}))
    for winner_pr, loser_pr, up in (
        (6.0, 4.0, 17.09),  # half of 34.19
        (4.0, 6.0, 34.19),
        (5.0, 5.0, 34.19),  # nobody else won it
        (None, 4.0, 34.19),  # nothing is known: version 1
        (6.0, None, 34.19),
    ):
        both = change(1736.78, 0, 1628.80, 0, 13, pr_share(winner_pr, loser_pr))
        assert (round(both[0], 2), round(both[1], 2)) == (up, -up), (winner_pr, loser_pr)
    assert change(1628.80, 0, 1736.78, 0, 13, 1.0) == rate("galaxy", 1628.80, 0, 1736.78, 0, 13)


# M. E. Glickman, "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf
PAPER = Glicko(1500.0, 200.0, 0.06)
OPPONENTS = (Glicko(1400.0, 30.0, 0.06), Glicko(1550.0, 100.0, 0.06), Glicko(1700.0, 300.0, 0.06))


def test_glicko2_example_of_the_paper_to_the_last_digit():
    after = work_period(PAPER, list(zip(OPPONENTS, (1.0, 0.0, 0.0), strict=True)), 0.5).after
    assert round(after.rating, 2) == 1464.05  # the paper prints 1464.06 from rounded steps
    assert round(after.deviation, 2) == 151.52
    assert round(after.volatility, 5) == 0.06000 or round(after.volatility, 5) == 0.05999
    assert [round(expected_score(PAPER, other), 3) for other in OPPONENTS] == [0.639, 0.432, 0.303]


def test_glicko2_shares_add_up_to_the_whole_change():
    results = list(zip(OPPONENTS, (1.0, 0.0, 0.0), strict=True))
    working = work_period(PAPER, results, 0.5)
    assert math.isclose(sum(working.change_by_match()), working.after.rating - PAPER.rating)


def test_glicko2_steps_of_the_paper_are_told_one_by_one():
    working = work_period(PAPER, list(zip(OPPONENTS, (1.0, 0.0, 0.0), strict=True)), 0.5)
    assert (working.mu, round(working.phi, 4)) == (0.0, 1.1513)  # step 2
    assert [round(bout.weight, 4) for bout in working.bouts] == [0.9955, 0.9531, 0.7242]  # step 3
    assert [round(bout.chance, 3) for bout in working.bouts] == [0.639, 0.432, 0.303]
    assert round(working.variance, 4) == 1.7790  # 1.7785 in the paper, from rounded steps
    assert round(working.delta, 4) == -0.4839  # step 4, -0.4834 in the paper
    assert round(working.after.volatility, 5) == 0.06000  # step 5, 0.05999 in the paper
    assert round(working.grown_phi, 4) == 1.1529  # step 6, 1.152862 in the paper
    assert (round(working.new_phi, 4), round(working.new_mu, 4)) == (0.8722, -0.2069)  # step 7


def test_glicko2_stays_finite_when_ratings_lie_absurdly_far_apart():
    giant, dwarf = Glicko(10_000.0, 30.0, 0.06), Glicko(0.0, 30.0, 0.06)
    for own, other, score in ((giant, dwarf, 1.0), (giant, dwarf, 0.0), (dwarf, giant, 1.0)):
        after = work_period(own, [(other, score)], 0.5).after
        assert all(map(math.isfinite, (after.rating, after.deviation, after.volatility)))


def test_glicko2_when_nobody_played_then_only_the_deviation_grows():
    after = grow_deviation(PAPER, 1)  # the paper, step 6: φ' = √(φ² + σ²)
    assert (after.rating, after.volatility) == (1500.0, 0.06)
    assert math.isclose(after.deviation, math.hypot(200.0, 0.06 * 173.7178))


# Our own extension. With a typical length of 25 and exponent ½ the chance of two certain players is that of FIBS.
@pytest.mark.parametrize(
    ("own", "other", "length"), [(1675.0, 1500.0, 1), (1900.0, 1500.0, 17), (1500.0, 1622.0, 9)]
)
def test_glicko2_with_length_foretells_as_fibs_where_both_are_certain(own, other, length):
    stretch = length_factor(get_system("glicko2_length").read({}), length)
    chance = win_chance(Glicko(own, 0.0, 0.06), Glicko(other, 0.0, 0.06), stretch)
    # 173.7178 is 400 / ln 10 to four digits
    assert math.isclose(chance, FIBS.expect(FIBS.read({}), own, other, length), rel_tol=1e-6)


def test_glicko2_with_length_is_glicko2_at_the_typical_length_and_without_exponent():
    results = list(zip(OPPONENTS, (1.0, 0.0, 0.0), strict=True))
    plain = work_period(PAPER, results, 0.5)
    at = {
        n: length_factor(get_system("glicko2_length").read(more), n)
        for n, more in ((25, {}), (7, {"exponent": 0}))
    }
    assert at == {25: 1.0, 7: 1.0}
    assert work_period(PAPER, results, 0.5, [at[25]] * 3).after == plain.after


# By hand: 1500 ± 200 beats 1400 ± 30 to 9 points, c = √(9/25) = 0.6: g = 0.6 · 0.995498 = 0.597299,
# E = 1/(1+exp(-0.597299 · 0.575646)) = 0.585121, v = 1/(g²·E·(1-E)) = 11.546; longer matches say more.
def test_glicko2_with_length_step_by_step():
    (bout,) = work_period(PAPER, [(OPPONENTS[0], 1.0)], 0.5, [0.6]).bouts
    assert (round(bout.weight, 6), round(bout.chance, 6)) == (0.597299, 0.585121)
    told = [work_period(PAPER, [(OPPONENTS[0], 1.0)], 0.5, [(n / 25) ** 0.5]) for n in (1, 9, 25)]
    assert round(told[1].variance, 3) == 11.546
    assert told[0].after.rating < told[1].after.rating < told[2].after.rating
    assert told[0].after.deviation > told[1].after.deviation > told[2].after.deviation


def test_glicko2_replay_rates_all_matches_of_a_period_from_the_numbers_before_it():
    parameters = get_system("glicko2").read({"period_days": 10})
    rows = [(1, 1, 0, 7, 8, 5), (2, 2, 0, 7, 8, 5), (3, 10 * DAY_MICROSECONDS, 0, 8, 7, 5)]
    replay = replay_periods(rows, parameters, start=1500.0, end_period=1, extras={})
    newcomer = Glicko(1500.0, 350.0, 0.06)
    assert replay.standings[7].glicko == work_period(newcomer, [(newcomer, 1.0)] * 2, 0.5).after
    assert [replay.standings[player].moment for player in (7, 8)] == [2, 2]
    assert len(replay.steps) == 2  # the third match lies in a period that is still open


def test_periods_when_a_rating_is_brought_along_then_it_is_the_players_alone_and_nobody_lost_to_them():
    parameters = get_system("glicko2").read({"period_days": 1})
    brought = {4: RareAttributes(rating=1712.0, deviation=55.0, experience=30)}
    replay = replay_periods(
        [(4, 2, RowKind.OPENING, 7, 0, 0)], parameters, start=1500.0, end_period=1, extras=brought
    )
    assert replay.steps == [(4, 2, 7, 1500.0, 1712.0, 0, 0, 0.0, 0.0, 0)]
    assert replay.after == [(Glicko(1712.0, 55.0, 0.06), None)]
    assert list(replay.standings) == [7]


# USBGF Master Points System (May 2015; the factors of the first two places as printed in its 2019 edition)
def test_master_points_follow_the_quick_reference():
    assert [division_weight(rank) for rank in (1, 2, 3, 4)] == [1.0, 0.7, 0.5, 0.5]
    assert [round(rank_factor(rank), 3) for rank in (1, 2, 3, 4, 5, 6)] == [1.0, 0.7, 0.5, 0.333, 0.25, 0.2]
    assert round(match_points(9, 1.0), 4) == 1.0
    assert round(match_points(7, 1.0 * division_weight(2)), 4) == 0.6173  # 0.7 · √7 / 3


def test_master_points_of_a_place_grow_with_the_log_of_the_field():
    assert place_points(place=1, tied=1, field=64, weight=1.0) == 6.0
    assert round(place_points(place=2, tied=1, field=64, weight=1.0), 4) == 4.2
    # two beaten semi-finalists share the third and the fourth place: (1/2 + 1/3) / 2
    assert math.isclose(shared_factor(3, 2), 5 / 12)
    assert math.isclose(place_points(place=3, tied=2, field=64, weight=0.7), 0.7 * 6 * 5 / 12)


# "How USBGF Master Points are Calculated", January 2019: Rank Points = 0.6 * Event Size Factor * Player's Rank Factor
# (https://usbgf.org/how-points-are-calculated/how-usbgf-master-points-are-calculated/); matches as before
def test_master_points_of_2019_pay_for_places_six_tenths_of_2015():
    pays = get_system("master_2019").place_rate_for({})
    assert math.isclose(pays(1, 1, 64, 1.0), 3.6)
    assert math.isclose(pays(2, 1, 64, 1.0), 0.6 * 6 * 0.7)
    assert math.isclose(pays(3, 2, 64, 0.7), 0.7 * 0.6 * 6 * 5 / 12)
    assert rate("master_2019", 0.0, 0, 0.0, 0, 9) == rate("master", 0.0, 0, 0.0, 0, 9) == (1.0, 0.0)
    assert get_system("master").place_rate_for({})(1, 1, 64, 1.0) == 6.0


# By hand: 40 players, grade 1.5, a = ½, b = 2: √40 · 1.5 = 9.48683; the winner has all, the last (1/40)² of it
def test_points_by_grade_field_and_place():
    system = get_system("graded")
    pays = system.place_rate_for(system.read({"size": 0.5, "fall": 2}))
    assert [round(pays(place, 1, 40, 1.5), 5) for place in (1, 2, 40)] == [9.48683, 9.01842, 0.00593]
    assert math.isclose(pays(3, 2, 40, 1.5), (pays(3, 1, 40, 1.5) + pays(4, 1, 40, 1.5)) / 2)
    assert rate("graded", 0.0, 0, 0.0, 0, 9) == (0.0, 0.0)


@pytest.mark.parametrize(("place", "tied", "field"), [(1, 1, 1), (4, 2, 4), (0, 1, 8), (1, 0, 8)])
def test_master_points_refuse_a_place_outside_the_field(place, tied, field):
    with pytest.raises(ValueError, match=r"place|field|player"):
        place_points(place=place, tied=tied, field=field, weight=1.0)
