"""Clubs, roles and players: who may, what is refused, what is kept in the trail."""

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Membership, Player
from people.selectors import players_by_key, search_players
from people.services.clubs import change_role, leave_club, remove_member, update_club
from people.services.federations import join_federation
from people.services.invitations import invite
from people.services.players import update_player
from tests.factories import a_club, a_director, a_user, an_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(a_user("Olga Owner"))


@pytest.fixture
def owner(club) -> Actor:
    return Actor.of(club.memberships.get().user)


def test_club_when_updated_then_its_version_rises_and_the_trail_knows_both_states(club, owner) -> None:
    before = club.version
    after = update_club(actor=owner, club_id=club.pk, name="  New   name ", country="fi")
    assert (after.name, after.country, after.version) == ("New name", "FI", before + 1)
    row = AuditEntry.objects.get(action="club.update")
    assert row.data["after"]["name"] == "New name"
    assert row.data["before"]["name"] == club.name


@pytest.mark.parametrize("name", ["", "   ", "n" * 121])
def test_club_when_the_name_is_no_good_then_refused(club, owner, name) -> None:
    with pytest.raises(Invalid):
        update_club(actor=owner, club_id=club.pk, name=name)


def test_services_when_called_by_somebody_without_the_role_then_refused_and_nothing_changes(club) -> None:
    director, stranger = Actor.of(a_director(club)), Actor.of(a_user())
    member = Membership.objects.get(club=club, role="owner")
    trail = AuditEntry.objects.count()
    for actor in (director, stranger, Actor.with_label("somebody")):
        for action in (
            lambda a: update_club(actor=a, club_id=club.pk, name="Stolen"),
            lambda a: invite(actor=a, club_id=club.pk, email="x@example.org", role="owner"),
            lambda a: change_role(actor=a, club_id=club.pk, membership_id=member.pk, role="director"),
            lambda a: remove_member(actor=a, club_id=club.pk, membership_id=member.pk),
            lambda a: join_federation(actor=a, club_id=club.pk, parent_id=None),
        ):
            with pytest.raises(NotAllowed):
                action(actor)
    assert AuditEntry.objects.count() == trail
    assert Membership.objects.get(pk=member.pk).role == "owner"


@pytest.mark.parametrize("role", ["", "king", "OWNER", "assistant"])
def test_role_when_unknown_then_refused(club, owner, role) -> None:
    with pytest.raises(Invalid) as caught:
        invite(actor=owner, club_id=club.pk, role=role)
    assert caught.value.code == "member.role_unknown"


def test_role_when_more_is_given_without_asking_then_refused_and_less_is_given_at_once(club, owner) -> None:
    member = Membership.objects.create(club=club, user=a_user(), role="director")
    with pytest.raises(Conflict) as caught:
        change_role(actor=owner, club_id=club.pk, membership_id=member.pk, role="owner")
    assert caught.value.code == "member.by_invitation"
    change_role(actor=owner, club_id=club.pk, membership_id=member.pk, role="reader")
    member.refresh_from_db()
    assert member.role == "reader"


def test_owner_when_the_last_then_cannot_go_and_with_a_second_can(club, owner) -> None:
    own = club.memberships.get()
    with pytest.raises(Conflict):
        remove_member(actor=owner, club_id=club.pk, membership_id=own.pk)
    with pytest.raises(Conflict):
        change_role(actor=owner, club_id=club.pk, membership_id=own.pk, role="director")
    with pytest.raises(Conflict) as caught:
        leave_club(actor=owner, club_id=club.pk)
    assert caught.value.code == "member.last_owner"
    Membership.objects.create(club=club, user=a_user(), role="owner")
    leave_club(actor=owner, club_id=club.pk)
    assert AuditEntry.objects.filter(action="member.leave", club=club).count() == 1
    assert not Membership.objects.filter(pk=own.pk).exists()


def test_federation_when_it_would_go_round_in_a_circle_then_refused(club, owner) -> None:
    second = a_club(owner.user)
    third = a_club(owner.user)
    join_federation(actor=owner, club_id=club.pk, parent_id=second.pk)
    join_federation(actor=owner, club_id=second.pk, parent_id=third.pk)
    for child, parent in ((third, club), (third, second), (club, club)):
        with pytest.raises(Conflict):
            join_federation(actor=owner, club_id=child.pk, parent_id=parent.pk)


def test_federation_when_it_belongs_to_somebody_else_then_refused(club, owner) -> None:
    with pytest.raises(NotAllowed):
        join_federation(actor=owner, club_id=club.pk, parent_id=a_club().pk)


def test_player_when_updated_then_found_by_the_new_name(club) -> None:
    tournament = an_event(1)
    ann = Player.objects.get()
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Åsa  Ström", country="se"
    )
    assert search_players(club=tournament.club, text="strom asa") == [Player.objects.get()]
    assert players_by_key(club=tournament.club, keys=["asa strom"])["asa strom"] == [ann]


@pytest.mark.parametrize(
    "change",
    [{"name": ""}, {"name": "!?"}, {"name": "Ann", "country": "FIN"}, {"name": "Ann", "country": "1"}],
)
def test_player_when_the_data_is_no_good_then_refused(change) -> None:
    tournament = an_event(1)
    with pytest.raises(Invalid):
        update_player(
            actor=tournament.actor, club_id=tournament.club.pk, player_id=Player.objects.get().pk, **change
        )


def test_player_of_another_club_when_updated_then_unknown(club, owner) -> None:
    an_event(1)
    with pytest.raises(Missing) as caught:
        update_player(actor=owner, club_id=club.pk, player_id=Player.objects.get().pk, name="Stolen")
    assert caught.value.code == "player.unknown"


def test_search_when_a_player_is_not_listed_then_only_the_own_clubs_find_them(club) -> None:
    tournament = an_event(2).with_public_pages()
    Player.objects.filter(name="Ann").update(listed=False)
    assert [p.name for p in search_players(club=tournament.club, text="ann")] == ["Ann"]
    assert search_players(club=club, text="ann") == []
    assert [p.name for p in search_players(club=club, text="bob")] == ["Bob"]
