"""The word before the call: who is told, when, how often, and who is not."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import Night, an_event
from tests.support.tournaments import text_of
from tournaments import tasks
from tournaments.engine.hall.near import MAX_FORECAST_AGE, MIN_SHIFT
from tournaments.engine.statuses import MatchAction
from tournaments.hall.services.calling import call_next, move_match
from tournaments.hall.services.forecasts import update_forecast
from tournaments.hall.services.near import send_up_next_notices
from tournaments.models import CallWord, Entry, Event, EventForecast, Match
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.hall.forecast import load_forecast
from tournaments.selectors.hall.near import events_to_notify

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def an_evening() -> Night:
    """Two matches and one table: the first is played, the second waits for it."""
    today = timezone.now().date()
    night = an_event(4, lengths=[5], tables=1, starts_on=today, ends_on=today).publish()
    call_next(actor=night.actor, event_id=night.event.pk)
    first = night.playable()[0]
    move_match(actor=night.actor, event_id=night.event.pk, match_id=first.pk, action=MatchAction.START)
    return night


def begins_in(night: Night, minutes: float) -> Match:
    """The second match, which is expected to begin in so many minutes by a forecast of this moment."""
    update_forecast(event_id=night.event.pk)
    second = night.playable()[1]
    row = EventForecast.objects.get(event=night.event)
    row.matches["begins"][str(second.pk)] = [0, int(minutes * 60), int(minutes * 120)]
    row.save()
    return second


def plays_elsewhere(night: Night, entry: Entry) -> None:
    """A match of the same player runs in another event of the club."""
    other = an_event(2, club=night.club, director=night.director, lengths=[5]).publish()
    match = other.playable()[0]
    entered = other.entry_at(match, "a").entry_players.get()
    entered.player = entry.players.get()
    entered.save()
    move_match(actor=night.actor, event_id=other.event.pk, match_id=match.pk, action=MatchAction.START)


def page(entry: Entry, **headers: str):
    return Client().get(reverse("player:home", args=[entry_token(entry)]), headers=headers)


def test_word_is_given_once_to_both_sides_and_again_when_the_match_has_moved(clock):
    night = an_evening()
    second = begins_in(night, 16)
    assert send_up_next_notices(event_id=night.event.pk) == 0
    begins_in(night, 12)
    version = night.fresh().version
    assert events_to_notify(clock.at) == [night.event.pk]
    tasks.near_in(night.event.pk)
    both = {night.entry_at(second, side).pk for side in "ab"}
    assert set(CallWord.objects.values_list("entry", flat=True)) == both
    assert night.fresh().version == version  # a word is no change of the event
    clock.moves(minutes=2)
    assert send_up_next_notices(event_id=night.event.pk) == 0
    begins_in(night, 10 + MIN_SHIFT / MINUTE)  # put off, and not near any more
    assert send_up_next_notices(event_id=night.event.pk) == 2
    assert set(CallWord.objects.values_list("times", "begins_at")) == {
        (2, night.fresh().forecast.made_at + 20 * MINUTE)
    }
    Match.objects.filter(pk=second.pk).update(status="called")
    begins_in(night, 0)
    assert send_up_next_notices(event_id=night.event.pk) == 0


def test_nobody_is_told_who_plays_nor_by_an_old_forecast_nor_where_the_director_said_so(clock):
    night = an_evening()
    second = begins_in(night, 5)
    plays_elsewhere(night, night.entry_at(second, "a"))
    Event.objects.filter(pk=night.event.pk).update(word_minutes=0)
    assert events_to_notify(clock.at) == []
    assert send_up_next_notices(event_id=night.event.pk) == 0
    Event.objects.filter(pk=night.event.pk).update(word_minutes=5)
    assert send_up_next_notices(event_id=night.event.pk, now=clock.at + MAX_FORECAST_AGE + MINUTE) == 0
    assert send_up_next_notices(event_id=night.event.pk) == 1
    assert CallWord.objects.get().entry == night.entry_at(second, "b")
    # A word that was given a moment before is shown no longer, so nothing sounds.
    mine = night.entry_at(second, "a")
    CallWord.objects.create(match=second, entry=mine, at=clock.at, begins_at=clock.at)
    assert "At the next free table" not in text_of(page(mine))
    assert "At the next free table" in text_of(page(night.entry_at(second, "b")))


def test_before_play_begins_nobody_is_told_unless_it_was_said_when(clock):
    clock.shows(clock.at.replace(hour=18, minute=50, second=0, microsecond=0))
    today = clock.at.date()
    night = an_event(4, lengths=[5], starts_on=today, ends_on=today).publish()
    update_forecast(event_id=night.event.pk)
    assert send_up_next_notices(event_id=night.event.pk) == 0
    Event.objects.filter(pk=night.event.pk).update(opens_at=clock.at.replace(hour=19, minute=0).time())
    update_forecast(event_id=night.event.pk)
    assert send_up_next_notices(event_id=night.event.pk) == 4
    assert set(CallWord.objects.values_list("begins_at", flat=True)) == {clock.at + 10 * MINUTE}


def test_page_says_where_against_whom_and_when_and_an_open_one_hears_of_it(clock):
    night = an_evening()
    second = begins_in(night, 12)
    one, other = (night.entry_at(second, side) for side in "ab")
    before = page(one)
    assert "At the next free table" not in text_of(before)
    send_up_next_notices(event_id=night.event.pk)
    assert page(one, if_none_match=before["ETag"]).status_code == 200
    Match.objects.filter(pk=second.pk).update(table=4)
    begins = load_forecast(Event.objects.get(pk=night.event.pk)).begins[second.pk].median
    shown = page(one)
    assert f"Table 4, against {other.name}, to 5" in text_of(shown)
    assert f'datetime="{begins.isoformat(timespec="seconds")}"' in shown.content.decode()
    assert "I need 5 minutes" in text_of(shown)
    # The opponent of the match that runs is not known: it says so honestly.
    night.settle(second, "a")
    final = Match.objects.get(stage=night.stage, status="waiting")
    CallWord.objects.create(match=final, entry=one, at=clock.at, begins_at=begins)
    assert "At the next free table, against the winner of match" in text_of(page(one))
