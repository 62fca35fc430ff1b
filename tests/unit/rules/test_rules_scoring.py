"""Points, Crawford and the end of a match: R32 to R34, R39, R40, F1, F2, F5, F6, F10."""

import pytest

from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.scoring import (
    Crawford,
    WinKind,
    first_score,
    game_points,
    score_after,
)
from games.rules.sides import Side

A, B = Side.WHITE, Side.BLACK
MONEY = MatchFormat()
JACOBY = MatchFormat(jacoby=True)
SINGLE, GAMMON, BACKGAMMON = WinKind


def to(length, **settings):
    return MatchFormat(length=length, **settings)


def after(form, *games, start=(0, 0)):
    score = first_score(form, *start)
    for side, points in games:
        score = score_after(form, score, side, points)
    return score


def test_r39_gammon_and_backgammon_multiply_the_cube():
    for exponent in range(11):
        cube = 1 << exponent
        assert [game_points(MONEY, kind, cube, doubled=False) for kind in WinKind] == [
            cube,
            2 * cube,
            3 * cube,
        ]


def test_r33_a_win_is_a_win_where_gammons_do_not_count():
    form = MatchFormat(cube=False, gammons=False, backgammons=False)
    assert [game_points(form, kind, 1, doubled=False) for kind in WinKind] == [1, 1, 1]
    no_triple = MatchFormat(backgammons=False)
    assert [game_points(no_triple, kind, 2, doubled=True) for kind in WinKind] == [2, 4, 4]


def test_r40_jacoby_counts_gammons_only_after_an_accepted_double():
    assert game_points(JACOBY, GAMMON, 1, doubled=False) == 1
    assert game_points(JACOBY, BACKGAMMON, 2, doubled=True) == 6


def test_f5_an_automatic_double_does_not_satisfy_jacoby():
    assert game_points(JACOBY, GAMMON, 2, doubled=False) == 2


def test_f1_first_to_the_length_and_points_above_it_stay_visible():
    score = after(to(5), (A, 4), (B, 2), (A, 4))
    assert score.points == (8, 2)
    assert score.capped == (5, 2)
    assert (score.winner, score.is_over) == (A, True)


def test_r34_a_money_session_is_never_over():
    score = after(MONEY, *[(A, 64)] * 20)
    assert score.points == score.capped == (1280, 0)
    assert score.winner is None
    assert score.needs(A) is None
    assert score.crawford is Crawford.BEFORE


def test_f2_the_crawford_game_is_the_first_with_one_point_missing_and_only_that():
    form = to(5)
    assert after(form, (A, 2)).crawford is Crawford.BEFORE
    assert after(form, (A, 4)).is_crawford
    assert after(form, (A, 4), (B, 1)).is_post_crawford
    assert after(form, (A, 4), (B, 4)).is_post_crawford  # the second one to get there brings no second one
    assert not after(form, (A, 2), (A, 1)).is_crawford


def test_f2_every_way_through_a_short_match_has_one_crawford_game_at_most():
    form = to(4)

    def walk(score, seen):
        if score.is_over:
            assert seen <= 1
            return
        seen += score.is_crawford
        one_away = 1 in (score.needs(A), score.needs(B))
        assert (score.crawford is Crawford.BEFORE) == (not one_away)
        for side in (A, B):
            for points in (1, 2, 3, 4):
                walk(score_after(form, score, side, points), seen)

    walk(first_score(form), 0)


def test_f2_without_crawford_there_is_none():
    assert after(to(3, crawford=False), (A, 2)).crawford is Crawford.BEFORE


def test_f2_f10_starting_points_and_penalties_count_for_crawford_like_any_others():
    form = to(5)
    assert first_score(form, 4, 0).is_crawford
    assert first_score(form, 4, 1).is_crawford
    assert score_after(form, first_score(form, 4, 1), B, 1).is_post_crawford


def test_f10_starting_scores_that_make_no_sense_are_refused():
    for points in ((-1, 0), (5, 5), (7, 6)):
        with pytest.raises(RuleError):
            first_score(to(5), *points)
    assert first_score(to(5), 5, 0).winner is A


def test_no_points_are_added_after_the_end_and_none_are_taken_away():
    over = after(to(3), (A, 3))
    with pytest.raises(RuleError) as caught:
        score_after(to(3), over, B, 1)
    assert caught.value.code == "score.match_is_over"
    for points in (0, -2):
        with pytest.raises(RuleError):
            score_after(to(3), first_score(to(3)), A, points)
