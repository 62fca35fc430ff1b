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

_EQUITY = "A single game won at the cube as it stood is 1."
# Read by anybody where both agree; a link or a session shows more.
ANYBODY: Any = [{"personalLink": []}, {"cookieAuth": []}, {}]


class PlayChances(Answer, frozen=True):
    """How the game ends, as shares of 1, for whoever decides; a gammon is also a win, a backgammon also a gammon."""

    win: float
    gammon: float
    backgammon: float
    gammon_lost: float
    backgammon_lost: float

    @classmethod
    def of(cls, chances: Chances | None) -> "PlayChances | None":
        return None if chances is None else cls(*chances)


class CandidatePlay(Answer, frozen=True):
    """A play that could have been made."""

    play: Annotated[str, says("In the mover's own numbering; empty: none.")]
    equity: Annotated[float, says(_EQUITY)]
    chances: Annotated[
        PlayChances | None,
        says("Of the best play and of the one that was made, where the engine gives them."),
    ]
    level: Annotated[str, says("How deep the engine looked.")]


class AnalysedChoice(Answer, frozen=True):
    """One decision: a checker play, to double or not, to take or pass."""

    game: Annotated[int, says("From 1.")]
    turn: Annotated[int, says("From 1 within the game, as the findings of a check count.")]
    kind: DecisionKind
    player: Annotated[int, says("0: the left player of the record, 1: the right one.")]
    lost: Annotated[float | None, says(f"Equity given away; null: only the luck is known. {_EQUITY}")]
    error: Annotated[ErrorClass, says("By what was given away: from 0.020 an error, from 0.080 a blunder.")]
    counts: Annotated[bool, says("Whether the rating of play counts it.")]
    luck: Annotated[float | None, says("How much better the roll was than the average one.")]
    played: Annotated[int | None, says("Which of `plays` was made, from 0.")]
    plays: Annotated[
        list[CandidatePlay], says("The best dozen, the best first; the one that was made is among them.")
    ]
    cube: Annotated[
        list[float] | None,
        says("What the doubler has without a double, with one that is taken, and with one that is passed."),
    ]
    chances: Annotated[PlayChances | None, says("Before the roll, where the engine gives them.")]

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
    """What the decisions of one side come to. The rating of a single match says little."""

    player: Annotated[int, says("0: the left player of the record, 1: the right one.")]
    rating: Annotated[
        float | None,
        says(
            "As eXtreme Gammon counts it: 500 × equity lost / decisions that count; null where the engine is too rough for one."
        ),
    ]
    checker: Annotated[float | None, says("The same of checker plays.")]
    cube: Annotated[float | None, says("The same of cube decisions.")]
    lost: Annotated[float, says("Equity lost by decisions that count.")]
    luck: Annotated[float, says("Of all rolls, as equity.")]
    even: Annotated[
        float | None,
        says(
            "The chance to win that is left of the result with even luck; null for money and unfinished matches."
        ),
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
    """What the engine thinks of the whole match."""

    estimated: Annotated[
        bool,
        says(
            "Whether ratings are an estimate by an engine of the site; false: they are eXtreme Gammon's own."
        ),
    ]
    margin: Margin
    sides: Annotated[list[PlayOfSide], says("The left player of the record first.")]
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
    """How far the analysis of a match is, and what came of it for those who may see that."""

    state: Annotated[str, one_of(["", *RecordAnalysis.State.values]), says("Empty: nobody has asked for it.")]
    report: Annotated[int, says("Version of the report that the analysed record came with.")]
    left: Annotated[
        Side | None,
        says("Which side of the match is the record's left player, where that is known."),
    ]
    engine: Annotated[str, says("With version and level; empty: nobody has asked for it.")]
    games: Annotated[int, says("How many there are to look at; 0 while nobody has read the record.")]
    games_done: int
    failure: Annotated[
        str,
        one_of(["", MISSING, LIMIT, NOT_FIT, MISREAD, BROKEN]),
        says(
            "Why there is none, of a failed one: no engine is installed any more, it took too long, such a record cannot be analysed, the"
            " engine read it otherwise or could not read it."
        ),
    ]
    asked_at: Moment | None
    finished_at: Moment | None
    result: Annotated[
        AnalysisResult | None, says("Null while there is none, and for whoever may not see it.")
    ]

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
    """The analysis of a match: how far it is and what came of it; a POST asks for it."""

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
        """Ask for it. Asking again changes nothing; one that failed is tried again. A file's own analysis is kept at once."""
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
    """How far the analyses of a stage are. What is in no state nobody has asked for."""

    division: Annotated[int, says("The number of its division.")]
    stage: Annotated[int, says("Its place in the division.")]
    played: Annotated[int, says("Matches that are confirmed.")]
    with_games: Annotated[int, says("Of these, such with a game record that fits the result.")]
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
    """How far the analyses of an event are. `asked`, `there`, `hopeless`: what came of the request, 0 where nothing was asked for."""

    stages: list[StageOfAnalyses]
    asked: Annotated[int, says("Analyses that wait now because of this request.")] = 0
    there: Annotated[int, says("That were done or on their way.")] = 0
    hopeless: Annotated[int, says("Of records that cannot be analysed.")] = 0
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
    """One stage by the number of its division and its own in there; without either the whole event."""

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
    """How far the analyses of an event's matches are, for its directors; a POST asks for all of them, or those of a stage."""

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
        """They wait behind what players ask for. Asking again changes nothing; those that failed are tried again."""
        found, actor = self.known(request, event)
        stage = self.stage_in(request, found)
        wished = ask_for_analyses(actor=actor, event_id=found.pk, stage_id=stage)
        return Response(AnalysesOfEvent.about(found, wished), status=202 if wished.asked else 200)


class CallAnalysesOff(_OfEvent):
    """Ask no longer for what waits. What players asked for stays, and so does what is being made."""

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
