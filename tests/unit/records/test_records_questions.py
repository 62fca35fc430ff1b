"""Decisions as questions: the position as whoever decides sees it, what to choose among, and in which order."""

from games.records.analysis import CubeEquities, Decision, DecisionKind, RankedPlay
from games.records.model import Step
from games.records.questions import MAX_BEST_PLAYS, build_question, decision_position, swap_xgid_sides
from games.records.text import TextReader
from games.records.validation import validate
from games.rules.sides import Side
from games.rules.xgid import XgId, XgidAction

MATCH = """ 7 point match

 Game 1
 Ann : 2                         Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2)  Doubles => 2                Takes
  3) 64: 24/14                   21: 13/11 6/5
  4) 66: 24/18 14/8 13/7 13/7     ????
      Wins 2 points
"""
REPLAY = validate(TextReader(MATCH).read().record).replay
WHITE, BLACK = Side.WHITE, Side.BLACK


def decision(turn, side, kind=DecisionKind.CHECKER, **more):
    return Decision(1, turn, kind, side, more.pop("lost", 0.1), True, **more)


def plays(*equities):
    return tuple(RankedPlay((Step(24, 24 - n),), equity) for n, equity in enumerate(equities, 1))


def test_position_when_black_decides_then_black_is_white_and_scores_are_exchanged():
    found = decision_position(decision(2, BLACK), REPLAY)
    assert (found.turn, found.dice, found.score, found.length) == (WHITE, (5, 2), (0, 2), 7)
    state = REPLAY.games[0].states[1]
    assert found.position == state.before
    assert swap_xgid_sides(swap_xgid_sides(found)) == found
    assert XgId.from_id(found.id) == found


def test_position_when_about_the_cube_then_no_dice_and_whose_turn_it_is():
    kinds = (DecisionKind.DOUBLE, DecisionKind.TAKE)
    doubled, taken = (
        decision_position(decision(turn, side, kind), REPLAY)
        for turn, side, kind in zip((3, 4), (WHITE, BLACK), kinds, strict=True)
    )
    assert (doubled.turn, doubled.action, doubled.dice, doubled.cube) == (WHITE, XgidAction.TO_ROLL, None, 1)
    # The taker is White, so the doubler is Black and on turn.
    assert (taken.turn, taken.action, taken.score) == (BLACK, XgidAction.DOUBLED, (0, 2))
    missed = decision_position(decision(5, WHITE, DecisionKind.DOUBLE), REPLAY)
    assert (missed.dice, missed.action, missed.owner, missed.cube) == (None, XgidAction.TO_ROLL, BLACK, 2)


def test_position_when_no_such_turn_then_none():
    assert decision_position(decision(99, WHITE), REPLAY) is None
    assert decision_position(decision(1, BLACK), REPLAY) is None
    assert decision_position(decision(1, WHITE, DecisionKind.TAKE), REPLAY) is None
    assert decision_position(Decision(4, 1, DecisionKind.CHECKER, WHITE, 0.1, True), REPLAY) is None


def test_question_when_a_play_then_the_best_and_the_played_in_an_order_of_its_own():
    at = decision_position(decision(1, WHITE), REPLAY)
    one = decision(1, WHITE, plays=plays(0.5, 0.4, 0.3, 0.2, 0.1, 0.0), played=5)
    asked = build_question(one, at, "a")
    assert len(asked.choices) == MAX_BEST_PLAYS + 1
    assert sorted(round(choice.less, 3) for choice in asked.choices) == [0.0, 0.1, 0.2, 0.3, 0.5]
    assert (asked.choices[asked.best].equity, asked.choices[asked.played].equity) == (0.5, 0.0)
    assert build_question(one, at, "a") == asked
    orders = {
        tuple(choice.equity for choice in build_question(one, at, str(seed)).choices) for seed in range(12)
    }
    assert len(orders) > 6
    assert len({build_question(one, at, str(seed)).best for seed in range(40)}) == MAX_BEST_PLAYS + 1


def test_question_when_among_the_best_then_none_twice():
    asked = build_question(
        decision(1, WHITE, plays=plays(0.5, 0.4), played=1),
        decision_position(decision(1, WHITE), REPLAY),
        "a",
    )
    assert sorted(choice.played for choice in asked.choices) == [False, True]


def test_question_when_about_the_cube_then_both_sides_of_it_and_the_worse_was_done():
    at = decision_position(decision(3, WHITE, DecisionKind.DOUBLE), REPLAY)
    double = build_question(
        decision(3, WHITE, DecisionKind.DOUBLE, cube=CubeEquities(0.5, 0.8, 1.0)), at, "a"
    )
    assert [(one.code, one.equity, one.played) for one in double.choices] == [
        ("no_double", 0.5, True),
        ("double", 0.8, False),
    ]
    take = build_question(decision(4, BLACK, DecisionKind.TAKE, cube=CubeEquities(0.5, 1.3, 1.0)), at, "a")
    assert [(one.code, one.equity, one.played) for one in take.choices] == [
        ("take", -1.3, True),
        ("pass", -1.0, False),
    ]
    assert take.best == 1


def test_question_when_too_little_is_known_then_none():
    at = decision_position(decision(1, WHITE), REPLAY)
    for one in (
        decision(1, WHITE),
        decision(1, WHITE, plays=plays(0.5), played=0),
        decision(1, WHITE, plays=plays(0.5, 0.4), played=None),
        decision(1, WHITE, plays=plays(0.5, 0.4), played=0),
        decision(1, WHITE, DecisionKind.DOUBLE),
        decision(1, WHITE, DecisionKind.DOUBLE, cube=CubeEquities(0.5, 0.5)),
        decision(1, WHITE, DecisionKind.DOUBLE, lost=0.0, cube=CubeEquities(0.5, 0.7)),
    ):
        assert build_question(one, at, "a") is None
