"""Whose account is which player, for programs: offered, asked for, answered, taken back; and invitations to roles. The doors of the pages.

201: made; its secret is told this once. 200: done. 403: not yours. 404: unknown, or no link that works. 409: not any more.
"""

from typing import Annotated

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from people.actors import Actor
from people.api.answers import Answer, Moment, answered, one_of, says
from people.api.bodies import body_of
from people.api.problems import TooOften
from people.audience import Audience, read_for
from people.models import Club, PlayerClaim, Role, RoleInvitation, User
from people.permissions import may_own
from people.selectors import claims_to_answer, open_invitations, player_in_directory, visible_club
from people.services import claims, invitations
from people.web.door.limits import may_ask_for_account
from people.web.letters import send_invitation
from tournaments.entries.services.claims import release_player
from tournaments.shared.api.asking import director_of

MEMBERS = (Role.OWNER, Role.DIRECTOR, Role.READER)
HOUR = 3600


class OfferedClaim(Answer, frozen=True):
    """A link with which one account can be linked to the player, once, within a day."""

    url: Annotated[str, says("Only shown once; a newer link replaces it.")]
    player: str


class AskedClaim(Answer, frozen=True):
    """A request, made with a personal link, to be linked to a player of the club."""

    id: int
    player: Annotated[str, says("ID of the player.")]
    name: str
    since: Moment


class TakenPlayer(Answer, frozen=True):
    """The player now linked to the account."""

    player: str
    name: str


class Invitation(Answer, frozen=True):
    """An open invitation to a role in a club."""

    id: str
    role: Annotated[str, one_of(Role.values)]
    label: str
    until: Moment


class MadeInvitation(Answer, frozen=True):
    """A new invitation with its link, which is only shown once."""

    id: str
    role: Annotated[str, one_of(Role.values)]
    until: Moment
    url: str
    sent: Annotated[bool, says("Whether the link was also sent by e-mail.")]


class TokenInput(serializers.Serializer[object]):
    """The end of the link's address."""

    token = serializers.CharField(max_length=200)


class AnswerInput(serializers.Serializer[object]):
    """Whether the request is approved."""

    accept = serializers.BooleanField()


class InvitationInput(serializers.Serializer[object]):
    """Whom to invite to which role; without an address, you pass the link on yourself."""

    role = serializers.ChoiceField(choices=[role.value for role in MEMBERS])
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    for_whom = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class _SignedIn(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)


class OfferPlayer(_SignedIn):
    """Create a link with which a person who is present links this player to their account."""

    tells_secret = True

    @extend_schema(operation_id="clubs_offer_player", request=None, responses=answered(OfferedClaim, 201))
    def post(self, request: Request, club: str, player: str) -> Response:
        found, actor = _directed(request, club)
        known = player_in_directory(found, player)
        token = claims.offer_player(actor=actor, club_id=found.pk, player_id=known.pk)
        url = settings.SITE_URL + reverse("player:claim", args=[token])
        return Response(OfferedClaim(url, known.public_id), status=201)


class ReleasePlayer(_SignedIn):
    """Unlink a player from the wrong account. The player gets new personal links in unfinished events."""

    @extend_schema(operation_id="clubs_release_player", request=None, responses=answered(TakenPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        found, actor = _directed(request, club)
        known = player_in_directory(found, player)
        release_player(actor=actor, club_id=found.pk, player_id=known.pk)
        return Response(TakenPlayer(known.public_id, known.name))


class AskedClaims(_SignedIn):
    """List the open link requests of a club, oldest first."""

    @extend_schema(operation_id="clubs_claims", responses=answered(list[AskedClaim]))
    def get(self, request: Request, club: str) -> Response:
        found, _actor = _directed(request, club)
        return Response([_asked(one) for one in claims_to_answer(found)])


class AnswerClaim(_SignedIn):
    """Approve or decline a link request, once."""

    @extend_schema(
        operation_id="clubs_answer_claim", request=AnswerInput, responses=answered(list[AskedClaim])
    )
    def post(self, request: Request, club: str, claim: int) -> Response:
        found, actor = _directed(request, club)
        accepts = body_of(request, AnswerInput)["accept"]
        claims.answer_claim(actor=actor, club_id=found.pk, claim_id=claim, accepts=accepts)
        return Response([_asked(one) for one in claims_to_answer(found)])


class TakePlayer(_SignedIn):
    """Link a player to your account, with the link from a director or an e-mail."""

    @extend_schema(operation_id="players_take", request=TokenInput, responses=answered(TakenPlayer))
    def post(self, request: Request) -> Response:
        taken = claims.take_player(user=_user(request), token=body_of(request, TokenInput)["token"])
        read_for(Audience.FULL)  # it is the name of whoever asked
        return Response(TakenPlayer(taken.public_id, taken.name))


class Invitations(_SignedIn):
    """List the open invitations to roles in a club. Only for its owners."""

    tells_secret = True

    @extend_schema(operation_id="clubs_invitations", responses=answered(list[Invitation]))
    def get(self, request: Request, club: str) -> Response:
        found = visible_club(club)
        if not may_own(_user(request), found):
            raise NotAllowed("people.not_owner")
        return Response([_invitation(one) for one in open_invitations(found, MEMBERS)])

    @extend_schema(
        operation_id="clubs_invite", request=InvitationInput, responses=answered(MadeInvitation, 201)
    )
    def post(self, request: Request, club: str) -> Response:
        """Invite a person to a role in the club."""
        found, user = visible_club(club), _user(request)
        if not may_own(user, found):
            raise NotAllowed("people.not_owner")
        data = body_of(request, InvitationInput)
        if not may_ask_for_account(request._request):  # noqa: SLF001
            raise TooOften("member.asked_often", HOUR)
        made = invitations.invite(
            actor=Actor.of(user),
            club_id=found.pk,
            role=data["role"],
            email=data["email"],
            label=data["for_whom"],
        )
        url = settings.SITE_URL + reverse("player:invitation", args=[made.token])
        one = made.invitation
        sent = send_invitation(one, url)
        return Response(MadeInvitation(one.public_id, one.role, one.expires_at, url, sent), status=201)


class WithdrawInvitation(_SignedIn):
    """Withdraw an invitation before it is accepted."""

    @extend_schema(
        operation_id="clubs_withdraw_invitation", request=None, responses=answered(list[Invitation])
    )
    def post(self, request: Request, club: str, invitation: str) -> Response:
        found, user = visible_club(club), _user(request)
        invitations.withdraw(actor=Actor.of(user), club_id=found.pk, public_id=invitation)
        return Response([_invitation(one) for one in open_invitations(found, MEMBERS)])


class AcceptInvitation(_SignedIn):
    """Accept an invitation to a role."""

    @extend_schema(operation_id="invitations_accept", request=TokenInput, responses=answered(Invitation))
    def post(self, request: Request) -> Response:
        token = body_of(request, TokenInput)["token"]
        return Response(_invitation(invitations.accept(user=_user(request), token=token)))


class DeclineInvitation(_SignedIn):
    """Decline an invitation, which ends it."""

    @extend_schema(operation_id="invitations_decline", request=TokenInput, responses=answered(Invitation))
    def post(self, request: Request) -> Response:
        token = body_of(request, TokenInput)["token"]
        return Response(_invitation(invitations.decline(token=token)))


def _user(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAllowed("people.not_director")
    return request.user


def _directed(request: Request, club: str) -> tuple[Club, Actor]:
    found = visible_club(club)
    return found, director_of(request, found)


def _asked(claim: PlayerClaim) -> AskedClaim:
    return AskedClaim(claim.pk, claim.player.public_id, claim.player.name, claim.made_at)


def _invitation(one: RoleInvitation) -> Invitation:
    return Invitation(one.public_id, one.role, one.label, one.expires_at)
