"""Two accounts want one player at the same moment: one is them, the other is told; by a link, and by two directors' yes."""

import pytest

from faults import Conflict, Missing
from people.models import Player
from people.services.claims import decide_claim, offer_player, request_player, take_player
from people.services.invitations import accept_invitation_as_guest, invite
from tests.factories import a_user, an_event
from tests.support.races import race
from tournaments.models.trail import audit_scope

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_link_when_two_accounts_take_it_at_once_then_one_has_the_player_and_one_is_told():
    tournament = an_event(4)
    ann = tournament.entry("Ann").players.get()
    token = offer_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk)
    users = [a_user("Ann"), a_user("Eve")]
    jobs = [lambda user=user: take_player(user=user, token=token) for user in users]
    outcomes = race(*jobs, meet_after='FROM "people_playerclaim"')
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, Missing)
    assert refused.code == "claim.used"
    assert Player.objects.get(pk=ann.pk).user in users


def test_two_yes_for_two_accounts_at_once_then_one_counts():
    tournament = an_event(4)
    ann = tournament.entry("Ann").players.get()
    users = [a_user("Ann"), a_user("Eve")]
    claims = [request_player(user=user, player_id=ann.pk, club_id=tournament.club.pk) for user in users]
    given = {"actor": tournament.actor, "club_id": tournament.club.pk, "accepts": True}
    jobs = [lambda claim=claim: decide_claim(**given, claim_id=claim.pk) for claim in claims]
    outcomes = race(*jobs, meet_after='FROM "people_playerclaim"')
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, Conflict)
    assert refused.code in {"claim.answered", "claim.has_account"}
    assert Player.objects.get(pk=ann.pk).user in users


def test_invitation_when_two_accept_it_at_once_then_one_helps():
    tournament = an_event(4)
    made = invite(
        actor=tournament.actor,
        club_id=tournament.club.pk,
        role="assistant",
        scopes=[audit_scope(tournament.event)],
    )
    jobs = [
        lambda name=name: accept_invitation_as_guest(name=name, token=made.token) for name in ("Ann", "Eve")
    ]
    outcomes = race(*jobs, meet_after='FROM "people_club"')
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, Missing)
    assert tournament.club.assistances.count() == 1
