"""The dates of a series in calendars: read back by the library, one UID whatever becomes of a day, and nothing that is not listed."""

from datetime import UTC, date, datetime, time

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.factories import an_event
from tests.support.director import signed_in
from tests.support.tournaments import opened
from tournaments.engine.statuses import EventAction
from tournaments.events.services.events import change_event_status
from tournaments.models import Event
from tournaments.series.services.series import create_series, set_event_series

pytestmark = pytest.mark.django_db
DAY = date(2027, 3, 5)


@pytest.fixture
def tournament():
    made = opened(an_event(2, starts_on=DAY, ends_on=DAY))
    series = create_series(actor=made.actor, club_id=made.club.pk, name="Friday, nights; 2")
    set_event_series(actor=made.actor, event_id=made.event.pk, series_id=series.pk)
    made.series = series
    return made


def ask(tournament, client=None, **headers):
    return (client or Client()).get(
        reverse("public:series-calendar", args=[tournament.series.public_id]), headers=headers
    )


def days(tournament, client=None):
    return Calendar.from_ical(ask(tournament, client).content).walk("VEVENT")


def test_dates_when_a_day_has_no_hour_then_a_whole_day_and_an_unchanged_file_is_a_304(tournament):
    answer = ask(tournament)
    assert answer["Content-Type"].startswith("text/calendar")
    (one,) = days(tournament)
    assert (one["DTSTART"].dt, one["DTEND"].dt) == (DAY, date(2027, 3, 6))
    assert (one["SUMMARY"], one["DESCRIPTION"]) == (
        tournament.event.name,
        f"Friday, nights; 2, {tournament.club.name}",
    )
    assert ask(tournament, **{"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("closes", "ends"), [(None, (5, 22)), (time(23, 30), (5, 22, 30)), (time(1), (6, 0))]
)
def test_dates_when_play_begins_at_an_hour_then_that_moment_and_the_same_day_is_the_same_meeting(
    tournament, closes, ends
):
    before = days(tournament)[0]
    Event.objects.update(opens_at=time(19), closes_at=closes, timezone="Europe/Berlin", version=900)
    (one,) = days(tournament)
    assert one["UID"] == before["UID"]
    assert int(one["SEQUENCE"]) > int(before["SEQUENCE"])
    assert one["DTSTART"].dt == datetime(2027, 3, 5, 18, tzinfo=UTC)
    assert one["DTEND"].dt == datetime(2027, 3, *ends, tzinfo=UTC)


def test_dates_when_a_day_is_called_off_or_not_listed_then_said_so_or_not_named(tournament):
    draft = an_event(2, club=tournament.club, director=tournament.director)
    set_event_series(actor=tournament.actor, event_id=draft.event.pk, series_id=tournament.series.pk)
    assert len(days(tournament)) == 1
    assert len(days(tournament, signed_in(tournament.director))) == 1  # everybody's file is the same
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    assert [one["STATUS"] for one in days(tournament)] == ["CANCELLED"]
    assert (
        reverse("public:series-calendar", args=[tournament.series.public_id])
        in Client().get(reverse("public:series", args=[tournament.series.public_id])).content.decode()
    )


def test_dates_of_no_series_or_of_one_that_nobody_may_know_of_are_not_there(tournament):
    hidden = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Plans")
    for one in (hidden.public_id, "nonesuch"):
        assert Client().get(reverse("public:series-calendar", args=[one])).status_code == 404
