"""Clubs, members, the directory and the trail of a club, as pages ask for them."""

import pytest

from faults import Missing
from names.public_page import PublicPage
from people.actors import Actor
from people.models import Role
from people.selectors import (
    club_audit_entries,
    clubs_owned_by,
    directory_players,
    duplicate_name_count,
    listed_players_by_name,
    member_clubs,
    member_of,
    members_of,
    memberships_of,
    namesakes_of,
    player_for_club,
    player_in_directory,
    player_of_user,
    subject_names,
    visible_club,
)
from people.services.federations import join_federation
from people.services.invitations import accept_invitation, invite
from people.services.players import create_player
from tests.factories import a_club, a_director, a_user

pytestmark = pytest.mark.django_db


def a_player(club, name, **changes):
    return create_player(
        actor=Actor.program(), club=club, name=name, **{"public_page": PublicPage.NOW} | changes
    )


def test_clubs_when_one_joins_another_then_each_is_found_from_the_other():
    owner = a_user()
    federation, club = a_club(owner, "Verband"), a_club(owner, "Anker")
    join_federation(actor=Actor.of(owner), club_id=club.pk, parent_id=federation.pk)
    assert visible_club(club.public_id).parent == federation
    assert member_clubs(federation) == [club]
    assert clubs_owned_by(owner) == [club, federation]
    assert [one.club for one in memberships_of(owner)] == [club, federation]
    with pytest.raises(Missing):
        visible_club("nosuchclub")


def test_members_when_a_director_comes_then_they_stand_behind_the_owner():
    club = a_club()
    director = a_director(club)
    owner, second = members_of(club)
    assert (owner.role, second.user) == (Role.OWNER, director)
    assert member_of(club, second.pk) == second
    assert member_of(a_club(), second.pk) is None
    assert clubs_owned_by(director) == []


def test_directory_when_asked_for_words_then_accents_case_and_order_do_not_matter():
    club = a_club()
    zoe, zuri = a_player(club, "Zoë Ångström"), a_player(club, "Zuri Berg")
    a_player(a_club(), "Zoë Elsewhere")
    assert list(directory_players(club)) == [zoe, zuri]
    assert list(directory_players(club, "angstrom ZOE")) == [zoe]
    assert player_in_directory(club, zuri.public_id) == zuri
    with pytest.raises(Missing):
        player_in_directory(a_club(), zuri.public_id)


def test_names_when_two_are_called_the_same_then_counted_once_and_shown_to_each_other():
    club = a_club()
    first, second = a_player(club, "Éva Kiss"), a_player(club, "Kiss, Eva")
    a_player(club, "Ann")
    assert duplicate_name_count(club) == 1
    assert namesakes_of(first, club) == [second]


def test_player_for_club_when_private_then_for_their_own_club_alone():
    club, other = a_club(), a_club()
    private, listed = a_player(club, "Private", public_page=PublicPage.NONE), a_player(club, "Listed")
    assert player_for_club(club, private.public_id) == private
    assert player_for_club(other, listed.public_id) == listed
    for asked, own in ((private, False), (listed, True)):
        with pytest.raises(Missing):
            player_for_club(other, asked.public_id, own_only=own)


def test_listed_by_name_when_one_has_exactly_this_name_then_longer_names_are_left_out():
    club = a_club()
    bob, bobby = a_player(club, "Bob Hill"), a_player(club, "Bob Hillary")
    a_player(club, "Bob Hill", public_page=PublicPage.NONE)
    assert listed_players_by_name("hill bob") == [bob]
    assert listed_players_by_name("hillary") == [bobby]
    assert listed_players_by_name("bob") == [bob, bobby]


def test_player_of_user_when_nobody_is_theirs_then_none():
    user = a_user()
    player = a_player(a_club(), "Me")
    assert player_of_user(user.pk) is None
    player.user = user
    player.save()
    assert player_of_user(user.pk) == player


def test_club_trail_when_a_member_came_then_newest_first_and_named():
    club = a_club(owner := a_user())
    new = a_user("Nina New")
    accept_invitation(
        user=new, token=invite(actor=Actor.of(owner), club_id=club.pk, role=Role.DIRECTOR).token
    )
    rows = list(club_audit_entries(club))
    assert rows[0].action == "invitation.accept"
    assert subject_names(rows)[rows[0].subject_type, rows[0].subject_id] == "Nina New"
    assert [row.pk for row in rows] == sorted((row.pk for row in rows), reverse=True)
