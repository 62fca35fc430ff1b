"""API: players' answers before a match (coming, later, cannot): their own, and all of an event for its staff.

200: saved. 403: not a player of this match, or the device has no access to the link. 409: the match has
begun. 422: no reason given.
"""

from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from tournaments.engine.matches.answers import ReplyChoice
from tournaments.engine.types import Side
from tournaments.matches.api.report import DEVICE_DESCRIPTION, DEVICE_HEADER, signed_device
from tournaments.matches.services.answers import answer_call
from tournaments.models import Entry, Event, Match
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.matches.answers import (
    PlayerAnswer,
    answers_about_matches,
    answers_in_event,
    own_entry_in,
    up_next_notices,
)
from tournaments.shared.api.asking import helper_actor
from tournaments.shared.api.auth import LinkAuthentication, LinkOrSession, linked_entry
from tournaments.shared.api.event_view import match_for
from tournaments.shared.frames.device import current_device, known_device

COMING_VALUES = [choice.value for choice in ReplyChoice]


class CallAnswer(Answer, frozen=True):
    """The answer of an entry before its match, and the time of its up-next notice."""

    coming: Annotated[ReplyChoice | None, field_description("Null without an answer so far.")]
    reason: Annotated[str, field_description("Why they cannot play. Only visible to the event's staff.")]
    at: Moment | None
    by: Annotated[Moment | None, field_description("When a player who is late will be there.")]
    word_at: Annotated[Moment | None, field_description("When they got the up-next notice.")]
    begins_at: Annotated[Moment | None, field_description("Start time given in the up-next notice.")]


class OwnAnswer(CallAnswer, frozen=True):
    """Your own answer."""

    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]


class GivenAnswer(CallAnswer, frozen=True):
    """A player's current answer before a match, for the event's staff."""

    match: str
    number: int
    entry: str
    name: str
    side: Side


class CallAnswerInput(serializers.Serializer[object]):
    """``coming``, ``later`` (in five minutes), or ``cannot`` with a ``reason``; null removes your answer."""

    coming = serializers.ChoiceField(choices=COMING_VALUES, allow_null=True)
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)


class AnswerCall(APIView):
    """Get your answer before a match."""

    tells_secret = True
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = (LinkOrSession,)

    @extend_schema(
        operation_id="matches_own_answer", parameters=[DEVICE_HEADER], responses=response_schemas(OwnAnswer)
    )
    def get(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        device = known_device(request)
        return Response(_own_answer(visible.match, _actor_and_entry(request, visible.match)[1], device))

    @extend_schema(
        operation_id="matches_answer",
        parameters=[DEVICE_HEADER],
        request=CallAnswerInput,
        responses=response_schemas(OwnAnswer),
    )
    def post(self, request: Request, match: str) -> Response:
        """Send your answer before a match. The last answer counts; sending the same answer again changes
        nothing.
        """
        visible = match_for(request, match)
        body = parse_body(request, CallAnswerInput)
        actor, entry = _actor_and_entry(request, visible.match)
        phone = current_device(request, request.headers.get("Idempotency-Key", ""))
        answer_call(
            actor=actor,
            match_id=visible.match.pk,
            entry=entry,
            coming=ReplyChoice(body["coming"]) if body["coming"] else None,
            reason=body["reason"],
            phone=phone,
        )
        return Response(_own_answer(visible.match, entry, phone.device))


class EventAnswers(APIView):
    """List the answers of players before matches that have not begun. Only for directors and assistants."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_answers", responses=response_schemas(list[GivenAnswer]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = visible_event(request.user, event)
        helper_actor(request, visible.event)
        versions = [visible.event.version]
        return versioned_answer(request, versions, lambda: _given_answers(visible.event), role=visible.role)


def _actor_and_entry(request: Request, match: Match) -> tuple[Actor, Entry]:
    """Return the actor, and the entry of the personal link or else the signed-in user's entry in the match.

    Raises ``NotAllowed`` for everyone else.
    """
    entry = linked_entry(request)
    if entry is not None:
        return link_actor(entry), entry
    entry = own_entry_in(match, request.user.pk)
    if entry is None or not request.user.is_authenticated:
        raise NotAllowed("report.not_your_match")
    return Actor.of(request.user), entry


def _own_answer(match: Match, entry: Entry, device: str) -> OwnAnswer:
    answer = next(
        (
            player_answer
            for player_answer in answers_about_matches([match.pk])
            if player_answer.entry_id == entry.pk
        ),
        None,
    )
    return OwnAnswer(
        **_answer_fields(match.pk, entry.pk, answer), device=signed_device(RequestOrigin(device))
    )


def _given_answers(event: Event) -> list[GivenAnswer]:
    answers = answers_in_event(event)
    notices = up_next_notices({answer.match_id for answer in answers})
    return [
        GivenAnswer(
            **_answer_fields(answer.match_id, answer.entry_id, answer, notices),
            match=answer.match,
            number=answer.number,
            entry=answer.entry,
            name=answer.name,
            side=answer.side,
        )
        for answer in answers
    ]


def _answer_fields(
    match: int, entry: int, answer: PlayerAnswer | None, notices: Any = None
) -> dict[str, Any]:
    notice = (notices if notices is not None else up_next_notices([match], entry)).get((match, entry))
    reply = answer.reply if answer is not None else None
    return {
        "coming": reply.coming if reply else None,
        "reason": reply.reason if reply else "",
        "at": reply.at if reply else None,
        "by": reply.by if reply else None,
        "word_at": notice.at if notice else None,
        "begins_at": notice.begins_at if notice else None,
    }
