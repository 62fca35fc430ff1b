"""Days on which something comes again, and what places of several evenings are worth."""

from datetime import date, time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.series.days import (
    MAX_DATES,
    Recurrence,
    is_existing_time,
    next_same_weekday,
    recurring_dates,
)
from tournaments.engine.series.points import (
    EventPlace,
    PointsRule,
    PointsScale,
    SharedPlacePoints,
    check_rule,
    points_for_finish,
    points_table,
)

TUESDAY = date(2026, 11, 10)  # the second one of its month
DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def test_days_when_every_two_weeks_then_both_ends_are_possible():
    found = recurring_dates(TUESDAY, Recurrence.FORTNIGHTLY, date(2026, 12, 8))
    assert found == (TUESDAY, date(2026, 11, 24), date(2026, 12, 8))


def test_days_when_the_fifth_tuesday_then_months_without_one_are_left_out():
    found = recurring_dates(date(2026, 12, 29), Recurrence.MONTHLY, date(2027, 9, 1))
    assert found == (date(2026, 12, 29), date(2027, 3, 30), date(2027, 6, 29), date(2027, 8, 31))


def test_days_when_the_last_of_each_month_then_the_first_day_need_not_be_one():
    found = recurring_dates(TUESDAY, Recurrence.MONTHLY_LAST, date(2027, 1, 31))
    assert found == (date(2026, 11, 24), date(2026, 12, 29), date(2027, 1, 26))


@given(
    DAYS,
    st.sampled_from(Recurrence),
    st.timedeltas(min_value=date.resolution * 0, max_value=date.resolution * 900),
)
def test_days_when_there_are_any_then_of_one_weekday_in_order_inside_and_not_without_end(first, rhythm, span):
    found = recurring_dates(first, rhythm, first + span)
    assert {day.weekday() for day in found} <= {first.weekday()}
    assert list(found) == sorted(set(found))
    assert all(first <= day <= first + span for day in found)
    assert len(found) <= MAX_DATES + 1


@given(DAYS, DAYS, st.sets(DAYS, max_size=3))
def test_same_weekday_when_asked_then_later_not_over_and_free(after, today, taken):
    found = next_same_weekday(after, today, taken)
    assert found > after
    assert found >= today
    assert found.weekday() == after.weekday()
    assert found not in taken


def test_hour_when_clocks_are_put_forward_then_not_there_and_put_back_there():
    assert not is_existing_time(date(2027, 3, 28), time(2, 30), "Europe/Berlin")
    assert is_existing_time(date(2027, 10, 31), time(2, 30), "Europe/Berlin")
    assert is_existing_time(date(2027, 3, 28), time(3, 0), "Europe/Berlin")


@pytest.mark.parametrize(
    ("rule", "finish", "points"),
    [
        (PointsRule((10, 8, 6)), EventPlace(1), Fraction(10)),
        (PointsRule((10, 8, 6), rest=1), EventPlace(4), Fraction(1)),
        (PointsRule((10, 8, 6)), EventPlace(3, 2), Fraction(3)),
        (PointsRule((10, 8, 6), rest=1, ties=SharedPlacePoints.BETTER), EventPlace(3, 2), Fraction(6)),
        (PointsRule(scale=PointsScale.HEADS), EventPlace(1), Fraction(8)),
        (PointsRule(scale=PointsScale.HEADS), EventPlace(5, 4), Fraction(5, 2)),
    ],
)
def test_worth_when_a_place_is_shared_or_not_then_as_the_rule_says(rule, finish, points):
    assert points_for_finish(rule, finish, participants=8) == points


def test_table_when_the_best_two_count_then_others_stand_beside_and_equal_points_share_the_rank():
    evenings = [
        {1: EventPlace(1), 2: EventPlace(2), 3: EventPlace(3)},
        {1: EventPlace(3), 2: EventPlace(2), 4: EventPlace(1)},
        {1: EventPlace(2), 2: EventPlace(1), 3: EventPlace(3)},
    ]
    rows = points_table(evenings, PointsRule((10, 8, 6), best=2), excluded={3})
    assert [(row.rank, row.who, row.total) for row in rows] == [(1, 1, 18), (1, 2, 18), (3, 4, 10)]
    assert [(one.event_index, one.points, one.counts) for one in rows[0].earned] == [
        (0, 10, True),
        (1, 6, False),
        (2, 8, True),
    ]
    assert [one.counts for one in rows[1].earned] == [True, False, True]  # of the two eights the earlier one


FINISHES = st.lists(
    st.dictionaries(
        st.integers(1, 6), st.builds(EventPlace, st.integers(1, 6), st.integers(1, 3)), max_size=6
    ),
    max_size=5,
)


@given(FINISHES, st.integers(0, 3))
def test_table_when_fewer_evenings_count_then_nobody_has_more(evenings, best):
    all_of = {row.who: row.total for row in points_table(evenings, PointsRule(rest=1))}
    some = {row.who: row.total for row in points_table(evenings, PointsRule(rest=1, best=best))}
    assert some.keys() == all_of.keys()
    assert all(some[who] <= all_of[who] for who in some)


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        (PointsRule(()), ["series.points_none"]),
        (PointsRule((), scale=PointsScale.HEADS), []),
        (PointsRule((1, 2)), ["series.points_rise"]),
        (PointsRule((5,), rest=6), ["series.points_rise"]),
        (PointsRule((1001,), rest=-1), ["series.points_odd", "series.points_odd"]),
        (PointsRule(best=401, division="d" * 81), ["series.best_odd", "series.division_long"]),
    ],
)
def test_rule_when_something_is_wrong_with_it_then_told_at_its_field(rule, codes):
    assert [fault.code for fault in check_rule(rule)] == codes
