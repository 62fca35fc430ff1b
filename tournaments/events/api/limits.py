"""API of the rating limits of divisions. A division is named by its ``number`` in the event, from 1.

200: done. 403: not permitted. 404: not found. 409: changed since ``seen``. 422: all errors with their fields.
"""

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.selectors import refresh_row
from tournaments.engine.limits import RatingLimit
from tournaments.events.api.inputs import RatingLimitInput
from tournaments.events.api.values import Limit
from tournaments.events.services.divisions import division_settings_version, set_limit
from tournaments.models import Event
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import divisions_in
from tournaments.shared.api.asking import director_actor, division_by_number, map_fault_fields
from tournaments.shared.api.event_view import EventView


class DivisionLimit(Answer, frozen=True):
    """A division and its rating limits. Send `seen` when you set them; 409 if they have changed since."""

    division: Annotated[int, field_description("The number of the division.")]
    name: str
    limit: Annotated[Limit | None, field_description("null if there are none.")]
    seen: str

    @classmethod
    def for_event(cls, event: Event) -> "EventLimits":
        divisions = divisions_in(event)
        return EventLimits(
            [
                cls(number, division.name, Limit.of(division), division_settings_version(division))
                for number, division in enumerate(divisions, start=1)
            ]
        )


class EventLimits(Answer, frozen=True):
    """The rating limits of all divisions of an event."""

    divisions: list[DivisionLimit]


class LimitInput(RatingLimitInput):
    """The rating limits of a division; an empty ``source`` removes them.

    ``limit``: the same as responses have it, null to remove them, so that an item of the list can be changed and
    sent back; it replaces the fields beside it. ``seen``: the value that you read before; 409 if the division's settings have changed since.
    """

    division = serializers.IntegerField(min_value=1, max_value=99)
    limit = RatingLimitInput(
        required=False, allow_null=True, help_text="The limits as in a response; null removes them."
    )
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class EventLimitsView(EventView):
    """Get the rating limits of each division."""

    @extend_schema(operation_id="events_limits", responses=response_schemas(EventLimits))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request, self.versions(visible), lambda: DivisionLimit.for_event(visible.event), role=visible.role
        )

    @extend_schema(
        operation_id="events_set_limit", request=LimitInput, responses=response_schemas(EventLimits)
    )
    def put(self, request: Request, event: str) -> Response:
        """Set the rating limits of a division. Existing entries stay."""
        loaded_event = visible_event(request.user, event).event
        actor, body = director_actor(request, loaded_event.club), parse_body(request, LimitInput, EventLimits)
        division = division_by_number(loaded_event, body["division"])
        path, values = ("limit.", body["limit"]) if "limit" in body else ("", body)
        limit = (
            RatingLimit(values["source"], values["least"], values["most"], values["refuses"])
            if values
            else None
        )
        with map_fault_fields({f"limit_{name}": f"{path}{name}" for name in ("source", "least", "most")}):
            set_limit(
                actor=actor, event_id=loaded_event.pk, division_id=division.pk, limit=limit, seen=body["seen"]
            )
        return Response(DivisionLimit.for_event(refresh_row(loaded_event)))
