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
def night():
    return an_event(entries=2)


@pytest.fixture
def two(night):
    keep, duplicate = (made(night, name) for name in ("Kay", "Kay K"))
    enter(night, duplicate)()
    return keep, duplicate


def made(night, name):
    with transaction.atomic():  # of the service that makes somebody
        return create_player(actor=night.actor, club=night.club, name=name)


def enter(night, player):
    given = {"actor": night.actor, "event_id": night.event.pk, "division_id": night.division.pk}
    return lambda: add_entries(**given, entries=[NewEntry(player_id=player.pk)])


def merge(night, keep, duplicate):
    given = {"actor": night.actor, "club_id": night.club.pk}
    return lambda: merge_players(**given, keep_id=keep.pk, duplicate_id=duplicate.pk)


def in_it(night):
    return sorted(EntryPlayer.objects.filter(division=night.division).values_list("player__name", flat=True))


def test_merge_when_the_other_of_the_two_is_entered_at_once_then_one_is_told(night, two):
    outcomes = race(merge(night, *two), enter(night, two[0]), meet_after=FIRST_LOCK)
    told = [outcome.error for outcome in outcomes if outcome.error is not None]
    assert [error.code for error in told] in (["player.same_division"], ["entry.twice"])
    assert in_it(night).count("Kay") == 1


def test_merge_taken_back_when_somebody_is_entered_at_once_then_both_are_done(night, two):
    keep, duplicate = two
    merge(night, keep, duplicate)()
    done = night.club.audit_entries.get(action="player.merge")
    third = made(night, "Lou")
    outcomes = race(
        lambda: undo_merge(actor=night.actor, club_id=night.club.pk, audit_id=done.pk),
        enter(night, third),
        meet_after=FIRST_LOCK,
    )
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert {"Kay K", "Lou"} <= set(in_it(night))
