"""API with which signed-in directors create an event."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import response_schemas
from people.api.bodies import parse_body
from people.api.description import OPEN_BODY_KEY
from people.selectors import visible_club
from tournaments.events.api import inputs
from tournaments.events.api.values import EventDetail
from tournaments.events.services.events import create_event
from tournaments.events.services.templates import event_template
from tournaments.selectors.events.detail import division_views
from tournaments.shared.api.asking import director_actor, map_fault_fields


class ClubEvents(APIView):
    """Create an event in a club as a draft, from a template or from the divisions and stages in the body."""

    key_in_body = True

    @extend_schema(
        operation_id="clubs_create_event",
        request=inputs.EventInput,
        responses=response_schemas(EventDetail, 201),
        extensions={OPEN_BODY_KEY: True},
    )
    def post(self, request: Request, club: str) -> Response:
        loaded_club = visible_club(club, request.user)
        actor, data = (
            director_actor(request, loaded_club),
            parse_body(request, inputs.EventInput, EventDetail),
        )
        divisions = (
            event_template(data["template"]).divisions
            if data["template"]
            else [inputs.division_details(division) for division in data["divisions"]]
        )
        with map_fault_fields(_limit_field_map(len(data["divisions"]))):
            event = create_event(
                actor=actor, club_id=loaded_club.pk, details=inputs.event_details(data), divisions=divisions
            )
        return Response(EventDetail.about(event, division_views(event)), status=201)


def _limit_field_map(divisions: int) -> dict[str, str]:
    """Return the request body field for each form field of a rating limit, for `map_fault_fields`.

    ``divisions``: number of divisions in the body. With several, an unknown rating list has no exact field.
    """
    body_fields = {}
    for name in ("source", "least", "most"):
        body_fields[f"division-#-limit_{name}"] = f"divisions.#.limit.{name}"
        body_fields[f"limit_{name}"] = f"divisions.0.limit.{name}" if divisions == 1 else "divisions"
    return body_fields
