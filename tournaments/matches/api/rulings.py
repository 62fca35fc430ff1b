"""API: rulings by directors: awarded points, lateness and slow play by schedule, clocks, adjourn and resume.

200: done, with the current match. 409: the match has changed, or is over. 422: with every reason. 403 and 404
as on the pages. ``seen``: the version of the match that you read.
"""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Invalid
from people.api.answers import response_schemas
from people.api.bodies import parse_body
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import MANUAL_REASONS, Award, AwardReason
from tournaments.engine.types import Score, Side
from tournaments.matches.services import rulings
from tournaments.models.choices import SIDE_CHOICES
from tournaments.selectors.access.visibility import visible_match
from tournaments.selectors.draws import drawn_match
from tournaments.shared.api.asking import director_actor
from tournaments.shared.api.values import MatchDetail


class SeenInput(serializers.Serializer[object]):
    """The version of the match that you read."""

    seen = serializers.IntegerField()


class AwardInput(SeenInput):
    """Points for one side. A starting score replaces the previous one; penalties add up and need a reason."""

    to = serializers.ChoiceField(choices=SIDE_CHOICES)
    points = serializers.IntegerField(min_value=0, max_value=99)
    why = serializers.ChoiceField(choices=[reason.value for reason in MANUAL_REASONS])
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class LateInput(SeenInput):
    """The late side, and by how many minutes; the stage's schedule sets the penalty."""

    late = serializers.ChoiceField(choices=SIDE_CHOICES)
    minutes = serializers.IntegerField()


class SlowInput(SeenInput):
    """The slow side, and by how many minutes the match is over its time.

    The stage's schedule sets the penalty.
    """

    slow = serializers.ChoiceField(choices=SIDE_CHOICES)
    minutes = serializers.IntegerField()


class ClockInput(SeenInput):
    """The current score, from which the time for the rest of the match follows; for both sides or neither."""

    score_a = serializers.IntegerField(required=False, allow_null=True, default=None)
    score_b = serializers.IntegerField(required=False, allow_null=True, default=None)


class TakeBackInput(SeenInput):
    """The award to remove: its index in the match's ``awards``, from 0."""

    number = serializers.IntegerField()


class AdjournInput(SeenInput):
    """State of an adjourned match; only the score is required. The position is a position ID or an XGID."""

    score_a = serializers.IntegerField()
    score_b = serializers.IntegerField()
    cube = serializers.IntegerField(default=1)
    cube_owner = serializers.ChoiceField(choices=SIDE_CHOICES, required=False, allow_null=True, default=None)
    position = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    on_roll = serializers.ChoiceField(choices=SIDE_CHOICES, required=False, allow_null=True, default=None)
    dice = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        required=False,
        allow_null=True,
        default=None,
    )
    clock_a = serializers.IntegerField(required=False, allow_null=True, default=None, help_text="In seconds.")
    clock_b = serializers.IntegerField(required=False, allow_null=True, default=None, help_text="In seconds.")
    resumes_on = serializers.DateField(required=False, allow_null=True, default=None)
    resumes_at = serializers.TimeField(required=False, allow_null=True, default=None)
    place = serializers.CharField(required=False, allow_blank=True, default="")
    note = serializers.CharField(required=False, allow_blank=True, default="")


class _RulingView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def known(self, request: Request, public_id: str) -> dict[str, Any]:
        """Return actor, event id and match id as keyword arguments for a service in ``rulings``."""
        visible = visible_match(request.user, public_id)
        return {
            "actor": director_actor(request, visible.event.club),
            "event_id": visible.event.pk,
            "match_id": visible.match.pk,
        }

    def respond(self, request: Request, public_id: str) -> Response:
        now = visible_match(request.user, public_id).match
        return Response(MatchDetail.about(now, drawn_match(now)))


class AwardPoints(_RulingView):
    """Award points to one side: a starting score or a penalty."""

    @extend_schema(
        operation_id="matches_award",
        request=AwardInput,
        responses=response_schemas(MatchDetail),
    )
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, AwardInput)
        award = Award(Side(body["to"]), body["points"], AwardReason(body["why"]), note=body["note"])
        rulings.award_points(**service_args, award=award, seen=body["seen"])
        return self.respond(request, match)


class AwardForLateness(_RulingView):
    """Award points for lateness by the stage's schedule. Rejected if the schedule says that the match is
    lost.
    """

    @extend_schema(operation_id="matches_late", request=LateInput, responses=response_schemas(MatchDetail))
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, LateInput)
        rulings.award_for_lateness(
            **service_args, late=Side(body["late"]), minutes=body["minutes"], seen=body["seen"]
        )
        return self.respond(request, match)


class AwardForSlowPlay(_RulingView):
    """Award points for slow play by the stage's schedule, replacing points awarded for slow play before."""

    @extend_schema(operation_id="matches_slow", request=SlowInput, responses=response_schemas(MatchDetail))
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, SlowInput)
        rulings.award_for_slow_play(
            **service_args, slow=Side(body["slow"]), minutes=body["minutes"], seen=body["seen"]
        )
        return self.respond(request, match)


class AddClock(_RulingView):
    """Record that a match is played with a clock from its next game on."""

    @extend_schema(operation_id="matches_clock", request=ClockInput, responses=response_schemas(MatchDetail))
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, ClockInput)
        a, b = body["score_a"], body["score_b"]
        if (a is None) is not (b is None):
            raise Invalid("clock.score_of_one", field="score_a" if a is None else "score_b")
        score = Score(a, b) if a is not None else None
        rulings.add_clock(**service_args, score=score, seen=body["seen"])
        return self.respond(request, match)


class RemoveClock(_RulingView):
    """Remove a clock that was added by mistake."""

    @extend_schema(
        operation_id="matches_clock_off", request=SeenInput, responses=response_schemas(MatchDetail)
    )
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, SeenInput)
        rulings.remove_clock(**service_args, seen=body["seen"])
        return self.respond(request, match)


class RemoveAward(_RulingView):
    """Remove points that were awarded by mistake."""

    @extend_schema(
        operation_id="matches_take_back_award",
        request=TakeBackInput,
        responses=response_schemas(MatchDetail),
    )
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, TakeBackInput)
        rulings.remove_award(**service_args, **body)
        return self.respond(request, match)


class AdjournMatch(_RulingView):
    """Adjourn a match, or change the details of an adjourned one."""

    @extend_schema(
        operation_id="matches_adjourn",
        request=AdjournInput,
        responses=response_schemas(MatchDetail),
    )
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, AdjournInput)
        expected_version, score = body.pop("seen"), Score(body.pop("score_a"), body.pop("score_b"))
        sides = {name: Side(body[name]) if body[name] else None for name in ("cube_owner", "on_roll")}
        dice = tuple(body["dice"]) if body["dice"] else None
        adjournment = Adjournment(score, **{**body, **sides, "dice": dice})
        rulings.adjourn_match(**service_args, adjourned=adjournment, seen=expected_version)
        return self.respond(request, match)


class ResumeMatch(_RulingView):
    """Resume an adjourned match: it returns to the queue for a table."""

    @extend_schema(
        operation_id="matches_resume",
        request=SeenInput,
        responses=response_schemas(MatchDetail),
    )
    def post(self, request: Request, match: str) -> Response:
        service_args, body = self.known(request, match), parse_body(request, SeenInput)
        rulings.resume_match(**service_args, seen=body["seen"])
        return self.respond(request, match)
