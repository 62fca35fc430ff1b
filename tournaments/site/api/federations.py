"""API of the federations that a club belongs to: anyone may read, owners of both sides join and leave.

It calls the same services as the pages.
"""

from datetime import date
from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from people.actors import Actor
from people.affiliations import affiliations_of, member_affiliations
from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.api.filters import resolve_parameter
from people.models import Affiliation, Club, User
from people.permissions import is_club_owner
from people.selectors import visible_club
from people.services.federations import join_federation, leave_federation
from people.versions import NAMES
from people.versions import club_topic as topic_of_club
from tournaments.selectors.access.versions import topics_version
from tournaments.shared.api.values import ClubRef


class Belonging(Answer, frozen=True):
    """A club belongs to a federation from `since` until `until`.

    `until` is the first date on which the club no longer belongs to the federation.
    """

    club: ClubRef
    federation: ClubRef
    since: Annotated[date | None, field_description("null if from the beginning.")]
    until: Annotated[date | None, field_description("null if it still does.")]

    @classmethod
    def of(cls, affiliation: Affiliation) -> "Belonging":
        return cls(
            ClubRef.to(affiliation.club),
            ClubRef.to(affiliation.federation),
            affiliation.since,
            affiliation.until,
        )


class FederationsOfClub(Answer, frozen=True):
    """The federations that a club belongs or belonged to, and the clubs that belong or belonged to it.

    The current ones come first.
    """

    federations: list[Belonging]
    members: list[Belonging]

    @classmethod
    def of(cls, club: Club) -> "FederationsOfClub":
        visible = [affiliation for affiliation in affiliations_of(club) if not affiliation.federation.shut]
        return cls(
            [Belonging.of(affiliation) for affiliation in visible],
            [Belonging.of(affiliation) for affiliation in member_affiliations(club)],
        )


class JoinInput(serializers.Serializer[object]):
    """The federation, and the date from which the club belongs to it.

    By default it is today, or tomorrow if the club leaves another federation. A date in the past includes the
    results since.
    """

    federation = serializers.CharField(max_length=16)
    since = serializers.DateField(required=False, allow_null=True, default=None)


class LeaveInput(serializers.Serializer[object]):
    """The first date on which the club no longer belongs to the federation; by default tomorrow.

    Today or earlier requires that you are an owner of the federation, too.
    """

    until = serializers.DateField(required=False, allow_null=True, default=None)


class ClubFederations(APIView):
    """List the current and former federations of a club, and its own member clubs."""

    @extend_schema(operation_id="clubs_federations", responses=response_schemas(FederationsOfClub))
    def get(self, request: Request, club: str) -> HttpResponse:
        loaded_club = visible_club(club, request.user)
        versions = [topics_version(topic_of_club(loaded_club.pk), NAMES)]
        return versioned_answer(request, versions, lambda: FederationsOfClub.of(loaded_club))

    @extend_schema(
        operation_id="clubs_join_federation",
        request=JoinInput,
        responses=response_schemas(FederationsOfClub, 201),
    )
    def post(self, request: Request, club: str) -> Response:
        """Join a federation. Only for owners of both the club and the federation."""
        loaded_club, actor = _club_and_owner(request, club)
        data = parse_body(request, JoinInput)
        parent = resolve_parameter("federation", lambda: visible_club(data["federation"], request.user))
        join_federation(actor=actor, club_id=loaded_club.pk, parent_id=parent.pk, since=data["since"])
        return Response(FederationsOfClub.of(loaded_club), status=201)


class LeaveFederation(APIView):
    """Leave the current federation. Does nothing if the club belongs to none."""

    @extend_schema(
        operation_id="clubs_leave_federation",
        request=LeaveInput,
        responses=response_schemas(FederationsOfClub),
    )
    def post(self, request: Request, club: str) -> Response:
        loaded_club, actor = _club_and_owner(request, club)
        leave_federation(actor=actor, club_id=loaded_club.pk, until=parse_body(request, LeaveInput)["until"])
        return Response(FederationsOfClub.of(loaded_club))


def _club_and_owner(request: Request, club: str) -> tuple[Club, Actor]:
    """Return the club and the caller as actor.

    Raises ``NotAllowed`` unless the caller is a signed-in owner.
    """
    loaded_club, user = visible_club(club, request.user), request.user
    if not isinstance(user, User) or not is_club_owner(user, loaded_club):
        raise NotAllowed("people.not_owner")
    return loaded_club, Actor.of(user)
