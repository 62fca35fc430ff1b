"""Merging duplicate players: entries and the account move over, ratings follow, and it can be taken back."""

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player
from tests.factories import a_user, an_event
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.entries.services.merge_players import merge_players, undo_merge
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_tournaments():
    """Ann played the first night, and "Anne", who is the same person, the second."""
    first = an_event(entries=2)
    second = an_event(club=first.club, director=first.director)
    add_entries(
        actor=second.actor,
        event_id=second.event.pk,
        division_id=second.division.pk,
        entries=[NewEntry("Anne"), NewEntry("Zed")],
    )
    return first, second


def merge(tournament, keep, duplicate, actor=None):
    return merge_players(
        actor=actor or tournament.actor,
        club_id=tournament.club.pk,
        keep_id=Player.objects.get(name=keep).pk,
        duplicate_id=Player.objects.get(name=duplicate).pk,
    )


def test_merge_players_when_one_person_then_entries_move_and_pages_change(two_tournaments):
    first, second = two_tournaments
    version = second.fresh().version
    ann = merge(first, "Ann", "Anne")
    assert set(Entry.objects.filter(players=ann).values_list("division__event_id", flat=True)) == {
        first.event.pk,
        second.event.pk,
    }
    assert Entry.objects.get(division__event=second.event, players=ann).name == "Ann"
    assert Player.objects.get(name="Anne").merged_into == ann
    assert second.fresh().version == version + 1


def test_undo_merge_when_taken_back_then_all_as_before_and_only_once(two_tournaments):
    first, second = two_tournaments
    merge(first, "Ann", "Anne")
    row = AuditEntry.objects.get(action="player.merge")
    anne = undo_merge(actor=first.actor, club_id=first.club.pk, audit_id=row.pk)
    assert anne.merged_into is None
    entry = Entry.objects.get(division__event=second.event, players=anne)
    assert entry.name == "Anne"
    assert Entry.objects.filter(players__name="Ann").count() == 1
    with pytest.raises(Conflict) as refused:
        undo_merge(actor=first.actor, club_id=first.club.pk, audit_id=row.pk)
    assert refused.value.code == "player.merge_undone"


def test_merge_players_when_both_in_one_division_then_two_people(two_tournaments):
    first, _second = two_tournaments
    with pytest.raises(Conflict) as refused:
        merge(first, "Ann", "Bob")
    assert refused.value.code == "player.same_division"
    assert Player.objects.get(name="Bob").merged_into is None


def test_merge_players_when_the_same_the_merged_or_a_strangers_then_refused(two_tournaments):
    first, _second = two_tournaments
    with pytest.raises(Invalid):
        merge(first, "Ann", "Ann")
    merge(first, "Ann", "Anne")
    with pytest.raises(Conflict):
        merge(first, "Zed", "Anne")
    with pytest.raises(NotAllowed):
        merge(first, "Ann", "Zed", actor=Actor.of(a_user()))
    theirs = an_event(entries=3)
    foreign = Player.objects.filter(home_club=theirs.club).first()
    with pytest.raises(Missing):
        merge_players(
            actor=first.actor,
            club_id=first.club.pk,
            keep_id=Player.objects.get(name="Zed").pk,
            duplicate_id=foreign.pk,
        )


def test_merge_players_when_the_duplicate_has_the_account_then_it_moves_and_comes_back(two_tournaments):
    first, _second = two_tournaments
    user = a_user()
    Player.objects.filter(name="Anne").update(user=user)
    ann = merge(first, "Ann", "Anne")
    ann.refresh_from_db()
    assert ann.user == user
    undo_merge(
        actor=first.actor, club_id=first.club.pk, audit_id=AuditEntry.objects.get(action="player.merge").pk
    )
    ann.refresh_from_db()
    assert (ann.user, Player.objects.get(name="Anne").user) == (None, user)
