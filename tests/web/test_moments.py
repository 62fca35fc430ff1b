"""Pages and reports at moments that a calendar makes difficult: the turn of the year, 29 February, both changes of the clocks.

Where the event is, it may be another day than in UTC.
"""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from rating.models import Change, RatingList
from rating.services import check_list, rebuild_list
from rating.services.apply import update_list_ratings
from rating.services.rebuild import begin_rebuild
from tests.factories import an_event
from tests.support.director import desk_of, words
from tests.support.lanes import the_few_or
from tests.support.tournaments import link_of, text_of
from tournaments.checks.soundness import integrity_faults
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.forecasts import update_forecast

pytestmark = pytest.mark.django_db

MOMENTS = [
    ("2026-12-31 23:59:59", "UTC"),
    ("2026-12-31 22:59:30", "Europe/Berlin"),
    ("2027-01-01 00:00:00", "America/Los_Angeles"),
    ("2027-01-31 12:00:00", "Pacific/Kiritimati"),
    ("2027-03-28 00:59:30", "Europe/Berlin"),
    ("2027-10-31 00:59:30", "Europe/Berlin"),
    ("2027-10-31 01:30:00", "Europe/Helsinki"),
    ("2028-02-28 23:59:30", "Europe/Helsinki"),
    ("2028-02-29 23:59:30", "UTC"),
]


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()


def tonight(at: datetime, zone: str):
    today = at.astimezone(ZoneInfo(zone)).date()
    return an_event(4, starts_on=today, ends_on=today, timezone=zone, tables=2, lengths=[5]).publish()


@pytest.mark.parametrize(("moment", "zone"), the_few_or(MOMENTS, MOMENTS[1::3]))
def test_evening_when_it_goes_over_a_turn_of_the_calendar_then_every_page_stands(clock, moment, zone):
    clock.shows(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    tournament = tonight(clock.at, zone)
    match, other = tournament.playable()
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    desk, event = desk_of(tournament), tournament.event.public_id
    phone = reverse("player:home", args=[link_of(tournament, match, "a")])
    public = [reverse(f"public:{page}", args=[event]) for page in ("event", "bracket", "entries", "hall")]
    public += [
        "/",
        reverse("public:match", args=[match.public_id]),
        phone,
        reverse("api:event", args=[event]),
    ]
    for minutes in (0, 60):
        clock.moves(minutes=minutes)
        update_forecast(event_id=tournament.event.pk)
        for path in public:
            page = Client().get(path)
            assert page.status_code == 200, path
            assert Client().get(path, headers={"If-None-Match": page["ETag"]}).status_code == 304, path
        for page in ("event", "board", "holdups", "entries", "draw", "links", "settings", "audit"):
            assert desk.get(page).status_code == 200, page
        assert "Expected to end about" in words(desk.get("board")) or "of play" in words(desk.get("board"))
    tournament.says(match, "a", 5, 3)
    tournament.says(match, "b", 5, 3)
    match.refresh_from_db()
    assert (match.status, match.played_at) == ("confirmed", clock.at)
    clock.moves(hours=1)
    tournament.settle(other, "b", 2)
    tournament.play_out()
    assert tournament.event.status == "finished"
    assert Client().get(phone).status_code == 200


def test_match_when_the_clocks_are_put_back_then_late_after_what_has_really_gone_by(clock):
    clock.shows(
        datetime(2027, 10, 31, 0, 50, tzinfo=UTC)
    )  # 2:50 in Berlin; ten minutes later it is 2:00 again
    tournament = tonight(clock.at, "Europe/Berlin")
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    desk = desk_of(tournament)
    for minutes, late in ((0, False), (1, False), (11, True)):
        clock.moves(minutes=minutes)
        cache.clear()
        page = desk.get("board").content.decode()
        assert 'datetime="2027-10-31T00:50:00+00:00"' in page
        assert ('class="num is-over"' in page) is late


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Auckland", date(2027, 1, 1)), ("America/New_York", date(2026, 12, 31))]
)
def test_new_event_when_the_club_is_far_away_then_its_own_day_is_filled_in(clock, zone, day):
    clock.shows(datetime(2026, 12, 31, 20, tzinfo=UTC))
    tournament = an_event(timezone=zone)
    page = desk_of(tournament).client.get(
        reverse("director:event-new", args=[tournament.club.public_id]), {"template": "knock_out"}
    )
    assert page.context["form"].initial["starts_on"] == day
    assert page.context["form"].initial["ends_on"] == day


@pytest.mark.parametrize(("days", "works"), [(30, True), (31, False)])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_personal_link_when_its_last_day_is_over_where_the_event_was_then_it_opens_nothing(
    clock, zone, days, works
):
    clock.shows(datetime(2028, 2, 29, 12, tzinfo=UTC))
    tournament = tonight(clock.at, zone)
    phone = reverse("player:home", args=[link_of(tournament, tournament.playable()[0], "a")])
    last = tournament.event.ends_on + timedelta(days=days)
    for hour, minute in ((0, 0), (23, 59)):
        clock.shows(datetime(last.year, last.month, last.day, hour, minute, tzinfo=ZoneInfo(zone)))
        page = Client().get(phone)
        assert (page.status_code == 200) is works
        assert tournament.event.name in text_of(page) or not works


NEGATIVE = re.compile(r"[-−–]\s?\d+(?::\d\d|\s?(?:min|h\b|hour|second|s ago))")


def test_evening_when_the_clock_is_set_back_then_no_time_is_negative_and_nothing_is_lost(clock):
    """By an hour, while some matches are called, some played and one result waits for its other player."""
    clock.shows(datetime(2027, 10, 31, 10, tzinfo=UTC))
    tournament = an_event(
        8, starts_on=clock.at.date(), ends_on=clock.at.date(), timezone="Europe/Berlin", tables=3, lengths=[5]
    ).publish()
    call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=True)
    first, second, third, fourth = tournament.playable()
    desk, event = desk_of(tournament), tournament.event.public_id
    clock.moves(minutes=30)
    tournament.says(first, "a", 5, 3)
    tournament.says(first, "b", 5, 3)
    tournament.says(second, "a", 5, 1)
    home = reverse("player:home", args=[link_of(tournament, second, "b")])
    for hours in (-1, -24):
        clock.moves(hours=hours)
        cache.clear()
        for page in (
            Client().get(path)
            for path in (home, "/", *(reverse(f"public:{name}", args=[event]) for name in ("event", "hall")))
        ):
            assert page.status_code == 200
            assert NEGATIVE.findall(text_of(page)) == []
        for name in ("event", "board", "holdups", "entries", "audit"):
            page = desk.get(name)
            assert page.status_code == 200, name
            assert NEGATIVE.findall(words(page)) == [], name
        tournament.says(second, "b", 5, 1) if hours == -1 else tournament.settle(third, "b", 2)
    tournament.settle(fourth, "a", 2)
    tournament.play_out()
    assert tournament.event.status == "finished"
    rating_list = RatingList.objects.get(club=tournament.club, is_main=True)
    update_list_ratings(rating_list.pk)
    rating_list.refresh_from_db()
    assert Change.objects.of(rating_list.generation).count() == 2 * 7
    assert (check_list(list_id=rating_list.pk), integrity_faults(tournament.fresh())) == ([], [])


def test_rebuild_when_its_worker_died_before_the_clock_was_set_back_then_another_begins(clock):
    tournament = an_event(2, lengths=[3]).publish().play_out()
    rating_list = RatingList.objects.get(club=tournament.club, is_main=True)
    assert begin_rebuild(list_id=rating_list.pk, started_by="Dora") is not None
    assert begin_rebuild(list_id=rating_list.pk) is None, "it may still be at work"
    clock.moves(hours=-1)
    assert rebuild_list(list_id=rating_list.pk) is not None
    assert check_list(list_id=rating_list.pk) == []
