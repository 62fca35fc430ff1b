"""Rules of conduct of a stage that is there: lateness and slow play (F15), clocks (F11), slips (F7 F16), the cube after Crawford (F3), ratings (F12).

A stage is named by the ``number`` of its division and its own in there. 200: done. 403: not yours. 404: unknown. 409: changed
since ``seen``, the event is over, or whether results are rated is fixed. 422: every fault at its field.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from people.api.answers import Answer, answer, answered, says
from people.api.bodies import body_of
from people.selectors import fresh
from tournaments.engine.matches.rulings import Conduct
from tournaments.events.api.inputs import ConductField
from tournaments.events.services.stage_rules import conduct_version, set_conduct
from tournaments.models import Event
from tournaments.models.settings import read, written
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.director import numbered_stages
from tournaments.shared.api.asking import director_of, stage_numbered
from tournaments.shared.api.event_view import EventView


class StageConduct(Answer, frozen=True):
    """The rules and penalties of a stage. `seen`: send it when you set them; 409 if they have changed since."""

    division: Annotated[int, says("The number of the division.")]
    stage: Annotated[int, says("Its number in the division.")]
    name: str
    conduct: Conduct
    seen: str

    @classmethod
    def all_of(cls, event: Event) -> list["StageConduct"]:
        return [
            cls(division, number, stage.name, stage.settings.conduct, conduct_version(stage))
            for (division, number), stage in numbered_stages(event).items()
        ]


class EventConduct(Answer, frozen=True):
    """The rules and penalties of every stage of an event."""

    stages: list[StageConduct]


class ConductInput(serializers.Serializer[object]):
    """Rules for one stage."""

    division = serializers.IntegerField(min_value=1, max_value=99)
    stage = serializers.IntegerField(min_value=1, max_value=99)
    conduct = ConductField(help_text="Fields that are left out stay unchanged.")
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)


class EventConductView(EventView):
    """Get the rules and penalties of each stage."""

    @extend_schema(operation_id="events_conduct", responses=answered(EventConduct))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        return answer(
            request,
            self.versions(visible),
            lambda: EventConduct(StageConduct.all_of(visible.event)),
            role=visible.role,
        )

    @extend_schema(operation_id="events_set_conduct", request=ConductInput, responses=answered(EventConduct))
    def put(self, request: Request, event: str) -> Response:
        """Change the rules and penalties of a stage, at any time before the event is over. Whether results are rated can
        only be changed before the first result.
        """
        found = visible_event(request.user, event).event
        actor = director_of(request, found.club)
        body = body_of(request, ConductInput, EventConduct)
        stage = stage_numbered(found, body["division"], body["stage"])
        now = read(Conduct, _over(written(stage.settings.conduct), body["conduct"]))
        set_conduct(
            actor=actor,
            event_id=found.pk,
            stage_id=stage.pk,
            lateness=now.lateness,
            clocks=now.clocks,
            rated=now.rated,
            clock_use=now.clock_use,
            slow=now.slow,
            slips=now.slips,
            holland=now.holland,
            seen=body["seen"],
        )
        return Response(EventConduct(StageConduct.all_of(fresh(found))))


def _over(known: Mapping[str, Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """What is known, with what was sent in its place."""
    return {
        name: _over(known[name], sent[name])
        if isinstance(known[name], Mapping) and isinstance(sent.get(name), Mapping)
        else sent.get(name, known[name])
        for name in known
    }
