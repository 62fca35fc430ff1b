"""API: play-offs, for directors: list ties, start or cancel a play-off, record an order, discard records.

A stage is given by the number of its ``division`` in the event and its own ``stage`` number in the division,
both from 1. 200: done, with the current stage; 201: started. 409: the stage is not over, has no play-off, or
the event has changed since the version ``seen`` (``present``: its current state). 422: the entries are not
tied. 403 and 404 as on the pages. Not idempotent: repeating a request gives a 409.
"""

from collections.abc import Iterable
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Missing
from people.actors import Actor
from people.api.answers import Answer, field_description, response_schemas
from people.api.bodies import parse_body
from people.selectors import refresh_row
from tournaments.engine.statuses import StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.rounds.services import play_offs
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.arranged import play_off_points, prefetch_stage_entries
from tournaments.selectors.draws import load_draws
from tournaments.selectors.entries import ids_by_public_id, public_id_by_entry
from tournaments.selectors.events.detail import division_views, stages_by_number
from tournaments.selectors.matches.detail import players_of_matches
from tournaments.selectors.rounds.play_offs import can_break_ties, is_play_off_under_way, playable_ties
from tournaments.selectors.standings.tables import is_round_based, unbroken_ties
from tournaments.shared.api.asking import director_actor, map_fault_fields
from tournaments.shared.api.draws import StageBracket

MAX_NAMED_ENTRIES = 1024


class PlayOffInput(serializers.Serializer[object]):
    """A stage, and ``seen``: the event's ``version`` when you read the table of the stage."""

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    stage = serializers.IntegerField(default=1, min_value=1, max_value=99)
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class TiedInput(PlayOffInput):
    """A stage and ``entries``: the ids of all entries of a tied group; to record an order, best first."""

    entries = serializers.ListField(
        child=serializers.CharField(max_length=16), min_length=1, max_length=MAX_NAMED_ENTRIES
    )


class Tied(Answer, frozen=True):
    """A stage with its tied groups: those that can have a play-off, and those whose order can be recorded."""

    division: int
    stage: int
    status: StageStatus
    to_play: list[list[str]]
    to_record: list[list[str]]
    under_way: Annotated[bool, field_description("Whether matches of a play-off remain to be played.")]
    recorded: bool


class Ties(Answer, frozen=True):
    """Every stage that ends in a table, with its tied groups."""

    version: Annotated[int, field_description("Send this as `seen`.")]
    stages: list[Tied]


class AfterPlayOff(Answer, frozen=True):
    """The stage after the request: rounds (the last of the play-off included), places and tables."""

    version: int
    status: StageStatus
    stage: StageBracket


class _PlayOffView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def event(self, request: Request, public_id: str) -> tuple[Event, Actor]:
        """Return the event and the actor. Raises ``NotAllowed`` for people who are not its directors."""
        visible = visible_event(request.user, public_id)
        return visible.event, director_actor(request, visible.event.club)

    def asked(
        self, request: Request, public_id: str, schema: type[PlayOffInput]
    ) -> tuple[Event, Stage, dict[str, Any], list[int]]:
        """Parse the request.

        Returns the event, the stage, the keyword arguments common to all services, and the ids of the named
        entries.
        """
        (event, actor), body = self.event(request, public_id), parse_body(request, schema)
        stage = _stage_by_place(event, body["division"], body["stage"])
        arguments = {
            "actor": actor,
            "event_id": event.pk,
            "stage_id": stage.pk,
            "seen": body["seen"],
        }
        return event, stage, arguments, _entry_row_ids(stage, body.get("entries", ()))

    def respond(self, event: Event, stage: Stage, status: int = 200) -> Response:
        return Response(_after_play_off(refresh_row(event), refresh_row(stage)), status=status)


class PlayOff(_PlayOffView):
    """Tied groups of an event, and play-offs between tied entries."""

    @extend_schema(operation_id="events_ties", responses=response_schemas(Ties))
    def get(self, request: Request, event: str) -> Response:
        """Get the tied groups of every stage; each group is a list of entry ids."""
        return Response(_ties(self.event(request, event)[0]))

    @extend_schema(
        operation_id="events_start_play_off",
        request=TiedInput,
        responses=response_schemas(AfterPlayOff, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        """Create a play-off of one-point matches in which each entry of a tied group meets each other."""
        found_event, stage, arguments, entries = self.asked(request, event, TiedInput)
        with map_fault_fields({"entry": "entries"}):
            play_offs.start_play_off(**arguments, entries=entries)
        return self.respond(found_event, stage, status=201)


class CancelPlayOff(_PlayOffView):
    """Cancel the last play-off and delete its matches, if none of them has begun."""

    @extend_schema(
        operation_id="events_take_back_play_off",
        request=PlayOffInput,
        responses=response_schemas(AfterPlayOff),
    )
    def post(self, request: Request, event: str) -> Response:
        found_event, stage, arguments, _entries = self.asked(request, event, PlayOffInput)
        play_offs.cancel_play_off(**arguments)
        return self.respond(found_event, stage)


class RecordPlayOff(_PlayOffView):
    """Record the order of a tied group after a play-off held elsewhere. Recording again replaces the earlier
    order.
    """

    @extend_schema(
        operation_id="events_record_play_off",
        request=TiedInput,
        responses=response_schemas(AfterPlayOff),
    )
    def post(self, request: Request, event: str) -> Response:
        found_event, stage, arguments, order = self.asked(request, event, TiedInput)
        with map_fault_fields({"order": "entries"}):
            play_offs.record_play_off(**arguments, order=order)
        return self.respond(found_event, stage)


class DiscardPlayOffOrders(_PlayOffView):
    """Discard all recorded play-off orders of a stage; the entries are tied again."""

    @extend_schema(
        operation_id="events_forget_play_offs",
        request=PlayOffInput,
        responses=response_schemas(AfterPlayOff),
    )
    def post(self, request: Request, event: str) -> Response:
        found_event, stage, arguments, _entries = self.asked(request, event, PlayOffInput)
        play_offs.discard_recorded_play_offs(**arguments)
        return self.respond(found_event, stage)


def _stage_by_place(event: Event, division: int, place: int) -> Stage:
    stage = stages_by_number(event).get((division, place))
    if stage is None:
        raise Missing("stage.unknown")
    return stage


def _entry_row_ids(stage: Stage, public_ids: Iterable[str]) -> list[int]:
    """Return the database ids of entries, in the order of ``public_ids``.

    For an entry of another division it is 0, which is never tied.
    """
    requested_ids = list(public_ids)
    id_by_public_id = ids_by_public_id(stage.division_id, requested_ids)
    return [id_by_public_id.get(public_id, 0) for public_id in requested_ids]


def _ties(event: Event) -> Ties:
    stage_by_place = {
        position: stage for position, stage in stages_by_number(event).items() if is_round_based(stage)
    }
    draws = load_draws(stage_by_place.values())
    prefetch_stage_entries(stage_by_place.values())
    ids = public_id_by_entry(event)

    def named(groups: tuple[tuple[EntryId, ...], ...]) -> list[list[str]]:
        return [[ids[pk] for pk in group] for group in groups]

    stages = []
    for (number, place), stage in stage_by_place.items():
        draw, is_over = draws[stage.pk], can_break_ties(event, stage)
        stages.append(
            Tied(
                division=number,
                stage=place,
                status=StageStatus(stage.status),
                to_play=named(playable_ties(draw)) if is_over else [],
                to_record=named(unbroken_ties(draw)) if is_over else [],
                under_way=is_play_off_under_way(draw),
                recorded=bool(play_off_points(stage)),
            )
        )
    return Ties(event.version, stages)


def _after_play_off(event: Event, stage: Stage) -> AfterPlayOff:
    """Return the stage as the bracket API gives it; the stage is drawn, because its last round is over."""
    division = next(
        candidate for candidate in division_views(event) if candidate.division.pk == stage.division_id
    )
    view = next(view for view in division.stages if view.stage.pk == stage.pk)
    assert view.draw is not None
    bracket = StageBracket.of(division, view, view.draw, players_of_matches(view.draw.matches))
    return AfterPlayOff(event.version, StageStatus(stage.status), bracket)
