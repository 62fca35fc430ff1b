"""API: arrangement of a match by its two sides: times and messages; directors settle reported conversations.

200: saved. 201: written. 403: not a side of this match, or another phone uses the link. 404: a match without
two known sides and arranged times, or played at the tables. 409: the arrangement has changed since ``seen``
(``present`` has its version), or the match is over. 422: with every reason.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Fault, Invalid, NotAllowed
from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, one_of, response_schemas
from people.api.bodies import parse_body
from tournaments.engine.matches.arranging import MAX_PLACE_LENGTH, MAX_TEXT_LENGTH, MAX_TIMES, TimeProposal
from tournaments.leagues.services import arranging, talking
from tournaments.matches.api.report import DEVICE_DESCRIPTION, DEVICE_HEADER, KEY_HEADER, signed_device
from tournaments.models import Entry, Match
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin, link_actor
from tournaments.selectors.access.visibility import VisibleMatch, visible_match
from tournaments.selectors.matches.answers import own_entry_in
from tournaments.selectors.matches.arrangements import (
    Message,
    arrangement_deadline,
    arrangement_of_match,
    can_arrange,
    can_write_messages,
    match_messages,
    side_by_entry,
)
from tournaments.shared.api.asking import director_actor, map_fault_fields
from tournaments.shared.api.auth import LinkAuthentication, LinkOrSession, linked_entry
from tournaments.shared.api.event_view import match_for
from tournaments.shared.frames.device import current_device, known_device


class TimeOffered(Answer, frozen=True):
    """A proposed time."""

    number: Annotated[int, field_description("Number by which it is accepted.")]
    at: Moment
    place: str


class MatchMessage(Answer, frozen=True):
    """A message of one side, in plain text."""

    id: str
    entry: Annotated[str, field_description("The entry that wrote it.")]
    text: str
    at: Moment


class Talk(Answer, frozen=True):
    """The part of a conversation that a director may read.

    These are the messages up to the time at which a side reported them; no messages if neither side did.
    """

    agreed: Moment | None
    reported: Annotated[
        bool,
        field_description("Whether a side has asked a director to read it, and no director has done so."),
    ]
    closed: bool
    messages: list[MatchMessage]


class OwnArrangement(Answer, frozen=True):
    """The arrangement of a match: agreed time, proposed times and messages."""

    version: Annotated[
        int, field_description("Send this as `seen` when you propose, accept, decline or cancel times.")
    ]
    agreed: Annotated[Moment | None, field_description("The time that both sides agreed on.")]
    place: str
    offers: list[TimeOffered]
    offered_by: Annotated[str, one_of(["", "me", "them"])]
    last_day: Annotated[date, field_description("The last possible date, in the event's time zone.")]
    timezone: Annotated[str, field_description("The event's time zone, which applies to times without one.")]
    may_arrange: bool
    may_write: bool
    closed: Annotated[
        bool,
        field_description("Whether a director has closed the conversation; arranging times still works."),
    ]
    reported: bool
    messages: list[MatchMessage]
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]


class ProposalInput(serializers.Serializer[object]):
    """A time, and optionally a place."""

    at = serializers.CharField(
        max_length=40, help_text="ISO 8601; without an offset, in the event's time zone."
    )
    place = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_PLACE_LENGTH)


class TimesSeenInput(serializers.Serializer[object]):
    """The `version` of the arrangement that you read; 409 if it has changed."""

    seen = serializers.IntegerField(min_value=0)


class TimesInput(TimesSeenInput):
    """Up to three times to propose."""

    times = serializers.ListField(
        child=ProposalInput(), min_length=1, max_length=10, help_text=f"At most {MAX_TIMES}."
    )


class AgreeToTimeInput(TimesSeenInput):
    """One of the times that the other side proposes."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_TIMES)


class MessageInput(serializers.Serializer[object]):
    """Plain text; repeating the key returns the same message."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True, max_length=4 * MAX_TEXT_LENGTH)
    submission_key = serializers.CharField(
        max_length=KEY_LIMIT,
        required=False,
        allow_blank=True,
        default="",
        help_text="Your own key; you can send the header Idempotency-Key instead.",
    )


class TalkInput(serializers.Serializer[object]):
    """State of the conversation: closed, or open for messages of both sides."""

    closed = serializers.BooleanField()


class _ArrangementView(APIView):
    tells_secret = True  # the response contains the device value
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = (LinkOrSession,)

    def acting_side(self, request: Request, public_id: str) -> tuple[VisibleMatch, Actor, Entry]:
        """Return the match, the actor and the acting entry: that of the link, or of the signed-in user.

        Raises ``NotAllowed`` if the user has no entry in the match.
        """
        visible = match_for(request, public_id)
        entry = linked_entry(request)
        if entry is not None:
            return visible, link_actor(entry), entry
        entry = own_entry_in(visible.match, request.user.pk)
        if entry is None or not request.user.is_authenticated:
            raise NotAllowed("report.not_your_match")
        return visible, Actor.of(request.user), entry

    def service_arguments(
        self, request: Request, match: str, key: str = ""
    ) -> tuple[dict[str, Any], RequestOrigin]:
        """Return the arguments common to all services, and the device of the request."""
        visible, actor, entry = self.acting_side(request, match)
        phone = current_device(request, key or request.headers.get("Idempotency-Key", ""))
        return {"actor": actor, "match_id": visible.match.pk, "entry": entry, "phone": phone}, phone

    def call_service(
        self, request: Request, match: str, service: Callable[..., object], **values: Any
    ) -> Response:
        """Call ``service`` with ``values`` and the common arguments; respond with the arrangement."""
        arguments, phone = self.service_arguments(request, match)
        service(**values, **arguments)
        return self.respond(request, match, phone)

    def respond(
        self, request: Request, match: str, phone: RequestOrigin = NO_ORIGIN, status: int = 200
    ) -> Response:
        visible, _actor, entry = self.acting_side(request, match)
        return Response(
            _own_arrangement(visible.match, entry, phone.device or known_device(request)), status=status
        )


class MatchArrangement(_ArrangementView):
    """Get the arrangement of a match: agreed time, proposed times and messages. Only for its two sides."""

    @extend_schema(
        operation_id="matches_arrangement",
        parameters=[DEVICE_HEADER],
        responses=response_schemas(OwnArrangement),
    )
    def get(self, request: Request, match: str) -> Response:
        visible, _actor, entry = self.acting_side(request, match)
        if entry.pk not in side_by_entry(visible.match):
            raise NotAllowed("report.not_your_match")
        return self.respond(request, match)


class OfferTimes(_ArrangementView):
    """Propose up to three times, replacing all earlier proposals. An agreed time stays valid until one of
    them is accepted.
    """

    @extend_schema(
        operation_id="matches_offer_times",
        parameters=[DEVICE_HEADER],
        request=TimesInput,
        responses=response_schemas(OwnArrangement),
    )
    def post(self, request: Request, match: str) -> Response:
        body = parse_body(request, TimesInput)
        arguments, phone = self.service_arguments(request, match)
        with map_fault_fields({"time_#": "times.#.at", "place_#": "times.#.place"}):
            arranging.offer_times(times=_parse_proposals(body["times"]), seen=body["seen"], **arguments)
        return self.respond(request, match, phone)


class AgreeToTime(_ArrangementView):
    """Accept one of the times that the other side proposes."""

    @extend_schema(
        operation_id="matches_agree_to_time",
        parameters=[DEVICE_HEADER],
        request=AgreeToTimeInput,
        responses=response_schemas(OwnArrangement),
    )
    def post(self, request: Request, match: str) -> Response:
        return self.call_service(
            request, match, arranging.agree_to_time, **parse_body(request, AgreeToTimeInput)
        )


class DeclineTimes(_ArrangementView):
    """Decline all times that are proposed; your own are withdrawn."""

    @extend_schema(
        operation_id="matches_decline_times",
        parameters=[DEVICE_HEADER],
        request=TimesSeenInput,
        responses=response_schemas(OwnArrangement),
    )
    def post(self, request: Request, match: str) -> Response:
        return self.call_service(
            request, match, arranging.decline_times, **parse_body(request, TimesSeenInput)
        )


class CancelTime(_ArrangementView):
    """Cancel the agreed time."""

    @extend_schema(
        operation_id="matches_call_off_time",
        parameters=[DEVICE_HEADER],
        request=TimesSeenInput,
        responses=response_schemas(OwnArrangement),
    )
    def post(self, request: Request, match: str) -> Response:
        return self.call_service(request, match, arranging.cancel_time, **parse_body(request, TimesSeenInput))


class WriteMessage(_ArrangementView):
    """Send a message to the other side, which is notified. Neither side sees an address."""

    own_key = True

    @extend_schema(
        operation_id="matches_write",
        parameters=[KEY_HEADER, DEVICE_HEADER],
        request=MessageInput,
        responses=response_schemas(OwnArrangement, 201),
    )
    def post(self, request: Request, match: str) -> Response:
        body = parse_body(request, MessageInput)
        key = body["submission_key"] or request.headers.get("Idempotency-Key", "")
        arguments, phone = self.service_arguments(request, match, key)
        del arguments["actor"]
        talking.write_message(text=body["text"], submission_key=key, **arguments)
        return self.respond(request, match, phone, status=201)


class ReportConversation(_ArrangementView):
    """Ask the directors to read the conversation so far.

    Repeating the request before they have changes nothing.
    """

    @extend_schema(
        operation_id="matches_report_talk",
        parameters=[DEVICE_HEADER],
        request=None,
        responses=response_schemas(OwnArrangement),
    )
    def post(self, request: Request, match: str) -> Response:
        return self.call_service(request, match, talking.report_conversation)


class MatchConversation(APIView):
    """Get the conversation of a match, as far as directors may read it."""

    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="matches_talk", responses=response_schemas(Talk))
    def get(self, request: Request, match: str) -> Response:
        visible = visible_match(request.user, match)
        director_actor(request, visible.event.club)
        return Response(_conversation(visible.match))

    @extend_schema(operation_id="matches_settle_talk", request=TalkInput, responses=response_schemas(Talk))
    def post(self, request: Request, match: str) -> Response:
        """Close or reopen the conversation of a match."""
        visible = visible_match(request.user, match)
        body = parse_body(request, TalkInput)
        actor = director_actor(request, visible.event.club)
        talking.settle_conversation(
            actor=actor, event_id=visible.event.pk, match_id=visible.match.pk, closed=body["closed"]
        )
        return Response(_conversation(visible.match))


def _parse_proposals(times: list[dict[str, Any]]) -> list[TimeProposal]:
    proposals: list[TimeProposal] = []
    faults: list[Fault] = []
    for number, item in enumerate(times, start=1):
        try:
            proposals.append(TimeProposal(datetime.fromisoformat(item["at"]), item["place"]))
        except ValueError:
            faults.append(Fault("times.odd", f"time_{number}"))
    if faults:
        raise Invalid(faults=faults)
    return proposals


def _own_arrangement(match: Match, entry: Entry, device: str) -> OwnArrangement:
    match.stage.division.event = event = entry.division.event
    arrangement = arrangement_of_match(match)
    offered_by = {None: "", entry.pk: "me"}.get(arrangement.offered_by, "them")
    return OwnArrangement(
        version=arrangement.version,
        agreed=arrangement.agreed,
        place=arrangement.place,
        offers=[TimeOffered(offer.number, offer.at, offer.place) for offer in arrangement.offers],
        offered_by=offered_by,
        last_day=arrangement_deadline(match, event).day,
        timezone=event.timezone,
        may_arrange=can_arrange(match),
        may_write=can_write_messages(match) and not arrangement.closed,
        closed=arrangement.closed,
        reported=arrangement.has_reported_messages,
        messages=_message_answers(match_messages(match)),
        device=signed_device(RequestOrigin(device)),
    )


def _conversation(match: Match) -> Talk:
    arrangement = arrangement_of_match(match)
    messages = _message_answers(match_messages(match, for_director=True))
    return Talk(arrangement.agreed, arrangement.has_reported_messages, arrangement.closed, messages)


def _message_answers(messages: list[Message]) -> list[MatchMessage]:
    return [
        MatchMessage(message.public_id, message.entry_public_id, message.text, message.at)
        for message in messages
    ]
