"""API of the match conditions of a stage, called conduct: rules and penalties beside the system.

They are lateness and slow play (rule F15), clocks (F11), errors in play and their correction (F7, F16), the
cube after the Crawford game (F3) and whether results are rated (F12). A stage is named by the ``number`` of
its division and its own number in the division. 200: done. 403: not permitted. 404: not found. 409: changed
since ``seen``, the event is over, or whether results are rated is fixed. 422: all errors with their fields.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.selectors import refresh_row
from tournaments.engine.matches.rulings import MatchConditions
from tournaments.events.api.inputs import ConductField
from tournaments.events.services.stage_rules import conduct_version, set_conduct
from tournaments.models import Event
from tournaments.models.settings import from_json, to_json
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.director import numbered_stages
from tournaments.shared.api.asking import director_actor, stage_by_number
from tournaments.shared.api.event_view import EventView


class StageConduct(Answer, frozen=True):
    """The rules and penalties of a stage. Send `seen` when you set them; 409 if they have changed since."""

    division: Annotated[int, field_description("The number of the division.")]
    stage: Annotated[int, field_description("Its number in the division.")]
    name: str
    conduct: MatchConditions
    seen: str

    @classmethod
    def for_event(cls, event: Event) -> list["StageConduct"]:
        return [
            cls(division, number, stage.name, stage.settings.conduct, conduct_version(stage))
            for (division, number), stage in numbered_stages(event).items()
        ]


class EventConduct(Answer, frozen=True):
    """The rules and penalties of every stage of an event."""

    stages: list[StageConduct]


class ConductInput(serializers.Serializer[object]):
    """Rules and penalties for one stage.

    ``seen``: the value that you read before; 409 if they have changed since.
    """

    division = serializers.IntegerField(min_value=1, max_value=99)
    stage = serializers.IntegerField(min_value=1, max_value=99)
    conduct = ConductField(help_text="Fields that are left out stay unchanged.")
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class EventConductView(EventView):
    """Get the rules and penalties of each stage."""

    @extend_schema(operation_id="events_conduct", responses=response_schemas(EventConduct))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            self.versions(visible),
            lambda: EventConduct(StageConduct.for_event(visible.event)),
            role=visible.role,
        )

    @extend_schema(
        operation_id="events_set_conduct", request=ConductInput, responses=response_schemas(EventConduct)
    )
    def put(self, request: Request, event: str) -> Response:
        """Change the rules and penalties of a stage, at any time before the event is over. Whether results
        are rated can only be changed before the first result.
        """
        loaded_event = visible_event(request.user, event).event
        actor = director_actor(request, loaded_event.club)
        body = parse_body(request, ConductInput, EventConduct)
        stage = stage_by_number(loaded_event, body["division"], body["stage"])
        new_conduct = from_json(MatchConditions, _merge(to_json(stage.settings.conduct), body["conduct"]))
        set_conduct(
            actor=actor,
            event_id=loaded_event.pk,
            stage_id=stage.pk,
            lateness=new_conduct.lateness,
            clocks=new_conduct.clocks,
            rated=new_conduct.rated,
            clock_use=new_conduct.clock_use,
            slow=new_conduct.slow,
            slips=new_conduct.slips,
            holland=new_conduct.holland,
            seen=body["seen"],
        )
        return Response(EventConduct(StageConduct.for_event(refresh_row(loaded_event))))


def _merge(current: Mapping[str, Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``current`` with the values that ``sent`` has for the same names.

    Dictionaries are merged recursively.
    """
    return {
        name: _merge(current[name], sent[name])
        if isinstance(current[name], Mapping) and isinstance(sent.get(name), Mapping)
        else sent.get(name, current[name])
        for name in current
    }
