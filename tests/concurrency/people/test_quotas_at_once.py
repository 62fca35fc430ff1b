"""Two requests at once, for the last place that a quota leaves, on PostgreSQL: one gets it, the other is told."""

import pytest

from people.models import Membership
from people.services.invitations import accept_invitation, invite
from tests.factories import a_club, a_user, an_event
from tests.support.races import race
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("locks", [True, False])
def test_last_club_when_founded_and_accepted_at_once_then_one_of_the_two(settings, locks):
    settings.QUOTAS = {**settings.QUOTAS, "clubs": 1}
    user, other = a_user(), a_club()
    token = invite(actor=_owner(other), club_id=other.pk, role="owner").token
    outcomes = race(
        lambda: a_club(user),
        lambda: accept_invitation(user=user, token=token),
        meet_after='SELECT COUNT(*) AS "__count" FROM "people_membership"',
        locks=locks,
    )
    told = [outcome.error.code for outcome in outcomes if outcome.error is not None]
    owned = Membership.objects.filter(user=user).count()
    assert (told, owned) == ((["quota.clubs"], 1) if locks else ([], 2))


def _owner(club):
    from people.actors import Actor

    return Actor.of(club.memberships.get().user)


def test_last_player_when_two_events_enter_new_ones_at_once_then_one_is_told(settings):
    one = an_event(entries=2)
    two = an_event(entries=0, club=one.club, director=one.director)
    settings.QUOTAS = {**settings.QUOTAS, "players": 3}

    def enters(tournament, name):
        given = {
            "actor": tournament.actor,
            "event_id": tournament.event.pk,
            "division_id": tournament.division.pk,
        }
        return lambda: add_entries(**given, entries=[NewEntry(name=name)])

    outcomes = race(enters(one, "Zoe"), enters(two, "Yara"), meet_after='FROM "people_club"')
    told = [outcome.error.code for outcome in outcomes if outcome.error is not None]
    assert told == ["quota.players"]
    assert one.club.player_links.count() == 3
