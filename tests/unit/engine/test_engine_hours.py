"""When matches begin in a hall, as spans in which none does."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from tournaments.engine.hall.forecast import ClosedPeriod
from tournaments.engine.hall.hours import OpeningHours

DAY = date(2026, 11, 21)
HOUR = 3600
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def shut(hours, now=NOON, zone=UTC, first=DAY, last=DAY):
    return hours.closed(first, last, now, zone)[:2]


def test_hours_when_nobody_said_any_then_nothing_is_closed():
    assert shut(OpeningHours()) == []
    assert OpeningHours().first_opening(DAY, UTC) is None


def test_hours_when_the_hall_opens_later_then_closed_until_then_and_open_for_good():
    (span,) = shut(OpeningHours(opens=time(19)))
    assert (span.since < 0, span.until) == (True, 7 * HOUR)
    assert shut(OpeningHours(opens=time(9))) == []


def test_hours_when_it_closes_then_until_the_next_morning_also_past_midnight():
    assert shut(OpeningHours(opens=time(10), closes=time(22)))[0] == ClosedPeriod(10 * HOUR, 22 * HOUR)
    assert shut(OpeningHours(closes=time(22)))[0] == ClosedPeriod(
        10 * HOUR, 22 * HOUR
    )  # ten in the morning, where nobody said
    late = shut(OpeningHours(opens=time(19), closes=time(1)), now=NOON.replace(hour=20))
    assert late[0] == ClosedPeriod(5 * HOUR, 23 * HOUR)


def test_hours_when_there_is_a_break_then_once_a_day_and_what_meets_is_one_span():
    hours = OpeningHours(break_from=time(13), break_until=time(14))
    assert shut(hours) == [ClosedPeriod(HOUR, 2 * HOUR), ClosedPeriod(25 * HOUR, 26 * HOUR)]
    both = OpeningHours(opens=time(10), closes=time(13), break_from=time(12, 30), break_until=time(14))
    assert shut(both)[0] == ClosedPeriod(HOUR // 2, 22 * HOUR)


def test_hours_when_clocks_change_in_the_night_then_an_hour_less():
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2027, 3, 27, 12, tzinfo=berlin)
    spans = shut(
        OpeningHours(opens=time(10), closes=time(22)), now, berlin, date(2027, 3, 27), date(2027, 3, 28)
    )
    assert spans[0] == ClosedPeriod(10 * HOUR, 21 * HOUR)


@pytest.mark.parametrize(
    ("hours", "odd"),
    [
        (OpeningHours(), False),
        (OpeningHours(time(19), time(1)), False),
        (OpeningHours(time(10), time(10)), True),
        (OpeningHours(break_from=time(12)), True),
        (OpeningHours(break_from=time(13), break_until=time(12)), True),
        (OpeningHours(break_from=time(12), break_until=time(13)), False),
    ],
)
def test_hours_when_nothing_could_begin_or_half_a_break_is_missing_then_odd(hours, odd):
    assert hours.are_invalid is odd
