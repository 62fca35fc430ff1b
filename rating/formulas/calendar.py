"""Dates on which an official list that is published regularly is due. PURE."""

from collections.abc import Collection, Iterator
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice
from typing import Final

LAST_DAY_OF_MONTH: Final = 28  # so that every month has the day


class Frequency(StrEnum):
    """How often an official list is published automatically; ``NEVER``: only by hand."""

    NEVER = ""
    WEEK = "week"
    MONTH = "month"


def allowed_days(frequency: Frequency) -> range:
    """Return the days that can be chosen for a schedule.

    They are 1 (Monday) to 7 of a week, or 1 to 28 of a month; ``NEVER`` has none.
    """
    return {Frequency.WEEK: range(1, 8), Frequency.MONTH: range(1, LAST_DAY_OF_MONTH + 1)}.get(
        frequency, range(0)
    )


def due_days(
    frequency: Frequency,
    day: int,
    *,
    since: date,
    today: date,
    existing_days: Collection[date] = (),
    limit: int = 10,
) -> list[date]:
    """Return the dates from ``since`` to ``today`` on which a list is due, oldest first, at most ``limit``.

    ``day``: the day of the week (1 is Monday) or of the month. Dates in ``existing_days`` are left out.

    >>> due_days(Frequency.MONTH, 1, since=date(2026, 1, 15), today=date(2026, 3, 2), existing_days=[date(2026, 2, 1)])
    [datetime.date(2026, 3, 1)]
    """
    return list(
        islice(
            (
                due_day
                for due_day in _matching_days(frequency, day, since, today)
                if due_day not in existing_days
            ),
            limit,
        )
    )


def _matching_days(frequency: Frequency, day: int, since: date, today: date) -> Iterator[date]:
    if frequency is Frequency.NEVER:
        return
    current = since
    while current <= today:
        if (current.isoweekday() if frequency is Frequency.WEEK else current.day) == day:
            yield current
        current += timedelta(days=1)
