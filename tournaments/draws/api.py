"""API: draws, for directors: what is missing for publication, publication, and public randomness.

A stage is given by the number of its ``division`` in the event and its own ``stage`` number in the division,
both from 1. 409: an entry is not checked in (``check_in.missing``; ``present.missing`` names the entries),
there is nothing to publish, or the pairing is not the one in ``seen``. 403: not the caller's event. 404: not
found.
"""

from datetime import date
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from people.selectors import refresh_row
from tournaments.draws.services.draws import publish_draw
from tournaments.draws.services.randomness import choose_randomness
from tournaments.draws.web.director import absent_entries
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.randomness import MAX_LABEL_LENGTH, QUICKNET, RandomnessChoice, RandomnessKind
from tournaments.engine.statuses import StageStatus
from tournaments.models import Event, Stage
from tournaments.rounds.services.rounds import publish_round
from tournaments.selectors.check_in import required_check_in
from tournaments.selectors.draws import Draw, load_draws
from tournaments.selectors.entries import ids_by_public_id
from tournaments.selectors.events.detail import stages_by_number
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.next import rounds_to_publish
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.api.asking import director_actor, stage_by_number
from tournaments.shared.api.event_view import EventView

MAX_NAMED_ENTRIES = 1024


class Absent(Answer, frozen=True):
    """An entry that would be drawn but is not checked in."""

    id: str
    name: str


class DrawGate(Answer, frozen=True):
    """A stage, whether its draw or next round can be published, and which players are not checked in."""

    division: int
    stage: int
    status: StageStatus
    to_publish: Annotated[bool, field_description("Whether a draw or pairing is ready to be published.")]
    pairing: Annotated[
        str,
        field_description(
            "ID of the pairing, to be sent as `seen`. Empty for a bracket, or without a pairing."
        ),
    ]
    check_in: Annotated[
        date | None, field_description("The date of the check-in that applies; null if none.")
    ]
    absent: list[Absent]


class PublishInput(serializers.Serializer[object]):
    """The stage to publish.

    ``absent``: ids of entries to draw although they are not checked in; ``seen``: the ``pairing`` that you
    read, needed for rounds.
    """

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    stage = serializers.IntegerField(default=1, min_value=1, max_value=99)
    absent = serializers.ListField(
        child=serializers.CharField(max_length=16), required=False, default=list, max_length=MAX_NAMED_ENTRIES
    )
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class RandomnessInput(serializers.Serializer[object]):
    """The stage, and the public number to use for its next draw.

    That number is the first round of the drand ``network`` at or after ``due_at``, or the lottery number
    described by ``label`` and drawn at ``due_at``. ``seen``: hash of the list of entries that you read; empty
    for the current list.
    """

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    stage = serializers.IntegerField(default=1, min_value=1, max_value=99)
    source = serializers.ChoiceField(choices=list(RandomnessKind), default=RandomnessKind.DRAND)  # type: ignore[assignment]
    network = serializers.CharField(max_length=64, default=QUICKNET.hash)
    due_at = serializers.DateTimeField()
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=MAX_LABEL_LENGTH, required=False, allow_blank=True, default=""
    )
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class NamedRandomness(Answer, frozen=True):
    """The public randomness that was chosen for the next draw of a stage."""

    number: Annotated[
        int, field_description("Number in the stage; `draws/` gives the rest under this number.")
    ]
    source: RandomnessKind
    network: Annotated[str, field_description("Chain hash of the drand network; empty for a lottery.")]
    round: int | None
    label: str
    due_at: Moment
    list_hash: Annotated[str, field_description("SHA-256 of the list, which is now closed.")]
    promise: Annotated[str, field_description("Commitment to the secret that it is combined with.")]
    commitment: Annotated[str, field_description("The hash for witnesses to note.")]


class NameRandomness(EventView):
    """Choose the public number that the next draw of a stage will use. You cannot undo this. Choosing another
    one replaces it, and both stay public.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="events_name_randomness",
        request=RandomnessInput,
        responses=response_schemas(NamedRandomness, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, RandomnessInput)
        randomness = choose_randomness(
            actor=actor,
            event_id=visible.event.pk,
            stage_id=stage_by_number(visible.event, body["division"], body["stage"]).pk,
            naming=RandomnessChoice(
                RandomnessKind(body["source"]), body["due_at"], body["label"], body["network"]
            ),
            seen=body["seen"],
        )
        answer = NamedRandomness(
            number=randomness.number,
            source=RandomnessKind(randomness.kind),
            network=randomness.network,
            round=randomness.round,
            label=randomness.label,
            due_at=randomness.due_at,
            list_hash=randomness.list_hash,
            promise=randomness.promise,
            commitment=randomness.commitment,
        )
        return Response(answer, status=201)


class DrawGates(EventView):
    """List the stages of an event, whether a draw or round can be published, and who is not checked in."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_draw_gates", responses=response_schemas(list[DrawGate]))
    def get(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        director_actor(request, visible.event.club)
        return Response(_gates(visible.event))

    @extend_schema(
        operation_id="events_publish", request=PublishInput, responses=response_schemas(list[DrawGate])
    )
    def post(self, request: Request, event: str) -> Response:
        """Publish the draw of a stage, or its next round. Returns all stages of the event."""
        visible = self.get_visible_event(request, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, PublishInput)
        stage = stage_by_number(visible.event, body["division"], body["stage"])
        absent = set(ids_by_public_id(stage.division_id, body["absent"]).values())
        arguments: dict[str, Any] = {"actor": actor, "event_id": visible.event.pk, "stage_id": stage.pk}
        if is_round_based(stage):
            publish_round(**arguments, absent=absent, seen=body["seen"])
        else:
            publish_draw(**arguments, absent=absent)
        return Response(_gates(refresh_row(visible.event)))


def _gates(event: Event) -> list[DrawGate]:
    stage_by_place = {
        position: stage for position, stage in stages_by_number(event).items() if not is_money(stage)
    }
    draws = load_draws(stage_by_place.values())
    gates = []
    for (number, place), stage in stage_by_place.items():
        pairing = _pending_pairing_version(stage, draws[stage.pk])
        check_in = required_check_in(event, stage)
        gates.append(
            DrawGate(
                division=number,
                stage=place,
                status=StageStatus(stage.status),
                to_publish=bool(pairing) or (not is_round_based(stage) and stage.status == StageStatus.DRAWN),
                pairing=pairing,
                check_in=check_in.day if check_in is not None else None,
                absent=[
                    Absent(entry.public_id, entry.name)
                    for entry in absent_entries(event, stage, draws[stage.pk])
                ],
            )
        )
    return gates


def _pending_pairing_version(stage: Stage, draw: Draw) -> str:
    """Return the version of the pairing that waits to be published; empty if there is none."""
    if not is_round_based(stage) or not stage.next_seed:
        return ""
    try:
        new_rounds = rounds_to_publish(stage, draw)
    except BadInput:
        return ""
    return new_rounds[0].version if new_rounds else ""
