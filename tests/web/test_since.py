"""The expected end in words: a time of day for tonight, hours of play for what takes longer."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tournaments.models import Event
from tournaments.selectors.hall.forecast import DurationRange, Forecast, TimeRange, round_down, round_up
from tournaments.shared.fragments.since import (
    approximate_time_label,
    elapsed_time_context,
    expected_end_message,
)


def ending(hours: float, ahead: DurationRange | None = None) -> Forecast:
    now = timezone.now()
    times = TimeRange(*(now + timedelta(hours=hours * share) for share in (0.9, 1, 1.25)))
    return Forecast(now, times, (times.first, times.last), 480, 0, total_duration=ahead)


@pytest.mark.parametrize("zone", ["Europe/Helsinki", "America/New_York", "UTC"])
def test_end_when_within_the_hour_then_a_time_of_day_where_the_event_is(zone):
    event = Event(timezone=zone)
    said = expected_end_message(ending(0.2), event)
    # Near six in the morning "tonight" is over.
    assert said.startswith("Expected to end about ") or " left" in said
    assert expected_end_message(None, event) == ""


def test_end_when_it_takes_days_then_hours_of_play():
    said = expected_end_message(ending(40), Event(timezone="UTC"))
    assert said.startswith("About 40 hours of play left (36:00–50:00 h), as of ")


def test_end_when_it_is_early_in_the_morning_then_the_next_night_is_not_tonight(clock):
    clock.shows(datetime(2027, 3, 2, 1, 35, tzinfo=UTC))
    assert expected_end_message(ending(23), Event(timezone="UTC")).startswith("About 23 hours of play left")
    clock.moves(hours=20)
    assert expected_end_message(ending(3), Event(timezone="UTC")).startswith("Expected to end about 00:35 (")


@pytest.mark.parametrize(
    ("minutes", "words", "span"),
    [
        (0, "5 minutes", ""),
        (52, "50 minutes", " (0:40–1:20 h)"),
        (95, "2 hours", " (1:20–2:20 h)"),
        (200, "3 hours", " (2:40–5:00 h)"),
        (900, "15 hours", " (12:00–22:30 h)"),
    ],
)
def test_end_when_nothing_has_begun_then_how_long_it_takes_and_no_time_of_day(minutes, words, span):
    found = ending(1, DurationRange(*(timedelta(minutes=minutes * share) for share in (0.8, 1, 1.5))))
    assert expected_end_message(found, Event(timezone="UTC")) == f"About {words} from start to finish{span}"


def test_moment_when_too_long_ago_then_late_and_only_then_words():
    event = Event(timezone="Asia/Tokyo")
    now = timezone.now()
    early = elapsed_time_context(
        now, event, "Called", overdue_at=now + timedelta(minutes=5), overdue_label="Late"
    )
    late = elapsed_time_context(
        now - timedelta(minutes=9),
        event,
        "Called",
        overdue_at=now - timedelta(minutes=4),
        overdue_label="Late",
    )
    plain = elapsed_time_context(now, event, "Playing", overdue_label="Long")
    assert early is not None
    assert late is not None
    assert plain is not None
    assert (early["late"], late["late"], plain["late"]) == (False, True, False)
    assert (early["words"], plain["words"]) == ("Late", "")
    assert elapsed_time_context(None, event, "Called") is None


def test_time_when_shown_then_with_its_band_rounded_to_five_minutes_outwards():
    event = Event(timezone="Europe/Berlin")
    at = datetime(2026, 11, 21, 20, 36, 1, tzinfo=UTC)
    early, late = at - timedelta(minutes=24), at + timedelta(minutes=51)
    assert approximate_time_label(TimeRange(early, at, late), event) == "about 21:40 (21:10–22:30)"
    assert approximate_time_label(TimeRange(*[round_up(at)] * 3), event) == "about 21:40"
    assert round_up(at) == round_up(round_up(at)) == round_down(at) + timedelta(minutes=5)
