"""Whose a player is: entering a public player of another club gives no say over them."""

import pytest

from faults import NotAllowed
from people.actors import Actor
from people.models import Membership, Player, Role
from people.services.players import update_player
from tests.factories import an_event
from tournaments.entries.services.entries import NewEntry, add_entry
from tournaments.entries.services.merge_players import merge_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def theirs():
    """A public player of one club, and the event of another club in which they were entered."""
    home, away = an_event(entries=2).with_public_pages(), an_event(entries=2)
    player = Player.objects.filter(home_club=home.event.club).first()
    add_entry(
        actor=away.actor,
        event_id=away.event.pk,
        division_id=away.division.pk,
        entry=NewEntry(player_id=player.pk),
    )
    return player, home, away


def renames(player, tournament, actor=None):
    return update_player(
        actor=actor or tournament.actor,
        club_id=tournament.event.club_id,
        player_id=player.pk,
        name="Else",
        listed=False,
    )


def test_update_when_the_home_is_another_club_then_not_allowed(theirs):
    player, home, away = theirs
    with pytest.raises(NotAllowed) as refused:
        renames(player, away)
    assert refused.value.code == "player.other_club"
    assert Player.objects.get(pk=player.pk).listed
    assert renames(player, home).name == "Else"


def test_merge_when_the_home_of_the_one_that_goes_is_another_club_then_not_allowed(theirs):
    player, _home, away = theirs
    keep = Player.objects.filter(home_club=away.event.club).first()
    with pytest.raises(NotAllowed):
        merge_players(actor=away.actor, club_id=away.event.club_id, keep_id=keep.pk, duplicate_id=player.pk)
    assert Player.objects.get(pk=player.pk).merged_into is None


def test_update_when_the_director_directs_the_home_too_then_done(theirs):
    player, home, away = theirs
    Membership.objects.create(user=away.actor.user, club=home.event.club, role=Role.DIRECTOR)
    assert renames(player, away, Actor.of(away.actor.user)).name == "Else"
