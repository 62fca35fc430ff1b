"""Corrections for programs of directors: what one would change (ratings too), the correction itself, and taking the last
repair back.

200: previewed, or taken back. 201: corrected. 409: the match moved on, or a repair has to be chosen (``present`` names
them). 422: an impossible score, with every reason. 403 and 404 as on the pages. The same key again is answered alike.
"""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.actors import Actor
from people.models import User
from people.permissions import require_director
from people.selectors import fresh
from rating.selectors import Preview as RatingPreview
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models.choices import MATCH_STATUS, RESULT_KIND, SIDE
from tournaments.models.report import KEY_LIMIT, NOTE_LIMIT
from tournaments.repairs.services.correct import check_correction, correct_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.access.visibility import SeenMatch, event_seen_by, match_seen_by
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.repairs.corrections import Cascade, PlaceChange, correction_preview, rating_effects
from tournaments.selectors.repairs.undo import repair_of_match
from tournaments.shared.api import schemas, shapes

REFUSALS: dict[Any, Any] = dict.fromkeys((403, 404, 409, 422), schemas.RefusalSchema)
REPAIRS = [repair.value for repair in Repair]


class CorrectionInput(serializers.Serializer[object]):
    """The right result; ``length`` if the match should have had another one."""

    score_a = serializers.IntegerField()
    score_b = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=RESULT_KIND, default="played")
    winner = serializers.ChoiceField(choices=SIDE, required=False, allow_null=True, default=None)
    length = serializers.IntegerField(required=False, allow_null=True, default=None)


class CorrectInput(CorrectionInput):
    """The same with the repair that was chosen. ``seen``: of the preview; if anything has changed since, 409."""

    repair = serializers.ChoiceField(choices=REPAIRS, required=False, allow_null=True, default=None)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    note = serializers.CharField(max_length=NOTE_LIMIT, required=False, allow_blank=True, default="")
    submission_key = serializers.CharField(max_length=KEY_LIMIT)


class MoveSchema(serializers.Serializer[object]):
    """A slot that changes hands, by names; empty: nobody, for good if ``vacant``."""

    match = serializers.IntegerField()
    side = serializers.ChoiceField(choices=SIDE)
    before = serializers.CharField()
    after = serializers.CharField()
    vacant = serializers.BooleanField()


class VoidedSchema(serializers.Serializer[object]):
    """A result that falls away, and what the match is then."""

    match = serializers.IntegerField()
    status = serializers.ChoiceField(choices=MATCH_STATUS)


class PlaceChangeSchema(serializers.Serializer[object]):
    """Places as “1” or “3–4”, empty while they are open; ``section`` is empty in a table."""

    name = serializers.CharField()
    section = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class RatingChangeSchema(serializers.Serializer[object]):
    """A rating that would be another, by exact numbers; null: not on the list."""

    list = serializers.CharField(source="list_public_id")
    list_name = serializers.CharField()
    player = serializers.CharField(source="player.public_id")
    name = serializers.CharField(source="player.name")
    before = serializers.FloatField(source="now", allow_null=True)
    after = serializers.FloatField(source="then", allow_null=True)


class RatingsSchema(serializers.Serializer[object]):
    """What the corrected results alone do to the ratings, as the director's page tells it."""

    total = serializers.IntegerField(help_text="How many ratings change.")
    changes = RatingChangeSchema(
        many=True, source="shown", help_text="The largest of each list, about forty in all."
    )
    notes = serializers.ListField(
        child=serializers.CharField(),
        help_text="Lists that cannot be foretold, in words: those whose rating period is still open"
        " (Glicko-2), and those with very many results since.",
    )


class CascadeSchema(serializers.Serializer[object]):
    """A repair and all that it does."""

    repair = serializers.ChoiceField(choices=REPAIRS)
    moves = MoveSchema(many=True)
    voided = VoidedSchema(many=True)
    given = serializers.ListField(
        child=serializers.IntegerField(), help_text="Matches that become walk-overs."
    )
    stopped = serializers.ListField(child=serializers.IntegerField(), help_text="Matches at a table now.")
    places = PlaceChangeSchema(many=True)
    ratings = RatingsSchema()


class CorrectionPreviewSchema(serializers.Serializer[object]):
    """Every repair that there is, with all that it does."""

    seen = serializers.CharField()
    repairs = CascadeSchema(many=True)


class CorrectedSchema(serializers.Serializer[object]):
    """The match as it stands; ``undo`` names what takes the correction back."""

    repair = serializers.ChoiceField(choices=REPAIRS)
    undo = serializers.IntegerField(allow_null=True)
    match = schemas.MatchDetailSchema()


class UndoInput(serializers.Serializer[object]):
    """The ``undo`` that a correction gave."""

    undo = serializers.IntegerField(min_value=1, max_value=2**62)


class UndoneSchema(serializers.Serializer[object]):
    undone = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Of the event.")


class _DirectorView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def actor(self, request: Request) -> Actor:
        return Actor.of(cast("User", request.user))

    def match(self, request: Request, public_id: str) -> SeenMatch:
        seen = match_seen_by(request.user, public_id)
        require_director(self.actor(request), seen.event.club)
        return seen


class PreviewCorrection(_DirectorView):
    """What another result would change, and the repairs to choose from. Nothing is written."""

    @extend_schema(
        operation_id="matches_correct_preview",
        request=CorrectionInput,
        responses={200: CorrectionPreviewSchema, **REFUSALS},
    )
    def post(self, request: Request, match: str) -> Response:
        seen = self.match(request, match)
        form = CorrectionInput(data=request.data)
        form.is_valid(raise_exception=True)
        claim, length = _claim(form.validated_data), form.validated_data["length"]
        check_correction(match=seen.match, claim=claim, length=length)
        preview = correction_preview(seen.match, claim, length)
        repairs = [
            _cascade(repair, cascade, rating_effects(seen.match, claim, length, cascade))
            for repair, cascade in preview.repairs.items()
        ]
        return Response({"seen": preview.seen, "repairs": repairs})


class CorrectResult(_DirectorView):
    """Put the right result in the place of the confirmed one, with the repair that was chosen."""

    @extend_schema(
        operation_id="matches_correct", request=CorrectInput, responses={201: CorrectedSchema, **REFUSALS}
    )
    def post(self, request: Request, match: str) -> Response:
        seen = self.match(request, match)
        form = CorrectInput(data=request.data)
        form.is_valid(raise_exception=True)
        body = form.validated_data
        done = correct_result(
            actor=self.actor(request),
            event_id=seen.event.pk,
            match_id=seen.match.pk,
            claim=_claim(body),
            submission_key=body["submission_key"],
            note=body["note"],
            repair=Repair(body["repair"]) if body["repair"] else None,
            previewed=body["seen"],
            length=body["length"],
        )
        now = match_seen_by(request.user, match)
        last = repair_of_match(now.event, now.match)
        shape = {
            "repair": done.repair.value,
            "undo": last.pk if last is not None else None,
            "match": shapes.match_detail(now.match, drawn_match(now.match)),
        }
        return Response(shape, status=201)


class UndoRepair(_DirectorView):
    """Take the last repair of a stage back, as long as nothing was built on it."""

    @extend_schema(operation_id="events_undo", request=UndoInput, responses={200: UndoneSchema, **REFUSALS})
    def post(self, request: Request, event: str) -> Response:
        seen = event_seen_by(request.user, event)
        form = UndoInput(data=request.data)
        form.is_valid(raise_exception=True)
        number = form.validated_data["undo"]
        undo_repair(actor=self.actor(request), event_id=seen.event.pk, audit_id=number)
        return Response({"undone": number, "version": fresh(seen.event).version})


def _claim(body: dict[str, Any]) -> Claim:
    winner = Side(body["winner"]) if body["winner"] else None
    return Claim(body["score_a"], body["score_b"], ResultKind(body["kind"]), winner)


def _cascade(repair: Repair, cascade: Cascade, ratings: RatingPreview) -> dict[str, Any]:
    return {
        "repair": repair.value,
        "moves": [
            {
                "match": seat.match.number,
                "side": seat.side.value,
                "before": seat.before,
                "after": seat.after,
                "vacant": seat.vacant,
            }
            for seat in cascade.seats
        ],
        "voided": [{"match": match.number, "status": status.value} for match, status in cascade.voided],
        "given": [match.number for match, _name in cascade.given],
        "stopped": [match.number for match in cascade.sent_back],
        "places": [_place(change) for change in cascade.places],
        "ratings": RatingsSchema(ratings).data,
    }


def _place(change: PlaceChange) -> dict[str, str]:
    return {
        "name": change.name,
        "section": change.section,
        "before": str(change.before or ""),
        "after": str(change.after or ""),
    }
