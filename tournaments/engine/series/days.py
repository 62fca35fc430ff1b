"""Days on which something comes again, and times of day that a day may not have."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday

WEEK: Final = timedelta(days=7)
MAX_DATES: Final = 60  # at once: a year of weeks, and some


class Recurrence(StrEnum):
    """How something comes again, always on the weekday of its first day."""

    WEEKLY = "weekly"
    FORTNIGHTLY = "fortnightly"
    MONTHLY = (
        "monthly"  # on the second Tuesday of each month, where the first day is one; no fifth one, no evening
    )
    MONTHLY_LAST = "last"  # on the last one of each month


def recurring_dates(first: date, rhythm: Recurrence, until: date) -> tuple[date, ...]:
    """The days from ``first`` to ``until``, both possible; not more than one too many to make at once.

    >>> [day.day for day in recurring_dates(date(2026, 11, 10), Recurrence.MONTHLY, date(2027, 1, 31))]
    [10, 8, 12]
    """
    begin = datetime.combine(first, time())
    end = datetime.combine(until, time())
    if rhythm in {Recurrence.WEEKLY, Recurrence.FORTNIGHTLY}:
        found = rrule(WEEKLY, begin, interval=1 if rhythm is Recurrence.WEEKLY else 2, until=end)
    else:
        number = -1 if rhythm is Recurrence.MONTHLY_LAST else (first.day - 1) // 7 + 1
        found = rrule(MONTHLY, begin, byweekday=weekday(first.weekday(), number), until=end)
    return tuple(day.date() for day in found.xafter(begin, count=MAX_DATES + 1, inc=True))


def next_same_weekday(after: date, today: date, taken: Collection[date] = ()) -> date:
    """The first day of the weekday of ``after`` that comes later than it, is not over and not ``taken``.

    >>> next_same_weekday(date(2026, 11, 17), date(2026, 11, 23), {date(2026, 11, 24)})
    datetime.date(2026, 12, 1)
    """
    day = after + WEEK
    if day < today:
        day += WEEK * (-((day - today).days // 7))
    while day in taken:
        day += WEEK
    return day


def is_existing_time(day: date, clock: time, zone: str) -> bool:
    """Whether clocks in ``zone`` (IANA) show this time on this day: where they are put forward an hour is left out.

    >>> is_existing_time(date(2027, 3, 28), time(2, 30), "Europe/Berlin")
    False
    """
    local = datetime.combine(day, clock)
    there = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone))
    return there.replace(tzinfo=None) == local


def shift_days(moment: datetime, days: int, zone: str) -> datetime | None:
    """``moment`` so many days later at the same time of day in ``zone``; None where that day has no such time."""
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + timedelta(days=days)
    there = is_existing_time(local.date(), local.time(), zone)
    return local.replace(tzinfo=ZoneInfo(zone)) if there else None
