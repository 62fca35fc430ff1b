"""Sums of analyses: those of one match, and what many come to together."""

from random import Random

import pytest

from games.records.analysis import Analysis, Decision, DecisionKind
from games.records.performance import luck_adjusted_result, match_course, performances
from games.records.summing import (
    MIN_DECISIONS,
    WINDOW_DECISIONS,
    SideSum,
    pool_sides,
    running_ratings,
    summaries_by_length,
    summaries_by_roll,
    summarize_match,
)
from games.records.text import TextReader
from games.records.validation import validate
from games.rules.formats import MatchFormat
from games.rules.sides import SIDES, Side
from tests.support.analyses import random_analysis
from tests.support.random_matches import random_match


def test_sums_when_compared_with_all_decisions_then_the_same():
    record = random_match(Random(3), MatchFormat(length=3), names=("Ann", "Bob"))
    replay, analysis = validate(record).replay, random_analysis(Random(4), record)
    found, whole = summarize_match(analysis, replay), performances(analysis.decisions, replay)
    for side in SIDES:
        own = pool_sides([found.sides[side]])
        assert (own.rating, own.cube_rating) == (whole[side].rating, whole[side].cube_rating)
        assert (own.errors, own.cube_errors) == (whole[side].errors, whole[side].cube_errors)
    white, black = (found.sides[side] for side in SIDES)
    result = luck_adjusted_result(analysis, replay)
    assert white.net_luck == pytest.approx(result.luck)
    assert black.net_luck == pytest.approx(-result.luck)
    assert white.even + black.even == pytest.approx(1)
    chances = [moment.white for moment in match_course(analysis, replay)]
    assert found.swing >= max(chances) - min(chances)


OPENINGS = """ 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2) 64: 24/14                   ????
      Wins 1 point

 Game 2
 Ann : 1                         Bob : 0
  1)                             13: 8/5 6/5
  2)  Doubles => 2                Takes
  3) 52: 13/8 24/22              ????
      Wins 2 points
"""


def test_openings_when_a_double_comes_between_then_what_follows_is_no_reply():
    replay = validate(TextReader(OPENINGS).read().record).replay
    decisions = [
        Decision(number, state.turn, DecisionKind.CHECKER, state.side, 0.03 * state.turn, True)
        for number, game in enumerate(replay.games, 1)
        for state in game.states
        if state.dice
    ]
    sides = summarize_match(Analysis("", tuple(decisions)), replay).sides
    assert [row[:3] for row in sides[Side.WHITE].openings] == [(False, 3, 1)]
    assert [row[:3] for row in sides[Side.BLACK].openings] == [(True, 5, 2), (False, 3, 1)]
    (roll,) = summaries_by_roll(sides.values(), reply=True)
    assert (roll.high, roll.low, roll.times, roll.errors) == (5, 2, 1, 1)
    (first,) = summaries_by_roll(sides.values(), reply=False)
    assert (first.times, first.mean_lost) == (
        2,
        pytest.approx(0.03 * (1 + replay.games[1].states[0].turn) / 2),
    )


def test_running_when_few_decisions_then_nothing_and_later_the_latest_matches_alone():
    bad = SideSum(7, checker_counted=MIN_DECISIONS // 2, checker_lost=MIN_DECISIONS)
    good = SideSum(7, checker_counted=WINDOW_DECISIONS, checker_lost=0.0)
    ratings = running_ratings([bad, bad, good, bad])
    assert ratings[0] is None
    assert ratings[1] == pytest.approx(1000)
    assert ratings[2] == 0
    assert 0 < ratings[3] < 200


def test_lengths_when_mixed_then_each_apart_and_a_match_to_one_point_weighs_more():
    rows = summaries_by_length(
        [SideSum(7, checker_counted=10, checker_lost=0.1), SideSum(1, 10, 0, 0.1), SideSum(7, 10)]
    )
    assert [(row.length, row.matches) for row in rows] == [(1, 1), (7, 2)]
    assert rows[0].performance.rating == pytest.approx(7.5)
    assert rows[1].performance.rating == pytest.approx(2.5)
