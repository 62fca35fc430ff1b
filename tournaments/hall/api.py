"""API: tables of the hall: list them, take a table out of use, call the next match, undo calls.

Reading is public, as the tables of matches are. Writing is for signed-in directors and assistants: 200 done,
403 not permitted, 404 not found, 409 nothing can be called (``code``: the reason), 422 not a table of the
event.
"""

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from tournaments.hall.services.calling import call_next, undo_calls
from tournaments.hall.services.tables import set_table_use
from tournaments.models import Event
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.hall.board import drawn_matches, table_states
from tournaments.selectors.hall.last_action import last_calls_row_id
from tournaments.shared.api.asking import helper_actor
from tournaments.shared.api.values import Match, match_list


class HallTable(Answer, frozen=True):
    """A table of the event, whether it is in use, and the match at the table."""

    table: int
    in_use: bool
    match: Annotated[str | None, field_description("ID of the match at the table.")]


class TableUseInput(serializers.Serializer[object]):
    """A table, and whether matches may be assigned to it."""

    table = serializers.IntegerField()
    in_use = serializers.BooleanField()


class CallInput(serializers.Serializer[object]):
    """Which matches to call: the next one, or all matches for which there is a table."""

    everything = serializers.BooleanField(default=False)


class EventTables(APIView):
    """List the tables of an event: whether each is in use, and which match is at the table."""

    @extend_schema(operation_id="events_tables", responses=response_schemas(list[HallTable]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = visible_event(request.user, event)
        versions = [visible.event.version, visible.event.club.version]
        return versioned_answer(request, versions, lambda: _tables(visible.event), role=visible.role)

    @extend_schema(
        operation_id="events_table_use",
        request=TableUseInput,
        responses=response_schemas(list[HallTable]),
    )
    def post(self, request: Request, event: str) -> Response:
        """Take a table out of use, or put it back into use. Returns all tables."""
        visible = visible_event(request.user, event)
        actor, body = helper_actor(request, visible.event), parse_body(request, TableUseInput)
        changed_event = set_table_use(actor=actor, event_id=visible.event.pk, **body)
        return Response(_tables(changed_event))


class CallNext(APIView):
    """Call the match that has waited longest to the next free table. With ``everything``, call all matches
    for which there is a table. Returns the called matches.
    """

    @extend_schema(
        operation_id="events_call_next",
        request=CallInput,
        responses=response_schemas(list[Match]),
    )
    def post(self, request: Request, event: str) -> Response:
        visible = visible_event(request.user, event)
        actor, body = helper_actor(request, visible.event), parse_body(request, CallInput)
        called = call_next(actor=actor, event_id=visible.event.pk, **body)
        return Response(match_list(drawn_matches([match.pk for match in called])))


class UndoCalls(APIView):
    """Undo your last call of one or more matches. Those not yet being played return to the queue; the
    response lists these matches.
    """

    @extend_schema(operation_id="events_undo_calls", request=None, responses=response_schemas(list[Match]))
    def post(self, request: Request, event: str) -> Response:
        visible = visible_event(request.user, event)
        actor = helper_actor(request, visible.event)
        row = last_calls_row_id(visible.event, actor.user)
        undone = undo_calls(actor=actor, event_id=visible.event.pk, audit_id=row)
        return Response(match_list(drawn_matches([match.pk for match in undone.matches])))


def _tables(event: Event) -> list[HallTable]:
    return [HallTable(table.number, table.in_use, table.match or None) for table in table_states(event)]
