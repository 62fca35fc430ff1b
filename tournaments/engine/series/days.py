"""Dates on which events recur, and local times that do not exist on a date."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday

WEEK: Final = timedelta(days=7)
MAX_DATES: Final = 60  # at once: a little more than a year of weeks


class Recurrence(StrEnum):
    """How often an event recurs, always on the weekday of its first date."""

    WEEKLY = "weekly"
    FORTNIGHTLY = "fortnightly"
    MONTHLY = (
        "monthly"  # by week of the month, such as the second Tuesday; a fifth only in months that have one
    )
    MONTHLY_LAST = "last"  # on the last such weekday of each month


def recurring_dates(first: date, recurrence: Recurrence, until: date) -> tuple[date, ...]:
    """Return the dates from ``first`` to ``until``, both included, on which an event recurs.

    At most `MAX_DATES` + 1 dates are returned, so that the caller notices too many.

    >>> [day.day for day in recurring_dates(date(2026, 11, 10), Recurrence.MONTHLY, date(2027, 1, 31))]
    [10, 8, 12]
    """
    begin = datetime.combine(first, time())
    end = datetime.combine(until, time())
    if recurrence in {Recurrence.WEEKLY, Recurrence.FORTNIGHTLY}:
        rule = rrule(WEEKLY, begin, interval=1 if recurrence is Recurrence.WEEKLY else 2, until=end)
    else:
        number = -1 if recurrence is Recurrence.MONTHLY_LAST else (first.day - 1) // 7 + 1
        rule = rrule(MONTHLY, begin, byweekday=weekday(first.weekday(), number), until=end)
    return tuple(day.date() for day in rule.xafter(begin, count=MAX_DATES + 1, inc=True))


def next_same_weekday(after: date, today: date, taken: Collection[date] = ()) -> date:
    """Return the first later date on the same weekday as ``after`` that is not past and not in ``taken``.

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
    """Return whether clocks in ``zone`` (an IANA name) show this local time on this date.

    Clocks that go forward skip an hour.

    >>> is_existing_time(date(2027, 3, 28), time(2, 30), "Europe/Berlin")
    False
    """
    local = datetime.combine(day, clock)
    round_trip = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone))
    return round_trip.replace(tzinfo=None) == local


def shift_days(moment: datetime, days: int, zone: str) -> datetime | None:
    """Return the moment so many days after ``moment`` at the same local time in ``zone``.

    None if clocks skip that time on the new date.
    """
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + timedelta(days=days)
    exists = is_existing_time(local.date(), local.time(), zone)
    return local.replace(tzinfo=ZoneInfo(zone)) if exists else None
