"""API: possible corrections of a match's game record, and corrected copies of it, for its players and staff.

200: the copy existed. 201: created. 403: neither a player of this match nor its staff, or the device has no
access to the link. 404: no record visible to the caller. 409: no proposal with this key, or too many copies.
"""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from games.api.repairs import RecordRepair
from games.services.repairing import proposed_repairs
from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from tournaments.matches.api.report import DEVICE_DESCRIPTION, DEVICE_HEADER, signed_device
from tournaments.matches.services.corrected import check_report_record, correct_record, permitted_report
from tournaments.models import Entry, Match, RecordCopy
from tournaments.models.report import PROPOSAL_LIMIT
from tournaments.selectors.access.phones import NO_ORIGIN, link_actor
from tournaments.selectors.matches.records import record_copies
from tournaments.shared.api.auth import LinkAuthentication, LinkOrSession, linked_entry
from tournaments.shared.api.event_view import match_for
from tournaments.shared.frames.device import current_device


class KeptChange(Answer, frozen=True):
    """A turn that the copy changes: dice and play in the original record, and in the copy."""

    game: Annotated[int, field_description("From 1.")]
    turn: Annotated[int, field_description("From 1 in each game.")]
    player: Annotated[int, field_description("0 for the left player, 1 for the right one.")]
    written_dice: list[int]
    dice: list[int]
    written_play: str
    play: str


class CorrectedCopy(Answer, frozen=True):
    """A corrected copy of the game record of a report; the original is stored too."""

    report: Annotated[int, field_description("Version of the report.")]
    number: int
    key: Annotated[str, field_description("`key` of the proposal that it contains.")]
    changes: list[KeptChange]
    made_at: Moment

    @classmethod
    def of(cls, copy: RecordCopy) -> "CorrectedCopy":
        changes = [
            KeptChange(
                game=change["game"],
                turn=change["turn"],
                player=change["side"],
                written_dice=change["written_dice"],
                dice=change["dice"],
                written_play=change["written"],
                play=change["play"],
            )
            for change in copy.changes
        ]
        return cls(copy.report.version, copy.number, copy.key, changes, copy.created_at)


class RecordRepairs(Answer, frozen=True):
    """Possible corrections of the game record of a report, and the copies made of it."""

    repairs: list[RecordRepair]
    copies: list[CorrectedCopy]


class MadeCopy(Answer, frozen=True):
    """The corrected copy, and whether it already existed."""

    copy: CorrectedCopy
    repeated: Annotated[bool, field_description("Whether it already existed.")]
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]


class ProposalChosen(serializers.Serializer[object]):
    """The `key` of the proposed correction to apply."""

    key = serializers.CharField(max_length=PROPOSAL_LIMIT)


class RecordCorrections(APIView):
    """Get possible corrections of a game record, and the corrected copies that exist."""

    tells_secret = True  # the response contains the device value
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = (LinkOrSession,)

    def _match_actor_and_entry(self, request: Request, match: str) -> tuple[Match, Actor, Entry | None]:
        visible = match_for(request, match)
        entry = linked_entry(request)
        if entry is not None:
            return visible.match, link_actor(entry), entry
        if not request.user.is_authenticated:
            raise NotAllowed("people.not_director")
        return visible.match, Actor.of(request.user), None

    @extend_schema(
        operation_id="matches_record_copies",
        parameters=[DEVICE_HEADER],
        responses=response_schemas(RecordRepairs),
    )
    def get(self, request: Request, match: str, version: int) -> Response:
        loaded_match, actor, entry = self._match_actor_and_entry(request, match)
        report = permitted_report(actor=actor, match=loaded_match, entry=entry, version=version)
        repairs = proposed_repairs(check_report_record(report, loaded_match))
        copies = [CorrectedCopy.of(copy) for copy in record_copies(loaded_match, report.version)]
        return Response(RecordRepairs([RecordRepair.of(repair) for repair in repairs], copies))

    @extend_schema(
        operation_id="matches_correct_record",
        parameters=[DEVICE_HEADER],
        request=ProposalChosen,
        responses=response_schemas(MadeCopy, 200, 201),
    )
    def post(self, request: Request, match: str, version: int) -> Response:
        """Create a corrected copy of a game record from a proposal. No result changes. Repeating the request
        returns the same copy.
        """
        loaded_match, actor, entry = self._match_actor_and_entry(request, match)
        body: dict[str, Any] = parse_body(request, ProposalChosen)
        phone = NO_ORIGIN if entry is None else current_device(request, "")
        copy, is_new = correct_record(
            actor=actor, match_id=loaded_match.pk, entry=entry, version=version, key=body["key"], phone=phone
        )
        response_body = MadeCopy(CorrectedCopy.of(copy), repeated=not is_new, device=signed_device(phone))
        return Response(response_body, status=201 if is_new else 200)
