"""The end of a league season."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.errors import BadInput
from tournaments.engine.standings.promotion import break_ties, next_season, ties_at_borders

THREE = [(1, 2, 3, 4), (11, 12, 13, 14), (21, 22, 23, 24)]


def test_the_last_change_places_with_the_first_below():
    assert next_season(THREE, 1) == ((1, 2, 3, 11), (12, 13, 4, 21), (22, 23, 24, 14))
    assert next_season(THREE, 2) == ((1, 2, 11, 12), (3, 4, 21, 22), (23, 24, 13, 14))


def test_nothing_moves_where_nobody_shall_and_a_single_division_stays():
    assert next_season(THREE, 0) == tuple(THREE)
    assert next_season([(1, 2, 3)], 1) == ((1, 2, 3),)
    assert next_season([], 1) == ()


def test_whoever_leaves_is_replaced_from_below():
    assert next_season(THREE, 1, leaving_entries=[2]) == ((1, 3, 11, 12), (13, 4, 21, 22), (23, 24, 14))
    # who leaves from a relegation place leaves it all the same: one comes up for it
    assert next_season(THREE, 1, leaving_entries=[4]) == ((1, 2, 3, 11), (12, 13, 21, 22), (23, 24, 14))


@pytest.mark.parametrize(
    ("divisions", "moving", "leaving", "code"),
    [
        ([(1, 2), (3, 4, 5), (6, 7)], 2, [], "league.division_too_small"),
        ([(1,), (2, 3)], 2, [], "league.division_too_small"),
        ([(1, 2), (3, 4)], -1, [], "league.division_too_small"),
        ([(1, 2), (2, 3)], 1, [], "draw.entry_twice"),
        ([(1, 2), (3, 4)], 1, [9], "league.not_in_it"),
    ],
)
def test_what_is_no_league_is_refused(divisions, moving, leaving, code):
    with pytest.raises(BadInput) as refused:
        next_season(divisions, moving, leaving)
    assert refused.value.code == code


@given(st.lists(st.integers(4, 9), min_size=1, max_size=5), st.integers(0, 2), st.sets(st.integers(0, 44)))
def test_nobody_is_lost_or_doubled_and_only_the_last_division_shrinks(sizes, moving, gone):
    numbers = iter(range(100))
    divisions = [tuple(next(numbers) for _ in range(size)) for size in sizes]
    everybody = {entry for division in divisions for entry in division}
    leaving = {entry for entry in gone if entry in everybody and entry % 4 == 0}
    season = next_season(divisions, moving, leaving)
    playing = [entry for division in season for entry in division]
    assert len(playing) == len(set(playing))
    assert set(playing) == everybody - leaving
    if not leaving:
        assert [len(division) for division in season] == sizes
    before = {entry: place for place, division in enumerate(divisions) for entry in division}
    for place, division in enumerate(season):
        assert all(abs(before[entry] - place) <= 1 for entry in division)  # nobody skips a division


def test_each_border_may_have_its_own_number():
    assert next_season(THREE, [2, 1]) == ((1, 2, 11, 12), (13, 3, 4, 21), (22, 23, 24, 14))


def test_a_place_shared_over_a_border_is_to_be_decided_and_others_are_not():
    top, below = [(1,), (2, 3), (4,)], [(11, 12), (13, 14)]
    assert ties_at_borders([top, below], 1) == ((11, 12),)
    assert ties_at_borders([top, below], 2) == ((2, 3),)
    assert ties_at_borders([top, below], 0) == ()


def test_whoever_leaves_can_settle_a_tie_or_make_one():
    top, below = [(1,), (2,), (3, 4)], [(11,), (12, 13), (14,)]
    assert ties_at_borders([top, below], 1) == ((3, 4),)
    # 4 leaves: does 3 go down, or does 4's leaving count as the one that does?
    assert (3, 4) in ties_at_borders([top, below], 1, leaving=[4])
    # 1 leaves: two come up, and the second of them is shared
    assert (12, 13) in ties_at_borders([top, below], 1, leaving=[1])


def test_the_decided_order_is_taken():
    assert break_ties([(1, 2, 3), (4,)], {3: 1, 1: 2, 2: 3}) == (3, 1, 2, 4)
