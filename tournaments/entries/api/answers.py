"""API of a player's own values of custom fields, for the signed-in player or a minor's guardian.

200: current values. 404: no entry of yours. 409: too late, or changed since ``seen``. 422: invalid value.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Fault, Missing, NotAllowed, raise_faults
from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from tournaments.engine.columns import MAX_CUSTOM_FIELDS, CustomFieldKind
from tournaments.entries.services.answers import represented_player, set_own_answers
from tournaments.entries.services.own import own_entry
from tournaments.models import Entry, Event
from tournaments.selectors.columns import are_answers_open, custom_field_answers, event_custom_fields
from tournaments.shared.api.asking import map_fault_fields


class ColumnAnswer(Answer, frozen=True):
    """A custom field of the event and its value for one player."""

    column: int
    name: str
    kind: CustomFieldKind
    choices: list[str]
    value: Annotated[str, field_description("`yes` or empty for a tick box.")]


class ColumnAnswers(Answer, frozen=True):
    """The values of an event's custom fields for one player.

    Only the player and the directors can see them.
    """

    answers: list[ColumnAnswer]
    open: Annotated[bool, field_description("Whether the values can be changed now.")]
    until: Annotated[
        Moment | None, field_description("Last time for changes; null if until the event begins.")
    ]
    version: Annotated[str, field_description("Send this as `seen`.")]


class ColumnAnswerInput(serializers.Serializer[object]):
    """The new value of one custom field; `column` is the field's ID in the response."""

    column = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    value = serializers.CharField(allow_blank=True, max_length=80)


class ColumnAnswersInput(serializers.Serializer[object]):
    """New values of custom fields; fields that are left out keep their values.

    ``seen``: the ``version`` of the response that you read before.
    """

    answers = serializers.ListField(child=ColumnAnswerInput(), max_length=MAX_CUSTOM_FIELDS)
    seen = serializers.CharField(max_length=64)


class OwnCustomFields(APIView):
    """Get the values of the event's custom fields for the player of an entry."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_own_answers", responses=response_schemas(ColumnAnswers))
    def get(self, request: Request, event: str, entry: str) -> Response:
        return Response(_current_answers(_signed_in_actor(request), event, entry))

    @extend_schema(
        operation_id="events_set_own_answers",
        request=ColumnAnswersInput,
        responses=response_schemas(ColumnAnswers),
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        """Change the values of custom fields, in all entries of the player in the event."""
        actor = _signed_in_actor(request)
        loaded_entry = _own_entry(actor, event, entry)
        body = parse_body(request, ColumnAnswersInput)
        paths = _body_paths(loaded_entry.division.event, body["answers"])
        values = {answer["column"]: answer["value"] for answer in body["answers"]}
        with map_fault_fields({f"own-{column}": f"{path}.value" for column, path in paths.items()}):
            set_own_answers(actor=actor, public_id=entry, values=values, expected_version=body["seen"])
        return Response(_current_answers(actor, event, entry))


def _body_paths(event: Event, answers: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the path in the request body of each sent value (``answers.0``), keyed by the custom field's id.

    Raises ``Invalid`` if a field is unknown, sent twice, or not filled in by players.
    """
    asked_field_ids = {custom_field.pk for custom_field in event_custom_fields(event) if custom_field.asked}
    paths: dict[int, str] = {}
    faults = []
    for position, answer in enumerate(answers):
        if answer["column"] not in asked_field_ids or answer["column"] in paths:
            code = "column.unknown" if answer["column"] not in asked_field_ids else "filter.twice"
            faults.append(Fault(code, f"answers.{position}.column"))
        paths[answer["column"]] = f"answers.{position}"
    raise_faults(faults)
    return paths


def _signed_in_actor(request: Request) -> Actor:
    if not request.user.is_authenticated:
        raise NotAllowed("people.not_director")
    return Actor.of(request.user)


def _own_entry(actor: Actor, event: str, entry: str) -> Entry:
    loaded_entry = own_entry(actor, entry)
    if loaded_entry.division.event.public_id != event:
        raise Missing("entry.unknown")
    return loaded_entry


def _current_answers(actor: Actor, event_id: str, entry: str) -> ColumnAnswers:
    loaded_entry = _own_entry(actor, event_id, entry)
    event = loaded_entry.division.event
    answers = custom_field_answers(event, represented_player(actor, loaded_entry).pk)
    until: datetime | None = event.columns_until
    return ColumnAnswers(
        answers=[
            ColumnAnswer(
                custom_field.pk,
                custom_field.name,
                CustomFieldKind(custom_field.kind),
                list(custom_field.choices),
                answers.values.get(custom_field.pk, ""),
            )
            for custom_field in event_custom_fields(event)
            if custom_field.asked
        ],
        open=are_answers_open(event, timezone.now()),
        until=until,
        version=answers.version,
    )
