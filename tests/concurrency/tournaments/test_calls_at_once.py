"""Two directors press “call next” at once, on PostgreSQL: no table and no player is ever called twice."""

import pytest

from faults import Conflict
from tests.factories import an_event
from tests.support.races import race
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.hall.services.calling import call_next
from tournaments.models import EntryPlayer, Match, MatchSlot

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'
# Who is busy is asked last, before anybody is called.
BUSY_READ = '"people_player"."name"'


def call(tournament):
    return call_next(actor=tournament.actor, event_id=tournament.event.pk)


def two_of_one_event(*, locks, meet_after=BUSY_READ):
    tournament = an_event(entries=8, lengths=[5], tables=4).publish()
    return tournament, race(
        lambda: call(tournament), lambda: call(tournament), meet_after=meet_after, locks=locks
    )


def two_events_with_one_player(*, locks):
    first = an_event(entries=2, lengths=[5])
    second = an_event(club=first.club, director=first.director, lengths=[5])
    shared = EntryPlayer.objects.get(entry=first.entry("Ann")).player_id
    add_entries(
        actor=second.actor,
        event_id=second.event.pk,
        division_id=second.division.pk,
        entries=[NewEntry(player_id=shared), NewEntry(name="Zoe")],
    )
    first.publish()
    second.publish()
    return race(lambda: call(first), lambda: call(second), meet_after=BUSY_READ, locks=locks)


def test_call_next_when_there_is_no_lock_then_one_match_is_called_twice():
    _tournament, outcomes = two_of_one_event(locks=False)
    called = [match.pk for outcome in outcomes if outcome.error is None for match in outcome.value]
    assert len(called) == 2
    assert len(set(called)) == 1


@pytest.mark.parametrize("meet_after", [EVENT_READ, BUSY_READ])
def test_call_next_when_pressed_by_two_at_once_then_two_matches_two_tables(meet_after):
    tournament, outcomes = two_of_one_event(locks=True, meet_after=meet_after)
    assert [outcome.error for outcome in outcomes] == [None, None]
    called = [match for outcome in outcomes for match in outcome.value]
    assert len({match.pk for match in called}) == 2
    assert len({match.table for match in called}) == 2
    assert Match.objects.filter(stage=tournament.stage, status="called").count() == 2
    players = MatchSlot.objects.filter(match__in=called).values_list("entry__players", flat=True)
    assert len(players) == len(set(players)) == 4


def test_call_next_in_two_events_when_there_is_no_lock_then_a_player_is_called_to_both():
    outcomes = two_events_with_one_player(locks=False)
    assert [outcome.error for outcome in outcomes] == [None, None]


def test_call_next_in_two_events_when_at_once_then_their_shared_player_is_called_once():
    outcomes = two_events_with_one_player(locks=True)
    refused = [outcome.error for outcome in outcomes if outcome.error is not None]
    assert [type(error) for error in refused] == [Conflict]
    assert refused[0].code == "call.all_busy"
    assert Match.objects.filter(status="called").count() == 1
