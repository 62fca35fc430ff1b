"""The word before the call: who is told, when, how often, and who is not."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import Tournament, an_event
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


def an_evening() -> Tournament:
    """Two matches and one table: the first is played, the second waits for it."""
    today = timezone.now().date()
    tournament = an_event(4, lengths=[5], tables=1, starts_on=today, ends_on=today).publish()
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    first = tournament.playable()[0]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=first.pk, action=MatchAction.START
    )
    return tournament


def begins_in(tournament: Tournament, minutes: float) -> Match:
    """The second match, which is expected to begin in so many minutes by a forecast of this moment."""
    update_forecast(event_id=tournament.event.pk)
    second = tournament.playable()[1]
    row = EventForecast.objects.get(event=tournament.event)
    row.matches["begins"][str(second.pk)] = [0, int(minutes * 60), int(minutes * 120)]
    row.save()
    return second


def plays_elsewhere(tournament: Tournament, entry: Entry) -> None:
    """A match of the same player runs in another event of the club."""
    other = an_event(2, club=tournament.club, director=tournament.director, lengths=[5]).publish()
    match = other.playable()[0]
    entered = other.entry_at(match, "a").entry_players.get()
    entered.player = entry.players.get()
    entered.save()
    move_match(actor=tournament.actor, event_id=other.event.pk, match_id=match.pk, action=MatchAction.START)


def page(entry: Entry, **headers: str):
    return Client().get(reverse("player:home", args=[entry_token(entry)]), headers=headers)


def test_word_is_given_once_to_both_sides_and_again_when_the_match_has_moved(clock):
    tournament = an_evening()
    second = begins_in(tournament, 16)
    assert send_up_next_notices(event_id=tournament.event.pk) == 0
    begins_in(tournament, 12)
    version = tournament.fresh().version
    assert events_to_notify(clock.at) == [tournament.event.pk]
    tasks.near_in(tournament.event.pk)
    both = {tournament.entry_at(second, side).pk for side in "ab"}
    assert set(CallWord.objects.values_list("entry", flat=True)) == both
    assert tournament.fresh().version == version  # a word is no change of the event
    clock.moves(minutes=2)
    assert send_up_next_notices(event_id=tournament.event.pk) == 0
    begins_in(tournament, 10 + MIN_SHIFT / MINUTE)  # put off, and not near any more
    assert send_up_next_notices(event_id=tournament.event.pk) == 2
    assert set(CallWord.objects.values_list("times", "begins_at")) == {
        (2, tournament.fresh().forecast.made_at + 20 * MINUTE)
    }
    Match.objects.filter(pk=second.pk).update(status="called")
    begins_in(tournament, 0)
    assert send_up_next_notices(event_id=tournament.event.pk) == 0


def test_nobody_is_told_who_plays_nor_by_an_old_forecast_nor_where_the_director_said_so(clock):
    tournament = an_evening()
    second = begins_in(tournament, 5)
    plays_elsewhere(tournament, tournament.entry_at(second, "a"))
    Event.objects.filter(pk=tournament.event.pk).update(word_minutes=0)
    assert events_to_notify(clock.at) == []
    assert send_up_next_notices(event_id=tournament.event.pk) == 0
    Event.objects.filter(pk=tournament.event.pk).update(word_minutes=5)
    assert send_up_next_notices(event_id=tournament.event.pk, now=clock.at + MAX_FORECAST_AGE + MINUTE) == 0
    assert send_up_next_notices(event_id=tournament.event.pk) == 1
    assert CallWord.objects.get().entry == tournament.entry_at(second, "b")
    # A word that was given a moment before is shown no longer, so nothing sounds.
    mine = tournament.entry_at(second, "a")
    CallWord.objects.create(match=second, entry=mine, at=clock.at, begins_at=clock.at)
    assert "At the next free table" not in text_of(page(mine))
    assert "At the next free table" in text_of(page(tournament.entry_at(second, "b")))


def test_before_play_begins_nobody_is_told_unless_it_was_said_when(clock):
    clock.shows(clock.at.replace(hour=18, minute=50, second=0, microsecond=0))
    today = clock.at.date()
    tournament = an_event(4, lengths=[5], starts_on=today, ends_on=today).publish()
    update_forecast(event_id=tournament.event.pk)
    assert send_up_next_notices(event_id=tournament.event.pk) == 0
    Event.objects.filter(pk=tournament.event.pk).update(opens_at=clock.at.replace(hour=19, minute=0).time())
    update_forecast(event_id=tournament.event.pk)
    assert send_up_next_notices(event_id=tournament.event.pk) == 4
    assert set(CallWord.objects.values_list("begins_at", flat=True)) == {clock.at + 10 * MINUTE}


def test_page_says_where_against_whom_and_when_and_an_open_one_hears_of_it(clock):
    tournament = an_evening()
    second = begins_in(tournament, 12)
    one, other = (tournament.entry_at(second, side) for side in "ab")
    before = page(one)
    assert "At the next free table" not in text_of(before)
    send_up_next_notices(event_id=tournament.event.pk)
    assert page(one, if_none_match=before["ETag"]).status_code == 200
    Match.objects.filter(pk=second.pk).update(table=4)
    begins = load_forecast(Event.objects.get(pk=tournament.event.pk)).begins[second.pk].median
    shown = page(one)
    assert f"Table 4, against {other.name}, to 5" in text_of(shown)
    assert f'datetime="{begins.isoformat(timespec="seconds")}"' in shown.content.decode()
    assert "I need 5 minutes" in text_of(shown)
    # The opponent of the match that runs is not known: it says so honestly.
    tournament.settle(second, "a")
    final = Match.objects.get(stage=tournament.stage, status="waiting")
    CallWord.objects.create(match=final, entry=one, at=clock.at, begins_at=begins)
    assert "At the next free table, against the winner of match" in text_of(page(one))
