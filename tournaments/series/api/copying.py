"""API for duplicating an event, for signed-in directors."""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from msgspec.structs import asdict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import field_description, response_schemas
from people.api.bodies import parse_body
from tournaments.events.api.values import EventDetail
from tournaments.models import Event
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import division_views
from tournaments.series.services.copying import CopyResult, copy_event
from tournaments.shared.api.asking import SubmissionKeyField, director_actor, division_by_number


class CopyInput(serializers.Serializer[object]):
    """The date of the duplicated event. ``divisions``: numbers of the divisions to copy."""

    starts_on = serializers.DateField()
    name = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=400, help_text="If empty, the same name."
    )
    people = serializers.BooleanField(
        default=False, help_text="Add previous players as entries pending approval."
    )
    divisions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99),
        required=False,
        allow_null=True,
        default=None,
        max_length=99,
        help_text="If null, all divisions.",
    )
    submission_key = SubmissionKeyField()


class CopiedEvent(EventDetail, frozen=True):
    """The new event, and how many entries were copied."""

    expected: Annotated[int, field_description("Number of copied entries that are pending approval.")]
    left_out: Annotated[
        int,
        field_description("Number of entries that could not be copied because a player is no longer listed."),
    ]

    @classmethod
    def from_copy(cls, copy_result: CopyResult) -> "CopiedEvent":
        detail = EventDetail.about(copy_result.event, division_views(copy_result.event))
        return cls(**asdict(detail), expected=copy_result.people, left_out=copy_result.left_out)


class CopyEvent(APIView):
    """Duplicate an event as a draft on another date. All settings are copied, but nothing that happened in
    it.
    """

    key_in_body = True

    @extend_schema(
        operation_id="events_copy", request=CopyInput, responses=response_schemas(CopiedEvent, 201)
    )
    def post(self, request: Request, event: str) -> Response:
        found_event = visible_event(request.user, event).event
        actor, data = director_actor(request, found_event.club), parse_body(request, CopyInput)
        copy_result = copy_event(
            actor=actor,
            event_id=found_event.pk,
            starts_on=data["starts_on"],
            name=data["name"],
            people=data["people"],
            divisions=_division_ids(found_event, data["divisions"]),
        )
        return Response(CopiedEvent.from_copy(copy_result), status=201)


def _division_ids(event: Event, numbers: list[int] | None) -> list[int] | None:
    """Return the database ids of the event's divisions with these numbers; None for all."""
    if numbers is None:
        return None
    return [
        division_by_number(event, number, f"divisions.{index}").pk for index, number in enumerate(numbers)
    ]
