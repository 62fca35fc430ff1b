"""POST for directors who are signed in: an event once more. A thin door to the service."""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from msgspec.structs import asdict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import answered, says
from people.api.bodies import body_of
from tournaments.events.api.values import EventDetail
from tournaments.models import Event
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import divisions_of
from tournaments.series.services.copying import Copied, copy_event
from tournaments.shared.api.asking import KeySent, director_of, division_numbered


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
    submission_key = KeySent()


class CopiedEvent(EventDetail, frozen=True):
    """The new event, and what was copied."""

    expected: Annotated[int, says("Number of copied entries that are pending approval.")]
    left_out: Annotated[
        int, says("Number of entries that could not be copied because a player is no longer listed.")
    ]

    @classmethod
    def made(cls, copied: Copied) -> "CopiedEvent":
        detail = EventDetail.about(copied.event, divisions_of(copied.event))
        return cls(**asdict(detail), expected=copied.people, left_out=copied.left_out)


class CopyEvent(APIView):
    """Duplicate an event as a draft on another date. All settings are copied, but nothing that happened in it."""

    key_in_body = True

    @extend_schema(operation_id="events_copy", request=CopyInput, responses=answered(CopiedEvent, 201))
    def post(self, request: Request, event: str) -> Response:
        found = visible_event(request.user, event).event
        actor, data = director_of(request, found.club), body_of(request, CopyInput)
        copied = copy_event(
            actor=actor,
            event_id=found.pk,
            starts_on=data["starts_on"],
            name=data["name"],
            people=data["people"],
            divisions=_numbered(found, data["divisions"]),
        )
        return Response(CopiedEvent.made(copied), status=201)


def _numbered(event: Event, numbers: list[int] | None) -> list[int] | None:
    """Database ids of the divisions with these numbers."""
    if numbers is None:
        return None
    return [division_numbered(event, number, f"divisions.{at}").pk for at, number in enumerate(numbers)]
