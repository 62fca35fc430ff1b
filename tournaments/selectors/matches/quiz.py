"""The quiz positions of an event: which blunders may be used, which are published, and the answers.

Positions are published after the event and without names, so they need less consent than a public analysis:
no player of the match has refused publication of the games or of analyses; for a minor, publication of
analyses has been allowed. Game records that a director has hidden are not used. All of this is checked
whenever a position is shown, so an objection takes effect at once.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from faults import Missing
from games.models import AnalysedDecision, RecordAnalysis, StoredRecord
from games.records.performance import ERROR_LIMITS
from games.records.questions import Question, build_question
from games.rules.errors import RuleError
from games.rules.xgid import XgId
from games.selectors import best_analyses, decision_from_row
from people import versions
from people.permissions import Visitor
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models import Event, Match, Quiz, QuizAnswer, QuizPosition
from tournaments.selectors.access.versions import topics_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.consents import PlayerReplies as AskedPlayer
from tournaments.selectors.consents import replies_in_event
from tournaments.selectors.matches.analyses import side_players_by_match
from tournaments.selectors.matches.records import counting_records

MAX_POSITIONS: Final = 5  # positions of an event
MAX_BLUNDERS: Final = 120  # largest blunders considered, including excluded and refused ones
_BLUNDER_MIN_LOSS: Final = ERROR_LIMITS[0][0]


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """A published quiz position of an event, the ``number``-th of ``total``.

    ``before`` and ``after``: public ids of the previous and the next position, empty at the ends.
    """

    row: QuizPosition
    question: Question
    number: int
    total: int
    before: str
    after: str

    @property
    def analysis(self) -> RecordAnalysis:
        return self.row.decision.analysis


@dataclass(frozen=True, slots=True)
class BlunderCandidate:
    """A blunder that may be used as a quiz position, with the id of its match."""

    decision: AnalysedDecision
    match: int


def is_quiz_open(event: Event) -> bool:
    """Return whether the event's quiz is public: the event is over, and a director has published the quiz."""
    return event.status == EventStatus.FINISHED and Quiz.objects.filter(event=event, is_open=True).exists()


def quiz_questions(event: Event) -> list[QuizQuestion]:
    """Return the published quiz positions of ``event``, the largest blunder first.

    At most ``MAX_POSITIONS``. Positions to which a player of the match objects are left out.
    """
    questions: list[tuple[QuizPosition, Question]] = []
    chosen_rows = list(_chosen_positions(event).exclude(left_out=True))
    allowed = allowed_pairs(event, [(row.match_id, row.decision.analysis_id) for row in chosen_rows])
    for row in chosen_rows:
        if len(questions) == MAX_POSITIONS:
            break
        question = question_from_row(row)
        if question is not None and (row.match_id, row.decision.analysis_id) in allowed:
            questions.append((row, question))
    ids = ["", *(row.public_id for row, _question in questions), ""]
    return [
        QuizQuestion(row, question, number, len(questions), ids[number - 1], ids[number + 1])
        for number, (row, question) in enumerate(questions, 1)
    ]


def get_quiz_position(visitor: Visitor, public_id: str) -> tuple[VisibleEvent, QuizPosition]:
    """Return a quiz position by public id, with its event.

    Raises ``Missing`` if there is none, or if the event's quiz is not public, also for directors. Whether a
    player objects to the position is checked by ``get_quiz_question``.
    """
    rows = QuizPosition.objects.filter(public_id=public_id, left_out=False).select_related("quiz__event")
    row = rows.first()
    if row is None:
        raise Missing("quiz.unknown")
    return event_with_open_quiz(visitor, row.quiz.event.public_id), row


def get_quiz_question(event: Event, row: QuizPosition) -> QuizQuestion:
    """Return a position of ``event`` as a question; raise ``Missing`` if a player objects to it."""
    question = next((candidate for candidate in quiz_questions(event) if candidate.row.pk == row.pk), None)
    if question is None:
        raise Missing("quiz.unknown")
    return question


def event_with_open_quiz(visitor: Visitor, event: str) -> VisibleEvent:
    """Return the event with this public id; raise ``Missing`` unless its quiz is public."""
    visible = visible_event(visitor, event)
    if not is_quiz_open(visible.event):
        raise Missing("quiz.unknown")
    return visible


def quiz_versions(visible: VisibleEvent) -> list[object]:
    """Return the versions that a page about the quiz depends on, for pages and API.

    Names (with the marks of minors) and analyses have topics of their own, because they do not change the
    event's version.
    """
    return [
        visible.event.version,
        visible.event.club.version,
        topics_version(versions.NAMES, versions.ANALYSES),
    ]


def excluded_positions(event: Event) -> list[QuizPosition]:
    """Return the quiz positions of ``event`` that a director has excluded."""
    return list(_chosen_positions(event).filter(left_out=True))


def has_quiz_position(match: Match) -> bool:
    """Return whether a quiz position of ``match`` is public now, of which its players are informed."""
    event = match.stage.division.event
    if not QuizPosition.objects.filter(match=match, left_out=False).exists() or not is_quiz_open(event):
        return False
    return any(question.row.match_id == match.pk for question in quiz_questions(event))


def answer_counts(position: QuizPosition) -> dict[int, int]:
    """Return the numbers of answers to a quiz position, keyed by the number of the choice."""
    return dict(QuizAnswer.objects.filter(position=position).values_list("choice", "count"))


def question_from_row(row: QuizPosition) -> Question | None:
    """Return the question of a chosen position; None if its analysis no longer has an answer."""
    try:
        position = XgId.from_id(row.xgid)
    except RuleError:
        return None
    return build_question(decision_from_row(row.decision), position, row.public_id)


def blunder_candidates(event: Event) -> Iterator[BlunderCandidate]:
    """Yield the blunders of analysed matches of ``event`` that may be used, the largest first.

    One query for each yielded blunder; only the ``MAX_BLUNDERS`` largest are considered.
    """
    rows = AnalysedDecision.objects.filter(
        analysis__state=RecordAnalysis.State.DONE,
        analysis__record__reports__match__stage__division__event=event,
        analysis__record__reports__match__status=MatchStatus.CONFIRMED,
        analysis__record__reports__record_differs=False,
        lost__gte=_BLUNDER_MIN_LOSS,
        counts=True,
    )
    blunder_rows = rows.order_by("-lost", "pk").values_list(
        "pk", "analysis__record__reports__match", "analysis"
    )
    largest = list(blunder_rows[:MAX_BLUNDERS])
    allowed = allowed_pairs(event, {(match, analysis) for _pk, match, analysis in largest})
    seen_ids: set[int] = set()
    for pk, match, analysis in largest:
        if pk not in seen_ids and (match, analysis) in allowed:
            seen_ids.add(pk)
            yield BlunderCandidate(AnalysedDecision.objects.select_related("analysis").get(pk=pk), match)


def allowed_pairs(event: Event, pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return those pairs of match id and analysis id whose positions may be published.

    The analysis must be of the game record that counts, and no player of the match may object. Six queries
    for any number of pairs.
    """
    if not pairs:
        return set()
    matches = {match for match, _analysis in pairs}
    records = counting_records(Match.objects.filter(pk__in=matches))
    best_by_record = best_analyses({row.record_id for row in records.values()})
    seats = side_players_by_match(matches)
    players = {
        pk: [player for seat in side_seats.values() for player in seat.players]
        for pk, side_seats in seats.items()
    }
    replies = replies_in_event(event, {player for player_ids in players.values() for player in player_ids})
    allowed = set()
    for match, analysis in pairs:
        record = records.get(match)
        player_replies = [replies[player] for player in players.get(match, ()) if player in replies]
        row = (
            best_by_record.get(record.record_id) if record is not None and record.shown is not False else None
        )
        if (
            row is not None
            and row.pk == analysis
            and player_replies
            and not any(map(_has_objection, player_replies))
        ):
            allowed.add((match, analysis))
    return allowed


def _has_objection(asked_player: AskedPlayer) -> bool:
    """Return whether a player objects; for a minor, a missing consent is an objection."""
    replies = (asked_player.replies[Consent.RECORD], asked_player.replies[Consent.ANALYSIS])
    return Reply.NO in replies or (
        asked_player.minor and asked_player.replies[Consent.ANALYSIS] is not Reply.YES
    )


def record_of_analysis(analysis: RecordAnalysis) -> StoredRecord:
    """Return the analysed game record with its bytes."""
    return StoredRecord.objects.get(pk=analysis.record_id)


def _chosen_positions(event: Event) -> QuerySet[QuizPosition]:
    rows = QuizPosition.objects.filter(quiz__event=event).order_by("-decision__lost", "pk")
    return rows.select_related("decision__analysis", "match__stage__division__event", "quiz")
