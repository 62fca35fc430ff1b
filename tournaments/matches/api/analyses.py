"""What an engine thinks of a match, and having it asked, by API: as the pages have it.

The two players of a match (by personal link, or signed in) ask for its analysis and read it. Everybody reads it where both agreed to that. A
director asks for one match, a stage or the whole event, follows how far it is, calls off what waits, and reads no more than everybody.

200: as it stands. 202: asked for, and not made so far. 404: nothing that the caller may see. 409: no engine is installed, or there is nothing that
can be analysed.
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
from games.analysis.port import BROKEN, LIMIT, MISREAD, MISSING, NOT_FIT, EngineError
from games.models import RecordAnalysis
from games.records.analysis import Analysis, Chances, Decision, DecisionKind
from games.records.performance import (
    ErrorClass,
    Performance,
    error_class,
    luck_adjusted,
    performances,
)
from games.records.replaying import compact
from games.rules.sides import SIDES
from games.rules.sides import Side as RecordSide
from games.selectors import decisions_of
from games.services.analyses import ask, read
from games.services.many_analyses import Wished
from games.web.analysed import engine_words
from people.actors import Actor
from people.api.answers import Answer, Moment, answered, one_of, says
from people.api.bodies import body_of
from tournaments.engine.types import Side
from tournaments.matches.api.sums import Margin, SumsOfPlay, margin, sums_of
from tournaments.matches.services.analyses import ask_for_analyses, call_analyses_off
from tournaments.models import Event, Match
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.director import numbered_stages
from tournaments.selectors.matches.analyses import MatchAnalysis, analysis_of_match, public_analysis
from tournaments.selectors.matches.analysing import HowFar, how_far
from tournaments.selectors.matches.answers import own_entry_in
from tournaments.selectors.matches.player import my_match
from tournaments.shared.api.asking import director_of, stage_numbered
from tournaments.shared.api.auth import LinkAuthentication, link_of
from tournaments.shared.api.event_view import match_for

_EQUITY = "Winning a single game with the cube unchanged is 1."
# Read by anybody where both agree; a link or a session shows more.
ANYBODY: Any = [{"personalLink": []}, {"cookieAuth": []}, {}]


class PlayChances(Answer, frozen=True):
    """Probabilities of each outcome for the player who decides; wins include gammons, and gammons include backgammons."""

    win: float
    gammon: float
    backgammon: float
    gammon_lost: float
    backgammon_lost: float

    @classmethod
    def of(cls, chances: Chances | None) -> "PlayChances | None":
        return None if chances is None else cls(*chances)


class CandidatePlay(Answer, frozen=True):
    """A candidate play."""

    play: Annotated[str, says("In the mover's numbering; empty if none.")]
    equity: Annotated[float, says(_EQUITY)]
    chances: Annotated[
        PlayChances | None,
        says("For the best play and the play that was made, if the engine gives them."),
    ]
    level: Annotated[str, says("Depth of the evaluation.")]


class AnalysedChoice(Answer, frozen=True):
    """One decision: a checker play, whether to double, or whether to take."""

    game: Annotated[int, says("From 1.")]
    turn: Annotated[int, says("From 1 in each game, counted like the findings of a check.")]
    kind: DecisionKind
    player: Annotated[int, says("0 for the left player of the record, 1 for the right one.")]
    lost: Annotated[float | None, says(f"Equity lost; null if only the luck is known. {_EQUITY}")]
    error: Annotated[ErrorClass, says("By equity lost: from 0.020 an error, from 0.080 a blunder.")]
    counts: Annotated[bool, says("Whether the decision counts for the performance rating.")]
    luck: Annotated[float | None, says("Equity of the roll compared with the average roll.")]
    played: Annotated[int | None, says("Index in `plays` of the play that was made, from 0.")]
    plays: Annotated[
        list[CandidatePlay],
        says("The best twelve plays, best first; always includes the play that was made."),
    ]
    cube: Annotated[
        list[float] | None,
        says("Equities for the doubler: no double, double/take, and double/pass."),
    ]
    chances: Annotated[PlayChances | None, says("Before the roll, if the engine gives them.")]

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
                CandidatePlay(compact(play.steps), play.equity, PlayChances.of(play.chances), play.level)
                for play in row.plays
            ],
            cube=list(row.cube) if row.cube is not None else None,
            chances=PlayChances.of(row.chances),
        )


class PlayOfSide(SumsOfPlay, frozen=True):
    """Summary of the decisions of one side. The rating of a single match means little."""

    player: Annotated[int, says("0 for the left player of the record, 1 for the right one.")]
    rating: Annotated[
        float | None,
        says(
            "As eXtreme Gammon calculates it: 500 × equity lost / decisions that count; null if the engine is not"
            " precise enough."
        ),
    ]
    checker: Annotated[float | None, says("The same for checker plays.")]
    cube: Annotated[float | None, says("The same for cube decisions.")]
    lost: Annotated[float, says("Equity lost in decisions that count.")]
    luck: Annotated[float, says("Luck of all rolls, as equity.")]
    even: Annotated[
        float | None,
        says("Luck-adjusted result, as a winning chance; null for money play and unfinished matches."),
    ]

    @classmethod
    def of(cls, side: RecordSide, whole: Performance, even: float | None, *, rates: bool) -> "PlayOfSide":
        def rated(value: float | None) -> float | None:
            return round(value, 2) if rates and value is not None else None

        return cls(
            **sums_of(whole),
            player=side.column,
            rating=rated(whole.rating),
            checker=rated(whole.checker_rating),
            cube=rated(whole.cube_rating),
            lost=round(whole.lost, 4),
            luck=round(whole.luck, 4),
            even=None if even is None else round(min(max(even, 0.0), 1.0), 4),
        )


class AnalysisResult(Answer, frozen=True):
    """The engine's evaluation of the whole match."""

    estimated: Annotated[
        bool,
        says(
            "Whether ratings are estimated by an engine of the site; if false, they are eXtreme Gammon's own."
        ),
    ]
    margin: Margin
    sides: Annotated[list[PlayOfSide], says("Left player of the record first.")]
    decisions: list[AnalysedChoice]

    @classmethod
    def of(cls, row: RecordAnalysis) -> "AnalysisResult | None":
        """None where the record cannot be replayed any more."""
        try:
            replay = read(row.record).replay
        except EngineError:
            return None
        decisions = decisions_of(row)
        sums = performances(decisions, replay)
        result = luck_adjusted(Analysis(row.engine, decisions), replay)
        even: dict[RecordSide, float | None] = dict.fromkeys(SIDES)
        if result is not None:
            even = {RecordSide.WHITE: 0.5 + result.adjusted, RecordSide.BLACK: 0.5 - result.adjusted}
        return cls(
            estimated=not row.of_file,
            margin=margin(estimated=not row.of_file),
            sides=[PlayOfSide.of(side, sums[side], even[side], rates=row.rates) for side in SIDES],
            decisions=[AnalysedChoice.of(one) for one in decisions],
        )


class AnalysisOfMatch(Answer, frozen=True):
    """Progress of the analysis of a match, and its result for those who may see it."""

    state: Annotated[
        str, one_of(["", *RecordAnalysis.State.values]), says("Empty if no analysis was requested.")
    ]
    report: Annotated[int, says("Version of the report that included the analysed record.")]
    left: Annotated[
        Side | None,
        says("The side of the match that is the left player of the record, if known."),
    ]
    engine: Annotated[str, says("Name, version and level of the engine; empty if no analysis was requested.")]
    games: Annotated[int, says("Number of games to analyse; 0 until the record has been read.")]
    games_done: int
    failure: Annotated[
        str,
        one_of(["", MISSING, LIMIT, NOT_FIT, MISREAD, BROKEN]),
        says(
            "Why the analysis failed: no engine is installed any longer, it took too long, the record cannot be"
            " analysed, or the engine could not read it or read it differently."
        ),
    ]
    asked_at: Moment | None
    finished_at: Moment | None
    result: Annotated[AnalysisResult | None, says("Null without a result, or if you may not see it.")]

    @classmethod
    def of(cls, found: MatchAnalysis, *, sees: bool) -> "AnalysisOfMatch":
        row = found.row
        return cls(
            state=row.state if row is not None else "",
            report=found.record.version,
            left=found.record.left,
            engine=engine_words(row) if row is not None else "",
            games=row.games if row is not None else 0,
            games_done=row.games_done if row is not None else 0,
            failure=row.failure if row is not None else "",
            asked_at=row.asked_at if row is not None else None,
            finished_at=row.finished_at if row is not None else None,
            result=AnalysisResult.of(row) if sees and row is not None and found.done else None,
        )


class OneAnalysis(APIView):
    """Get the analysis of a match: its progress and result."""

    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = ()

    @extend_schema(operation_id="matches_analysis", auth=ANYBODY, responses=answered(AnalysisOfMatch))
    def get(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        own = _plays_in(request, visible.match)
        found = analysis_of_match(visible.match)
        shown = None if own else public_analysis(visible.match)
        public = found is not None and shown is not None and shown == found.row
        if found is None or not (own or public or visible.directs):
            raise Missing("analysis.unknown")
        return Response(AnalysisOfMatch.of(found, sees=own or public))

    @extend_schema(
        operation_id="matches_analyse", request=None, responses=answered(AnalysisOfMatch, 200, 202)
    )
    def post(self, request: Request, match: str) -> Response:
        """Request the analysis of a match. Requesting again changes nothing, except that a failed analysis is tried
        again. An analysis contained in the file is saved at once.
        """
        visible = match_for(request, match)
        own = _plays_in(request, visible.match)
        if own:
            found = analysis_of_match(visible.match)
            if found is None:
                raise Missing("analysis.unknown")
            try:
                ask(record_id=found.record.record_id)
            except EngineError as error:
                raise Conflict(error.code, present=visible.match) from error
        else:
            actor = director_of(request, visible.event.club)
            ask_for_analyses(actor=actor, event_id=visible.event.pk, match_id=visible.match.pk)
        now = analysis_of_match(visible.match)
        if now is None:
            raise Missing("analysis.unknown")
        return Response(AnalysisOfMatch.of(now, sees=own), status=200 if now.done else 202)


def _plays_in(request: Request, match: Match) -> bool:
    """Whether one of the two asks: by personal link, or signed in."""
    entry = link_of(request)
    if entry is not None:
        return my_match(entry, match.public_id) is not None
    return request.user.is_authenticated and own_entry_in(match, request.user.pk) is not None


class StageOfAnalyses(Answer, frozen=True):
    """Progress of the analyses of a stage. Matches in none of the states have not been requested."""

    division: Annotated[int, says("The number of the division.")]
    stage: Annotated[int, says("Its number in the division.")]
    played: Annotated[int, says("Number of confirmed matches.")]
    with_games: Annotated[int, says("Number of these with a game record that fits the result.")]
    done: int
    working: int
    waiting: int
    failed: int

    @classmethod
    def of(cls, division: int, stage: int, far: HowFar) -> "StageOfAnalyses":
        return cls(
            division, stage, far.played, far.with_games, far.done, far.working, far.waiting, far.failed
        )


class AnalysesOfEvent(Answer, frozen=True):
    """Progress of the analyses of an event. `asked`, `there` and `hopeless` describe this request and are 0 if nothing was requested."""

    stages: list[StageOfAnalyses]
    asked: Annotated[int, says("Number of analyses added to the queue by this request.")] = 0
    there: Annotated[int, says("Number that were already done or in progress.")] = 0
    hopeless: Annotated[int, says("Number of records that cannot be analysed.")] = 0
    called_off: int = 0

    @classmethod
    def about(cls, event: Event, wished: Wished | None = None, called_off: int = 0) -> "AnalysesOfEvent":
        far = how_far(event)
        stages = [
            StageOfAnalyses.of(division, number, far.get(stage.pk, HowFar()))
            for (division, number), stage in numbered_stages(event).items()
        ]
        counts = (wished.asked, wished.there, wished.hopeless) if wished is not None else (0, 0, 0)
        return cls(stages, *counts, called_off)


class AnalysedStageInput(serializers.Serializer[object]):
    """A stage by the number of its division and its number in the division; without both, the whole event."""

    division = serializers.IntegerField(
        min_value=1, max_value=99, required=False, allow_null=True, default=None
    )
    stage = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True, default=None)


class _OfEvent(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def known(self, request: Request, public_id: str) -> tuple[Event, Actor]:
        event = visible_event(request.user, public_id).event
        return event, director_of(request, event.club)

    def stage_in(self, request: Request, event: Event) -> int | None:
        body: dict[str, Any] = body_of(request, AnalysedStageInput)
        if body["division"] is None and body["stage"] is None:
            return None
        return stage_numbered(event, body["division"] or 1, body["stage"] or 1).pk


class EventAnalysing(_OfEvent):
    """Get the progress of the analyses of an event's matches. Only for its directors."""

    @extend_schema(operation_id="events_analysing", responses=answered(AnalysesOfEvent))
    def get(self, request: Request, event: str) -> Response:
        found, _actor = self.known(request, event)
        return Response(AnalysesOfEvent.about(found))

    @extend_schema(
        operation_id="events_analyse",
        request=AnalysedStageInput,
        responses=answered(AnalysesOfEvent, 200, 202),
    )
    def post(self, request: Request, event: str) -> Response:
        """Request analyses of all matches of an event, or of those of one stage. They wait behind requests of players.
        Requesting again changes nothing, except that failed analyses are tried again.
        """
        found, actor = self.known(request, event)
        stage = self.stage_in(request, found)
        wished = ask_for_analyses(actor=actor, event_id=found.pk, stage_id=stage)
        return Response(AnalysesOfEvent.about(found, wished), status=202 if wished.asked else 200)


class CallAnalysesOff(_OfEvent):
    """Cancel the analyses that are waiting. Analyses that players requested or that have started continue."""

    @extend_schema(
        operation_id="events_call_analyses_off",
        request=AnalysedStageInput,
        responses=answered(AnalysesOfEvent),
    )
    def post(self, request: Request, event: str) -> Response:
        found, actor = self.known(request, event)
        stage = self.stage_in(request, found)
        count = call_analyses_off(actor=actor, event_id=found.pk, stage_id=stage)
        return Response(AnalysesOfEvent.about(found, called_off=count))
