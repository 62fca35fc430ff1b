"""Agreed times in calendars: read back by the library, one UID whatever becomes of a time, and a number that rises with each change."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.support.arranged import Two, a_league_of_two
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.links import renew_entry_link
from tournaments.events.services.events import change_event_status
from tournaments.selectors.access.links import calendar_token, entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(clock) -> Two:
    return Two(a_league_of_two(clock))


def feed(two: Two, side: str = "a"):
    return Client().get(reverse("player:calendar", args=[calendar_token(two.entry(side))]))


def meetings(two: Two, side: str = "a") -> list:
    response = feed(two, side)
    assert response["Content-Type"].startswith("text/calendar")
    assert "no-store" in response["Cache-Control"]
    return Calendar.from_ical(response.content).walk("VEVENT")


def test_feed_when_agreed_changed_and_called_off_then_one_meeting_whose_number_rises(two):
    assert meetings(two) == []
    two.offers("a", "2027-03-05T20:00", place="Café, Central; 2")
    assert meetings(two) == []
    numbers, uids = [], set()
    for step, status in (
        (lambda: two.agrees("b"), "CONFIRMED"),
        (lambda: two.agreed("2027-03-06T19:00"), "CONFIRMED"),
        (lambda: two.calls_off("b"), "CANCELLED"),
        (lambda: two.agreed("2027-03-07T19:00"), "CONFIRMED"),
    ):
        step()
        (one,) = meetings(two)
        assert one["STATUS"] == status
        numbers.append(int(one["SEQUENCE"]))
        uids.add(str(one["UID"]))
    assert numbers == sorted(set(numbers))
    assert len(uids) == 1
    assert one["DTSTART"].dt == datetime(2027, 3, 7, 18, tzinfo=UTC)
    assert one["DTEND"].dt - one["DTSTART"].dt == timedelta(minutes=40)
    assert two.entry("b").name in one["SUMMARY"]


def test_feed_when_played_before_then_cancelled_and_text_is_kept_as_typed(two):
    two.agreed("2027-03-05T20:00", place="Café, Central; 2\\")
    (one,) = meetings(two)
    assert one["LOCATION"] == "Café, Central; 2\\"
    before = int(one["SEQUENCE"])
    two.tournament.settle(two.match, "a", 3)
    (one,) = meetings(two)
    assert (one["STATUS"], int(one["SEQUENCE"]) > before) == ("CANCELLED", True)


def test_feed_when_played_as_agreed_then_it_stands(two, clock):
    two.agreed("2027-03-05T20:00")
    clock.shows(datetime(2027, 3, 5, 20, tzinfo=UTC))
    two.tournament.settle(two.match, "a", 3)
    assert meetings(two)[0]["STATUS"] == "CONFIRMED"


def test_feed_when_the_event_is_called_off_then_cancelled(two):
    two.agreed()
    change_event_status(
        actor=two.tournament.actor, event_id=two.tournament.event.pk, action=EventAction.CANCEL
    )
    assert meetings(two)[0]["STATUS"] == "CANCELLED"


def test_feed_when_the_link_is_renewed_then_gone_and_it_never_was_a_personal_link(two):
    two.agreed()
    token = calendar_token(two.entry("a"))
    assert Client().get(reverse("player:home", args=[token])).status_code == 404
    assert entry_token(two.entry("a")) not in feed(two).content.decode()
    renew_entry_link(actor=two.tournament.actor, event_id=two.tournament.event.pk, entry_id=two.entry("a").pk)
    assert Client().get(reverse("player:calendar", args=[token])).status_code == 404
    assert len(meetings(two)) == 1


def test_file_of_a_match_is_for_its_sides_and_long_lines_are_folded(two):
    address = reverse("player:match-ics", args=[entry_token(two.entry("b")), two.match.public_id])
    assert Client().get(address).status_code == 404
    two.agreed(place="x" * 120)
    response = Client().get(address)
    (one,) = Calendar.from_ical(response.content).walk("VEVENT")
    assert one["LOCATION"] == "x" * 120
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    assert "match-" in response["Content-Disposition"]
