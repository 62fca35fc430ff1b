"""Two players become one on PostgreSQL while one of them is entered: one after the other, never each waiting for the other."""

import pytest
from django.db import transaction

from people.services.players import create_player
from tests.factories import an_event
from tests.support.races import race
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.merge_players import merge_players, undo_merge
from tournaments.models import EntryPlayer

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

FIRST_LOCK = "FOR UPDATE"


@pytest.fixture
def tournament():
    return an_event(entries=2)


@pytest.fixture
def two(tournament):
    keep, duplicate = (made(tournament, name) for name in ("Kay", "Kay K"))
    enter(tournament, duplicate)()
    return keep, duplicate


def made(tournament, name):
    with transaction.atomic():  # of the service that makes somebody
        return create_player(actor=tournament.actor, club=tournament.club, name=name)


def enter(tournament, player):
    given = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    return lambda: add_entries(**given, entries=[NewEntry(player_id=player.pk)])


def merge(tournament, keep, duplicate):
    given = {"actor": tournament.actor, "club_id": tournament.club.pk}
    return lambda: merge_players(**given, keep_id=keep.pk, duplicate_id=duplicate.pk)


def in_it(tournament):
    return sorted(
        EntryPlayer.objects.filter(division=tournament.division).values_list("player__name", flat=True)
    )


def test_merge_when_the_other_of_the_two_is_entered_at_once_then_one_is_told(tournament, two):
    outcomes = race(merge(tournament, *two), enter(tournament, two[0]), meet_after=FIRST_LOCK)
    told = [outcome.error for outcome in outcomes if outcome.error is not None]
    assert [error.code for error in told] in (["player.same_division"], ["entry.twice"])
    assert in_it(tournament).count("Kay") == 1


def test_merge_taken_back_when_somebody_is_entered_at_once_then_both_are_done(tournament, two):
    keep, duplicate = two
    merge(tournament, keep, duplicate)()
    done = tournament.club.audit_entries.get(action="player.merge")
    third = made(tournament, "Lou")
    outcomes = race(
        lambda: undo_merge(actor=tournament.actor, club_id=tournament.club.pk, audit_id=done.pk),
        enter(tournament, third),
        meet_after=FIRST_LOCK,
    )
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert {"Kay K", "Lou"} <= set(in_it(tournament))
