"""API of links between accounts and players (offer, request, answer, unlink) and of invitations to roles.

It calls the same services as the pages. 201: created, with a secret that is shown only once. 200: done. 403:
not allowed. 404: unknown, or a link that is not valid. 409: no longer possible.
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
from people.api.answers import Answer, Moment, field_description, one_of, response_schemas
from people.api.bodies import parse_body
from people.api.problems import TooManyRequests
from people.audience import Audience, activate_audience
from people.models import Club, PlayerClaim, Role, RoleInvitation, User
from people.permissions import is_club_owner
from people.selectors import open_claims, open_invitations, player_in_directory, visible_club
from people.services import claims, invitations
from people.web.door.limits import may_look_up_account
from people.web.letters import send_invitation
from tournaments.entries.services.claims import release_player
from tournaments.shared.api.asking import director_actor

MEMBER_ROLES = (Role.OWNER, Role.DIRECTOR, Role.READER)
HOUR_SECONDS = 3600


class OfferedClaim(Answer, frozen=True):
    """A link with which one person can link the player to their account, once, within a day."""

    url: Annotated[str, field_description("Only shown once; a newer link replaces it.")]
    player: str


class AskedClaim(Answer, frozen=True):
    """A person's request, made with a personal link, to link a player of the club to their account."""

    id: int
    player: Annotated[str, field_description("ID of the player.")]
    name: str
    since: Moment


class TakenPlayer(Answer, frozen=True):
    """The player that was linked to, or unlinked from, an account."""

    player: str
    name: str


class Invitation(Answer, frozen=True):
    """An invitation to a role in a club."""

    id: str
    role: Annotated[str, one_of(Role.values)]
    label: str
    until: Moment


class MadeInvitation(Answer, frozen=True):
    """A new invitation with its link. The link is shown once."""

    id: str
    role: Annotated[str, one_of(Role.values)]
    until: Moment
    url: str
    sent: Annotated[bool, field_description("Whether the link was also sent by e-mail.")]


class TokenInput(serializers.Serializer[object]):
    """The secret from the link: the last part of its address."""

    token = serializers.CharField(max_length=200)


class AnswerInput(serializers.Serializer[object]):
    """Whether you approve the request."""

    accept = serializers.BooleanField()


class InvitationInput(serializers.Serializer[object]):
    """Role and recipient of the invitation. Without an e-mail address, you pass the link on yourself."""

    role = serializers.ChoiceField(choices=[role.value for role in MEMBER_ROLES])
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    for_whom = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class _SignedInView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)


class OfferPlayer(_SignedInView):
    """Create a link with which a person who is present links this player to their account."""

    tells_secret = True

    @extend_schema(
        operation_id="clubs_offer_player", request=None, responses=response_schemas(OfferedClaim, 201)
    )
    def post(self, request: Request, club: str, player: str) -> Response:
        loaded_club, actor = _club_and_director(request, club)
        loaded_player = player_in_directory(loaded_club, player)
        token = claims.offer_player(actor=actor, club_id=loaded_club.pk, player_id=loaded_player.pk)
        url = settings.SITE_URL + reverse("player:claim", args=[token])
        return Response(OfferedClaim(url, loaded_player.public_id), status=201)


class ReleasePlayer(_SignedInView):
    """Unlink a player from the wrong account. The player gets new personal links in unfinished events."""

    @extend_schema(operation_id="clubs_release_player", request=None, responses=response_schemas(TakenPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        loaded_club, actor = _club_and_director(request, club)
        loaded_player = player_in_directory(loaded_club, player)
        release_player(actor=actor, club_id=loaded_club.pk, player_id=loaded_player.pk)
        return Response(TakenPlayer(loaded_player.public_id, loaded_player.name))


class OpenClaims(_SignedInView):
    """List the requests for a link to a player that a club has not answered, oldest first."""

    @extend_schema(operation_id="clubs_claims", responses=response_schemas(list[AskedClaim]))
    def get(self, request: Request, club: str) -> Response:
        loaded_club, _actor = _club_and_director(request, club)
        return Response([_claim_data(row) for row in open_claims(loaded_club)])


class AnswerClaim(_SignedInView):
    """Approve or decline a request for a link to a player, once. Returns the remaining requests."""

    @extend_schema(
        operation_id="clubs_answer_claim", request=AnswerInput, responses=response_schemas(list[AskedClaim])
    )
    def post(self, request: Request, club: str, claim: int) -> Response:
        loaded_club, actor = _club_and_director(request, club)
        accepts = parse_body(request, AnswerInput)["accept"]
        claims.decide_claim(actor=actor, club_id=loaded_club.pk, claim_id=claim, accepts=accepts)
        return Response([_claim_data(row) for row in open_claims(loaded_club)])


class ClaimPlayer(_SignedInView):
    """Link a player to your account, with the link that you got from a director or by e-mail."""

    @extend_schema(operation_id="players_take", request=TokenInput, responses=response_schemas(TakenPlayer))
    def post(self, request: Request) -> Response:
        player = claims.take_player(
            user=_signed_in_user(request), token=parse_body(request, TokenInput)["token"]
        )
        activate_audience(Audience.FULL)  # it is the caller's own name
        return Response(TakenPlayer(player.public_id, player.name))


class Invitations(_SignedInView):
    """List the invitations to roles in a club that can still be accepted. Only for its owners."""

    tells_secret = True

    @extend_schema(operation_id="clubs_invitations", responses=response_schemas(list[Invitation]))
    def get(self, request: Request, club: str) -> Response:
        loaded_club = visible_club(club)
        if not is_club_owner(_signed_in_user(request), loaded_club):
            raise NotAllowed("people.not_owner")
        return Response([_invitation_data(row) for row in open_invitations(loaded_club, MEMBER_ROLES)])

    @extend_schema(
        operation_id="clubs_invite", request=InvitationInput, responses=response_schemas(MadeInvitation, 201)
    )
    def post(self, request: Request, club: str) -> Response:
        """Invite a person to a role in the club. The link is in this response only. If you give an e-mail
        address, it is also mailed there.
        """
        loaded_club, user = visible_club(club), _signed_in_user(request)
        if not is_club_owner(user, loaded_club):
            raise NotAllowed("people.not_owner")
        data = parse_body(request, InvitationInput)
        if not may_look_up_account(request._request):  # noqa: SLF001
            raise TooManyRequests("member.asked_often", HOUR_SECONDS)
        new_invitation = invitations.invite(
            actor=Actor.of(user),
            club_id=loaded_club.pk,
            role=data["role"],
            email=data["email"],
            label=data["for_whom"],
        )
        url = settings.SITE_URL + reverse("player:invitation", args=[new_invitation.token])
        row = new_invitation.invitation
        is_sent = send_invitation(row, url)
        return Response(MadeInvitation(row.public_id, row.role, row.expires_at, url, is_sent), status=201)


class WithdrawInvitation(_SignedInView):
    """Withdraw an invitation before it is accepted. Returns the remaining invitations."""

    @extend_schema(
        operation_id="clubs_withdraw_invitation", request=None, responses=response_schemas(list[Invitation])
    )
    def post(self, request: Request, club: str, invitation: str) -> Response:
        loaded_club, user = visible_club(club), _signed_in_user(request)
        invitations.withdraw_invitation(actor=Actor.of(user), club_id=loaded_club.pk, public_id=invitation)
        return Response([_invitation_data(row) for row in open_invitations(loaded_club, MEMBER_ROLES)])


class AcceptInvitation(_SignedInView):
    """Accept an invitation to a role."""

    @extend_schema(
        operation_id="invitations_accept", request=TokenInput, responses=response_schemas(Invitation)
    )
    def post(self, request: Request) -> Response:
        token = parse_body(request, TokenInput)["token"]
        return Response(
            _invitation_data(invitations.accept_invitation(user=_signed_in_user(request), token=token))
        )


class DeclineInvitation(_SignedInView):
    """Decline an invitation to a role, which ends the invitation."""

    @extend_schema(
        operation_id="invitations_decline", request=TokenInput, responses=response_schemas(Invitation)
    )
    def post(self, request: Request) -> Response:
        token = parse_body(request, TokenInput)["token"]
        return Response(_invitation_data(invitations.decline_invitation(token=token)))


def _signed_in_user(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAllowed("people.not_director")
    return request.user


def _club_and_director(request: Request, club: str) -> tuple[Club, Actor]:
    loaded_club = visible_club(club)
    return loaded_club, director_actor(request, loaded_club)


def _claim_data(claim: PlayerClaim) -> AskedClaim:
    return AskedClaim(claim.pk, claim.player.public_id, claim.player.name, claim.made_at)


def _invitation_data(row: RoleInvitation) -> Invitation:
    return Invitation(row.public_id, row.role, row.label, row.expires_at)
