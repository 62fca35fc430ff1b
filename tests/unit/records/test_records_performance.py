"""The performance rating and its company, on decisions made by hand; files of eXtreme Gammon: tests/golden/records."""

import pytest

from games.records.analysis import Analysis, Chances, CubeEquities, Decision, DecisionKind, RankedPlay
from games.records.model import Step
from games.records.performance import (
    CubeError,
    ErrorClass,
    error_class,
    luck_adjusted_result,
    match_course,
    performances,
    winning_chance,
)
from games.records.text import TextReader
from games.records.validation import validate
from games.rules.formats import MatchFormat
from games.rules.scoring import first_score, score_after
from games.rules.sides import Side

MATCH = """ {length} point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2)  Doubles => 2                Takes
  3) 64: 24/14                   21: 13/11 6/5
  4) 66: 24/18 14/8 13/7 13/7     ????
      Wins 2 points
"""


def replay_of(length):
    record = TextReader(MATCH.format(length=length)).read().record
    return validate(record).replay


def checker(turn, side, *equities, lost=0.0, luck=None, counts=True, chances=None):
    rows = tuple(RankedPlay((Step(24, 24 - n),), equity, chances) for n, equity in enumerate(equities, 1))
    return Decision(1, turn, DecisionKind.CHECKER, side, lost, counts, plays=rows, played=0, luck=luck)


def cube(turn, side, *, lost, kind=DecisionKind.DOUBLE, counts=True):
    return Decision(1, turn, kind, side, lost, counts, cube=CubeEquities(0.5, 0.9))


WHITE, BLACK = Side.WHITE, Side.BLACK


def test_error_class_when_at_a_limit_then_the_graver_one():
    assert [error_class(lost) for lost in (None, 0.0, 0.02, 0.08)] == [
        ErrorClass.FINE,
        ErrorClass.FINE,
        ErrorClass.ERROR,
        ErrorClass.BLUNDER,
    ]


DECISIONS = (
    checker(1, WHITE, 0.2, 0.1, lost=0.05, luck=0.1),
    checker(2, BLACK, 0.2, 0.1, lost=0.1, luck=-0.2),
    cube(2, BLACK, lost=0.03),
    cube(3, WHITE, lost=0.1),
    cube(4, BLACK, lost=0.2, kind=DecisionKind.TAKE),
    checker(5, WHITE, 0.9, lost=0.4, luck=0.3, counts=False),
    checker(6, BLACK, 0.9, lost=None, luck=0.3),
)


def test_performances_when_summed_then_500_by_what_counts():
    sums = performances(DECISIONS, replay_of(5))
    white, black = sums[WHITE], sums[BLACK]
    assert (white.counted, white.checker_counted, white.cube_counted) == (2, 1, 1)
    assert white.rating == pytest.approx(500 * 0.15 / 2)
    assert white.checker_rating == pytest.approx(25)
    assert black.cube_rating == pytest.approx(500 * 0.23 / 2)
    assert white.luck == pytest.approx(0.4)
    assert white.cube_errors[CubeError.WRONG_DOUBLE] == 1
    assert black.cube_errors == {
        CubeError.MISSED_DOUBLE: 1,
        CubeError.WRONG_DOUBLE: 0,
        CubeError.WRONG_TAKE: 1,
        CubeError.WRONG_PASS: 0,
    }
    assert black.errors == {ErrorClass.FINE: 0, ErrorClass.ERROR: 1, ErrorClass.BLUNDER: 2}


def test_performances_when_to_one_point_then_half_as_much_again():
    one, five = (performances(DECISIONS[:2], replay_of(length))[WHITE].rating for length in (1, 5))
    assert one == pytest.approx(five * 1.5)


def test_performances_when_a_turn_is_not_in_the_record_then_left_out():
    assert performances([checker(99, WHITE, 0.2, 0.1, lost=0.1)], replay_of(5))[WHITE].rating is None


def test_course_when_match_then_chances_before_each_roll_and_at_the_end():
    rows = (checker(1, WHITE, 0.1, luck=0.1), checker(2, BLACK, 0.4, luck=0.2))
    moments = match_course(Analysis("e", rows), replay_of(2))
    assert [(row.game, row.turn) for row in moments] == [(1, 1), (1, 2), (1, 9)]
    assert moments[0].white == pytest.approx(0.5)  # an equity of 0 before the first roll
    assert moments[1].white == pytest.approx(0.5 - 0.2 * (0.67736 - 0.32264) / 2)
    assert moments[2].white == 1.0


def test_course_when_money_then_the_chance_to_win_the_game():
    decision = checker(2, BLACK, 0.3, chances=Chances(0.55, 0.1, 0.0, 0.1, 0.0))
    moments = match_course(Analysis("e", (decision,)), replay_of(0))
    assert [round(moment.white, 2) for moment in moments] == [0.45, 1.0]


def test_luck_adjusted_when_luck_of_both_is_taken_away_then_less():
    analysis = Analysis("e", (checker(1, WHITE, 0.1, luck=0.5), checker(2, BLACK, 0.4, luck=-0.25)))
    found = luck_adjusted_result(analysis, replay_of(2))
    assert found.actual == 0.5
    assert found.luck == pytest.approx(0.75 * (0.67736 - 0.32264) / 2)
    assert found.adjusted == pytest.approx(0.5 - found.luck)
    assert luck_adjusted_result(Analysis("e"), replay_of(2)) is None
    assert luck_adjusted_result(analysis, replay_of(0)) is None


def test_winning_chance_when_before_in_and_after_crawford_then_as_gnu_backgammon_shows_them():
    form = MatchFormat(length=7)
    crawford = first_score(form, 6, 5)
    after = score_after(form, crawford, BLACK, 1)
    assert winning_chance(first_score(form), WHITE) == 0.5
    assert winning_chance(crawford, WHITE) == pytest.approx(0.67736)
    assert winning_chance(after, BLACK) == pytest.approx(0.5)
    assert winning_chance(score_after(form, after, BLACK, 1), WHITE) == 0.0
    assert winning_chance(score_after(form, first_score(form, 6, 4), BLACK, 1), BLACK) == pytest.approx(
        0.48803
    )
