"""API: analyses of matches, and requests for them.

The two players of a match (by personal link, or signed in) request the analysis and read it. Everyone reads
the analysis if both players agreed. A director requests the analyses of one match, a stage or the whole
event, sees the progress, cancels waiting ones, and reads no more than the public.

200: the current state. 202: requested, not done yet. 404: nothing visible to the caller. 409: no engine is
installed, or nothing can be analysed.
"""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Conflict, Missing
from games.analysis.port import BROKEN, LIMIT_REACHED, MISREAD, NO_ENGINE, NOT_FIT, EngineError
from games.models import RecordAnalysis
from games.records.analysis import Analysis, Chances, Decision, DecisionKind
from games.records.performance import (
    ErrorClass,
    Performance,
    error_class,
    luck_adjusted_result,
    performances,
)
from games.records.replaying import format_steps
from games.rules.sides import SIDES
from games.rules.sides import Side as RecordSide
from games.selectors import stored_decisions
from games.services.analyses import load_record, request_analysis
from games.services.many_analyses import BulkRequestResult
from games.web.analysed import engine_label
from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, one_of, response_schemas
from people.api.bodies import parse_body
from tournaments.engine.types import Side
from tournaments.matches.api.sums import Margin, SumsOfPlay, decision_counts, rating_margin
from tournaments.matches.services.analyses import cancel_analyses, request_analyses
from tournaments.models import Event, Match
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.director import numbered_stages
from tournaments.selectors.matches.analyses import MatchAnalysis, analysis_of_match, public_analysis
from tournaments.selectors.matches.analysing import AnalysisProgress, analysis_progress
from tournaments.selectors.matches.answers import own_entry_in
from tournaments.selectors.matches.player import my_match
from tournaments.shared.api.asking import director_actor, stage_by_number
from tournaments.shared.api.auth import LinkAuthentication, linked_entry
from tournaments.shared.api.event_view import match_for

_EQUITY_NOTE = "Winning a single game with the cube unchanged is 1."
# Public if both players agreed; a link or a session shows more.
OPTIONAL_AUTH: Any = [{"personalLink": []}, {"cookieAuth": []}, {}]


class PlayChances(Answer, frozen=True):
    """Probabilities of the outcomes for the player who decides. Wins include gammons, gammons backgammons."""

    win: float
    gammon: float
    backgammon: float
    gammon_lost: float
    backgammon_lost: float

    @classmethod
    def of(cls, chances: Chances | None) -> "PlayChances | None":
        return None if chances is None else cls(*chances)


class CandidatePlay(Answer, frozen=True):
    """A candidate play with its equity."""

    play: Annotated[str, field_description("In the mover's numbering; empty if none.")]
    equity: Annotated[float, field_description(_EQUITY_NOTE)]
    chances: Annotated[
        PlayChances | None,
        field_description("For the best play and the play that was made, if the engine gives them."),
    ]
    level: Annotated[str, field_description("Depth of the evaluation.")]


class AnalysedChoice(Answer, frozen=True):
    """One decision in the record: a checker play, whether to double, or whether to take."""

    game: Annotated[int, field_description("From 1.")]
    turn: Annotated[int, field_description("From 1 in each game, counted like the findings of a check.")]
    kind: DecisionKind
    player: Annotated[int, field_description("0 for the left player of the record, 1 for the right one.")]
    lost: Annotated[
        float | None, field_description(f"Equity lost; null if only the luck is known. {_EQUITY_NOTE}")
    ]
    error: Annotated[
        ErrorClass, field_description("By equity lost: from 0.020 an error, from 0.080 a blunder.")
    ]
    counts: Annotated[bool, field_description("Whether the decision counts for the performance rating.")]
    luck: Annotated[float | None, field_description("Equity of the roll compared with the average roll.")]
    played: Annotated[int | None, field_description("Index in `plays` of the play that was made, from 0.")]
    plays: Annotated[
        list[CandidatePlay],
        field_description("The best twelve plays, best first; always includes the play that was made."),
    ]
    cube: Annotated[
        list[float] | None,
        field_description("Equities for the doubler: no double, double/take, and double/pass."),
    ]
    chances: Annotated[PlayChances | None, field_description("Before the roll, if the engine gives them.")]

    @classmethod
    def of(cls, row: Decision) -> "AnalysedChoice":
        return cls(
            game=row.game,
            turn=row.turn,
            kind=row.kind,
            player=row.side.column,
            lost=row.lost,
            error=error_class(row.lost),
            counts=row.counts,
            luck=row.luck,
            played=row.played,
            plays=[
                CandidatePlay(format_steps(play.steps), play.equity, PlayChances.of(play.chances), play.level)
                for play in row.plays
            ],
            cube=list(row.cube) if row.cube is not None else None,
            chances=PlayChances.of(row.chances),
        )


class PlayOfSide(SumsOfPlay, frozen=True):
    """Summary of the decisions of one player of the match. The rating of a single match means little."""

    player: Annotated[int, field_description("0 for the left player of the record, 1 for the right one.")]
    rating: Annotated[
        float | None,
        field_description(
            "As eXtreme Gammon calculates it: 500 × equity lost / decisions that count; null if the engine is not"
            " precise enough."
        ),
    ]
    checker: Annotated[float | None, field_description("The same for checker plays.")]
    cube: Annotated[float | None, field_description("The same for cube decisions.")]
    lost: Annotated[float, field_description("Equity lost in decisions that count.")]
    luck: Annotated[float, field_description("Luck of all rolls, as equity.")]
    even: Annotated[
        float | None,
        field_description(
            "Luck-adjusted result, as a winning chance; null for money play and unfinished matches."
        ),
    ]

    @classmethod
    def of(
        cls, side: RecordSide, performance: Performance, adjusted_share: float | None, *, rates: bool
    ) -> "PlayOfSide":
        def rated(value: float | None) -> float | None:
            return round(value, 2) if rates and value is not None else None

        return cls(
            **decision_counts(performance),
            player=side.column,
            rating=rated(performance.rating),
            checker=rated(performance.checker_rating),
            cube=rated(performance.cube_rating),
            lost=round(performance.lost, 4),
            luck=round(performance.luck, 4),
            even=None if adjusted_share is None else round(min(max(adjusted_share, 0.0), 1.0), 4),
        )


class AnalysisResult(Answer, frozen=True):
    """The engine's evaluation of the whole match."""

    estimated: Annotated[
        bool,
        field_description(
            "Whether ratings are estimated by an engine of the site; if false, they are eXtreme Gammon's own."
        ),
    ]
    margin: Margin
    sides: Annotated[list[PlayOfSide], field_description("Left player of the record first.")]
    decisions: list[AnalysedChoice]

    @classmethod
    def of(cls, row: RecordAnalysis) -> "AnalysisResult | None":
        """Return the stored result, or None if the record can no longer be replayed."""
        try:
            replay = load_record(row.record).replay
        except EngineError:
            return None
        decisions = stored_decisions(row)
        sums = performances(decisions, replay)
        result = luck_adjusted_result(Analysis(row.engine, decisions), replay)
        adjusted_shares: dict[RecordSide, float | None] = dict.fromkeys(SIDES)
        if result is not None:
            adjusted_shares = {
                RecordSide.WHITE: 0.5 + result.adjusted,
                RecordSide.BLACK: 0.5 - result.adjusted,
            }
        return cls(
            estimated=not row.of_file,
            margin=rating_margin(estimated=not row.of_file),
            sides=[PlayOfSide.of(side, sums[side], adjusted_shares[side], rates=row.rates) for side in SIDES],
            decisions=[AnalysedChoice.of(decision) for decision in decisions],
        )


class AnalysisOfMatch(Answer, frozen=True):
    """Progress of the analysis of a match, and its result for those who may see it."""

    state: Annotated[
        str,
        one_of(["", *RecordAnalysis.State.values]),
        field_description("Empty if no analysis was requested."),
    ]
    report: Annotated[int, field_description("Version of the report that included the analysed record.")]
    left: Annotated[
        Side | None,
        field_description("The side of the match that is the left player of the record, if known."),
    ]
    engine: Annotated[
        str, field_description("Name, version and level of the engine; empty if no analysis was requested.")
    ]
    games: Annotated[int, field_description("Number of games to analyse; 0 until the record has been read.")]
    games_done: int
    failure: Annotated[
        str,
        one_of(["", NO_ENGINE, LIMIT_REACHED, NOT_FIT, MISREAD, BROKEN]),
        field_description(
            "Why the analysis failed: no engine is installed any longer, it took too long, the record cannot be"
            " analysed, or the engine could not read it or read it differently."
        ),
    ]
    asked_at: Moment | None
    finished_at: Moment | None
    result: Annotated[
        AnalysisResult | None, field_description("Null without a result, or if you may not see it.")
    ]

    @classmethod
    def of(cls, match_analysis: MatchAnalysis, *, can_see: bool) -> "AnalysisOfMatch":
        row = match_analysis.row
        return cls(
            state=row.state if row is not None else "",
            report=match_analysis.record.version,
            left=match_analysis.record.left,
            engine=engine_label(row) if row is not None else "",
            games=row.games if row is not None else 0,
            games_done=row.games_done if row is not None else 0,
            failure=row.failure if row is not None else "",
            asked_at=row.asked_at if row is not None else None,
            finished_at=row.finished_at if row is not None else None,
            result=AnalysisResult.of(row) if can_see and row is not None and match_analysis.done else None,
        )


class MatchAnalysisView(APIView):
    """Get the analysis of a match: its progress and result."""

    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = ()

    @extend_schema(
        operation_id="matches_analysis", auth=OPTIONAL_AUTH, responses=response_schemas(AnalysisOfMatch)
    )
    def get(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        is_own = _is_match_player(request, visible.match)
        match_analysis = analysis_of_match(visible.match)
        public_row = None if is_own else public_analysis(visible.match)
        is_public = match_analysis is not None and public_row is not None and public_row == match_analysis.row
        if match_analysis is None or not (is_own or is_public or visible.can_direct):
            raise Missing("analysis.unknown")
        return Response(AnalysisOfMatch.of(match_analysis, can_see=is_own or is_public))

    @extend_schema(
        operation_id="matches_analyse", request=None, responses=response_schemas(AnalysisOfMatch, 200, 202)
    )
    def post(self, request: Request, match: str) -> Response:
        """Request the analysis of a match. Requesting again changes nothing, except that a failed analysis is
        tried again. If the file contains an analysis, that one is saved at once.
        """
        visible = match_for(request, match)
        is_own = _is_match_player(request, visible.match)
        if is_own:
            match_analysis = analysis_of_match(visible.match)
            if match_analysis is None:
                raise Missing("analysis.unknown")
            try:
                request_analysis(record_id=match_analysis.record.record_id)
            except EngineError as error:
                raise Conflict(error.code, present=visible.match) from error
        else:
            actor = director_actor(request, visible.event.club)
            request_analyses(actor=actor, event_id=visible.event.pk, match_id=visible.match.pk)
        current = analysis_of_match(visible.match)
        if current is None:
            raise Missing("analysis.unknown")
        return Response(AnalysisOfMatch.of(current, can_see=is_own), status=200 if current.done else 202)


def _is_match_player(request: Request, match: Match) -> bool:
    """Return whether a player of the match makes the request, by personal link or signed in."""
    entry = linked_entry(request)
    if entry is not None:
        return my_match(entry, match.public_id) is not None
    return request.user.is_authenticated and own_entry_in(match, request.user.pk) is not None


class StageOfAnalyses(Answer, frozen=True):
    """Progress of the analyses of a stage. Matches counted under no state have not been requested."""

    division: Annotated[int, field_description("The number of the division.")]
    stage: Annotated[int, field_description("Its number in the division.")]
    played: Annotated[int, field_description("Number of confirmed matches.")]
    with_games: Annotated[int, field_description("Number of these with a game record that fits the result.")]
    done: int
    working: int
    waiting: int
    failed: int

    @classmethod
    def of(cls, division: int, stage: int, progress: AnalysisProgress) -> "StageOfAnalyses":
        return cls(
            division,
            stage,
            progress.played,
            progress.with_games,
            progress.done,
            progress.working,
            progress.waiting,
            progress.failed,
        )


class AnalysesOfEvent(Answer, frozen=True):
    """Progress of the analyses of an event, for each stage.

    `asked`, `there` and `hopeless` describe this request and are 0 if nothing was requested.
    """

    stages: list[StageOfAnalyses]
    asked: Annotated[int, field_description("Number of analyses added to the queue by this request.")] = 0
    there: Annotated[int, field_description("Number that were already done or in progress.")] = 0
    hopeless: Annotated[int, field_description("Number of records that cannot be analysed.")] = 0
    called_off: int = 0

    @classmethod
    def about(
        cls, event: Event, bulk_result: BulkRequestResult | None = None, cancelled_count: int = 0
    ) -> "AnalysesOfEvent":
        progress = analysis_progress(event)
        stages = [
            StageOfAnalyses.of(division, number, progress.get(stage.pk, AnalysisProgress()))
            for (division, number), stage in numbered_stages(event).items()
        ]
        counts = (
            (bulk_result.asked, bulk_result.there, bulk_result.impossible_count)
            if bulk_result is not None
            else (0, 0, 0)
        )
        return cls(stages, *counts, cancelled_count)


class AnalysedStageInput(serializers.Serializer[object]):
    """The number of a division, and the number of a stage in the division.

    Without both, the whole event.
    """

    division = serializers.IntegerField(
        min_value=1, max_value=99, required=False, allow_null=True, default=None
    )
    stage = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True, default=None)


class _DirectorAnalysesView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def known(self, request: Request, public_id: str) -> tuple[Event, Actor]:
        event = visible_event(request.user, public_id).event
        return event, director_actor(request, event.club)

    def stage_id_from_body(self, request: Request, event: Event) -> int | None:
        body: dict[str, Any] = parse_body(request, AnalysedStageInput)
        if body["division"] is None and body["stage"] is None:
            return None
        return stage_by_number(event, body["division"] or 1, body["stage"] or 1).pk


class EventAnalysesView(_DirectorAnalysesView):
    """Get the progress of the analyses of an event's matches. Only for its directors."""

    @extend_schema(operation_id="events_analysing", responses=response_schemas(AnalysesOfEvent))
    def get(self, request: Request, event: str) -> Response:
        loaded_event, _actor = self.known(request, event)
        return Response(AnalysesOfEvent.about(loaded_event))

    @extend_schema(
        operation_id="events_analyse",
        request=AnalysedStageInput,
        responses=response_schemas(AnalysesOfEvent, 200, 202),
    )
    def post(self, request: Request, event: str) -> Response:
        """Request analyses of all matches of an event, or of those of one stage. They wait behind requests of
        players. Requesting again changes nothing, except that failed analyses are tried again.
        """
        loaded_event, actor = self.known(request, event)
        stage_id = self.stage_id_from_body(request, loaded_event)
        bulk_result = request_analyses(actor=actor, event_id=loaded_event.pk, stage_id=stage_id)
        return Response(
            AnalysesOfEvent.about(loaded_event, bulk_result), status=202 if bulk_result.asked else 200
        )


class CancelAnalyses(_DirectorAnalysesView):
    """Cancel the waiting analyses of an event or a stage. Those that players requested or that have started
    continue.
    """

    @extend_schema(
        operation_id="events_call_analyses_off",
        request=AnalysedStageInput,
        responses=response_schemas(AnalysesOfEvent),
    )
    def post(self, request: Request, event: str) -> Response:
        loaded_event, actor = self.known(request, event)
        stage_id = self.stage_id_from_body(request, loaded_event)
        count = cancel_analyses(actor=actor, event_id=loaded_event.pk, stage_id=stage_id)
        return Response(AnalysesOfEvent.about(loaded_event, cancelled_count=count))
