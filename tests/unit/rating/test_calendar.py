"""On which days official lists are due."""

from datetime import date

import pytest

from rating.formulas.calendar import Frequency, allowed_days, due_days


@pytest.mark.parametrize(
    ("every", "day", "due"),
    [
        (Frequency.NEVER, 1, []),
        (Frequency.WEEK, 7, [date(2026, 2, 22), date(2026, 3, 1)]),
        (Frequency.MONTH, 28, [date(2026, 2, 28)]),
        (Frequency.MONTH, 19, [date(2026, 2, 19)]),
        (Frequency.MONTH, 2, [date(2026, 3, 2)]),
    ],
)
def test_days_from_the_first_to_today_are_due_both_included(every, day, due):
    assert due_days(every, day, since=date(2026, 2, 19), today=date(2026, 3, 2)) == due


def test_day_that_was_made_is_due_no_more_and_of_many_the_oldest_come_first():
    since, today = date(2026, 1, 1), date(2026, 12, 31)
    first = due_days(Frequency.WEEK, 1, since=since, today=today, limit=2)
    assert first == [date(2026, 1, 5), date(2026, 1, 12)]
    assert due_days(Frequency.WEEK, 1, since=since, today=today, existing_days=first, limit=1) == [
        date(2026, 1, 19)
    ]


def test_every_month_has_the_last_day_that_can_be_chosen():
    assert allowed_days(Frequency.MONTH)[-1] == 28
    assert (
        len(due_days(Frequency.MONTH, 28, since=date(2026, 1, 1), today=date(2026, 12, 31), limit=99)) == 12
    )
