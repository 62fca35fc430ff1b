"""What a record of a match may have meant where it cannot be right, and corrected copies of it, for its players and the desk.

200: the copy was there already. 201: it is made. 403: neither a side of this match nor at its desk, or another phone speaks by the link.
404: no such record for whoever asks. 409: nothing of this name is proposed for it, or there are too many copies.
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
from games.services.repairing import repairs_in
from people.actors import Actor
from people.api.answers import Answer, Moment, answered, says
from people.api.bodies import body_of
from tournaments.matches.api.report import DEVICE_HEADER, DEVICE_WORDS, device_words
from tournaments.matches.services.corrected import checked_report, correct_record, report_for
from tournaments.models import Entry, Match, RecordCopy
from tournaments.models.report import PROPOSAL_LIMIT
from tournaments.selectors.access.phones import NO_PHONE, link_actor
from tournaments.selectors.matches.records import copies_of
from tournaments.shared.api.auth import LinkAuthentication, LinkOrSession, link_of
from tournaments.shared.api.event_view import match_for
from tournaments.shared.frames.device import phone_of


class KeptChange(Answer, frozen=True):
    """A turn that the copy changes."""

    game: Annotated[int, says("From 1.")]
    turn: Annotated[int, says("From 1 in each game.")]
    player: Annotated[int, says("0 for the left player, 1 for the right one.")]
    written_dice: list[int]
    dice: list[int]
    written_play: str
    play: str


class CorrectedCopy(Answer, frozen=True):
    """A corrected copy of the game record of a report; both are kept."""

    report: Annotated[int, says("Version of the report.")]
    number: int
    key: Annotated[str, says("`key` of the proposal that it contains.")]
    changes: list[KeptChange]
    made_at: Moment

    @classmethod
    def of(cls, copy: RecordCopy) -> "CorrectedCopy":
        changes = [
            KeptChange(
                game=kept["game"],
                turn=kept["turn"],
                player=kept["side"],
                written_dice=kept["written_dice"],
                dice=kept["dice"],
                written_play=kept["written"],
                play=kept["play"],
            )
            for kept in copy.changes
        ]
        return cls(copy.report.version, copy.number, copy.key, changes, copy.created_at)


class RecordRepairs(Answer, frozen=True):
    """Possible corrections of the game record of a report, and the copies made of it."""

    repairs: list[RecordRepair]
    copies: list[CorrectedCopy]


class MadeCopy(Answer, frozen=True):
    """The copy, and whether it already existed."""

    copy: CorrectedCopy
    repeated: Annotated[bool, says("Whether it already existed.")]
    device: Annotated[str, says(DEVICE_WORDS)]


class ProposalChosen(serializers.Serializer[object]):
    """The `key` of a proposal."""

    key = serializers.CharField(max_length=PROPOSAL_LIMIT)


class RecordCorrections(APIView):
    """Get possible corrections of a game record, and its corrected copies."""

    tells_secret = True  # what the phone is known by
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = (LinkOrSession,)

    def _speaker(self, request: Request, match: str) -> tuple[Match, Actor, Entry | None]:
        visible = match_for(request, match)
        entry = link_of(request)
        if entry is not None:
            return visible.match, link_actor(entry), entry
        if not request.user.is_authenticated:
            raise NotAllowed("people.not_director")
        return visible.match, Actor.of(request.user), None

    @extend_schema(
        operation_id="matches_record_copies", parameters=[DEVICE_HEADER], responses=answered(RecordRepairs)
    )
    def get(self, request: Request, match: str, version: int) -> Response:
        found, actor, entry = self._speaker(request, match)
        report = report_for(actor=actor, match=found, entry=entry, version=version)
        repairs = repairs_in(checked_report(report, found))
        copies = [CorrectedCopy.of(copy) for copy in copies_of(found, report.version)]
        return Response(RecordRepairs([RecordRepair.of(repair) for repair in repairs], copies))

    @extend_schema(
        operation_id="matches_correct_record",
        parameters=[DEVICE_HEADER],
        request=ProposalChosen,
        responses=answered(MadeCopy, 200, 201),
    )
    def post(self, request: Request, match: str, version: int) -> Response:
        """Create a corrected copy of a game record from a proposal. This changes no result; repeating it returns the same copy."""
        found, actor, entry = self._speaker(request, match)
        body: dict[str, Any] = body_of(request, ProposalChosen)
        phone = NO_PHONE if entry is None else phone_of(request, "")
        copy, made = correct_record(
            actor=actor, match_id=found.pk, entry=entry, version=version, key=body["key"], phone=phone
        )
        answer = MadeCopy(CorrectedCopy.of(copy), repeated=not made, device=device_words(phone))
        return Response(answer, status=201 if made else 200)
