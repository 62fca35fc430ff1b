"""The expected end in words: a time of day for tonight, hours of play for what takes longer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tournaments.models import Event
from tournaments.selectors.hall.forecast import EventForecast
from tournaments.shared.fragments.since import about, end_words, since_shape


def ending(hours: float) -> EventForecast:
    return EventForecast(ends=timezone.now() + timedelta(hours=hours), seconds_a_point=480, learned_from=0)


@pytest.mark.parametrize("zone", ["Europe/Helsinki", "America/New_York", "UTC"])
def test_end_when_within_the_hour_then_a_time_of_day_where_the_event_is(zone):
    event = Event(timezone=zone)
    said = end_words(ending(0.2), event)
    # Near six in the morning "tonight" is over.
    assert said.startswith("Expected to end about ") or "of play" in said
    assert end_words(None, event) == ""


def test_end_when_it_takes_days_then_hours_of_play():
    assert end_words(ending(40), Event(timezone="UTC")) == "About 40 hours of play are left"


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "5 minutes"), (52, "50 minutes"), (95, "2 hours"), (200, "3 hours"), (900, "15 hours")],
)
def test_end_when_nothing_has_begun_then_how_long_it_takes_and_no_time_of_day(minutes, words):
    found = EventForecast(timezone.now(), 480, 0, ahead=timedelta(minutes=minutes))
    assert end_words(found, Event(timezone="UTC")) == f"About {words} of play once it begins"


def test_moment_when_too_long_ago_then_late_and_only_then_words():
    event = Event(timezone="Asia/Tokyo")
    now = timezone.now()
    early = since_shape(now, event, "Called", over=now + timedelta(minutes=5), words="Late")
    late = since_shape(
        now - timedelta(minutes=9), event, "Called", over=now - timedelta(minutes=4), words="Late"
    )
    plain = since_shape(now, event, "Playing", words="Long")
    assert early is not None
    assert late is not None
    assert plain is not None
    assert (early["late"], late["late"], plain["late"]) == (False, True, False)
    assert (early["words"], plain["words"]) == ("Late", "")
    assert since_shape(None, event, "Called") is None
    assert about(now, event).startswith("about ")
