"""Positions of an event: which of its blunders may be asked, which are, and what was answered.

They come after the event and without names, so they ask for less than an analysis in public: that nobody who played has said no, to their games or to
analyses in public; for a minor somebody has to have said yes. What a director keeps from everybody is not asked either. All of it is asked
anew whenever a position is shown, so whoever objects is heard at once.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from faults import Missing
from games.models import AnalysedDecision, RecordAnalysis, StoredRecord
from games.records.performance import LIMITS
from games.records.questions import Question, question
from games.rules.errors import RuleError
from games.rules.xgid import XgId
from games.selectors import best_analyses, decision_of
from people import versions
from people.permissions import Visitor
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models import Event, Match, Quiz, QuizAnswer, QuizPosition
from tournaments.selectors.access.versions import version_of
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.consents import Asked as AskedPlayer
from tournaments.selectors.consents import replies_in
from tournaments.selectors.matches.analyses import seats_of
from tournaments.selectors.matches.records import records_that_count

ASKED: Final = 5  # positions of an event
LOOKED_AT: Final = 120  # of the largest blunders: what is left out or objected to stands among them
_BLUNDER: Final = LIMITS[0][0]


@dataclass(frozen=True, slots=True)
class Asked:
    """A position of the event that is asked: the ``number``-th of ``total``."""

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
class Candidate:
    """A blunder that may be asked, and the match it was made in, by its database id."""

    decision: AnalysedDecision
    match: int


def is_shown(event: Event) -> bool:
    """Whether the positions of ``event`` may be looked at: it is over, and a director shows them."""
    return event.status == EventStatus.FINISHED and Quiz.objects.filter(event=event, is_open=True).exists()


def asked_in(event: Event) -> list[Asked]:
    """The positions of ``event`` that are asked, the largest blunder first: those that were chosen, and that nobody objects to now."""
    found: list[tuple[QuizPosition, Question]] = []
    chosen = list(_chosen(event).exclude(left_out=True))
    allowed = may_be_asked(event, [(row.match_id, row.decision.analysis_id) for row in chosen])
    for row in chosen:
        if len(found) == ASKED:
            break
        asked = question_of(row)
        if asked is not None and (row.match_id, row.decision.analysis_id) in allowed:
            found.append((row, asked))
    ids = ["", *(row.public_id for row, _asked in found), ""]
    return [
        Asked(row, asked, number, len(found), ids[number - 1], ids[number + 1])
        for number, (row, asked) in enumerate(found, 1)
    ]


def shown_position(visitor: Visitor, public_id: str) -> tuple[VisibleEvent, QuizPosition]:
    """A position by its address, with its event; ``Missing`` while the event shows none, whoever asks. Whether it may be asked: `asked_as`."""
    rows = QuizPosition.objects.filter(public_id=public_id, left_out=False).select_related("quiz__event")
    row = rows.first()
    if row is None:
        raise Missing("quiz.unknown")
    return shown_quiz(visitor, row.quiz.event.public_id), row


def asked_as(event: Event, row: QuizPosition) -> Asked:
    """The position among those that are asked; ``Missing`` where somebody objects to it."""
    found = next((one for one in asked_in(event) if one.row.pk == row.pk), None)
    if found is None:
        raise Missing("quiz.unknown")
    return found


def shown_quiz(visitor: Visitor, event: str) -> VisibleEvent:
    """The event whose positions are shown; ``Missing`` where they are not."""
    visible = visible_event(visitor, event)
    if not is_shown(visible.event):
        raise Missing("quiz.unknown")
    return visible


def quiz_versions(visible: VisibleEvent) -> list[object]:
    """What the positions of an event change with, for pages and API. Who is a minor is told with names, and which analysis counts with analyses:
    neither makes the event another one.
    """
    return [
        visible.event.version,
        visible.event.club.version,
        version_of(versions.NAMES, versions.ANALYSES),
    ]


def left_out_of(event: Event) -> list[QuizPosition]:
    """What a director does not want."""
    return list(_chosen(event).filter(left_out=True))


def asked_of_match(match: Match) -> bool:
    """Whether a position of ``match`` is shown now: its players are told so."""
    event = match.stage.division.event
    if not QuizPosition.objects.filter(match=match, left_out=False).exists() or not is_shown(event):
        return False
    return any(one.row.match_id == match.pk for one in asked_in(event))


def counts_of(position: QuizPosition) -> dict[int, int]:
    """By choice: how often it was given as the answer."""
    return dict(QuizAnswer.objects.filter(position=position).values_list("choice", "count"))


def question_of(row: QuizPosition) -> Question | None:
    """What a chosen position asks; None where its analysis has no answer any more."""
    try:
        position = XgId.from_id(row.xgid)
    except RuleError:
        return None
    return question(decision_of(row.decision), position, row.public_id)


def candidates(event: Event) -> Iterator[Candidate]:
    """Blunders of analysed matches of ``event`` that may be asked, the largest first. Reading on costs a statement each."""
    rows = AnalysedDecision.objects.filter(
        analysis__state=RecordAnalysis.State.DONE,
        analysis__record__reports__match__stage__division__event=event,
        analysis__record__reports__match__status=MatchStatus.CONFIRMED,
        analysis__record__reports__record_differs=False,
        lost__gte=_BLUNDER,
        counts=True,
    )
    found = rows.order_by("-lost", "pk").values_list("pk", "analysis__record__reports__match", "analysis")
    largest = list(found[:LOOKED_AT])
    allowed = may_be_asked(event, {(match, analysis) for _pk, match, analysis in largest})
    seen: set[int] = set()
    for pk, match, analysis in largest:
        if pk not in seen and (match, analysis) in allowed:
            seen.add(pk)
            yield Candidate(AnalysedDecision.objects.select_related("analysis").get(pk=pk), match)


def may_be_asked(event: Event, pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Of pairs of a match of ``event`` and an analysis, by database ids, those whose positions may be asked: the analysis is of the record that
    counts, and nobody who played objects. Six statements, however many they are.
    """
    if not pairs:
        return set()
    matches = {match for match, _analysis in pairs}
    records = records_that_count(Match.objects.filter(pk__in=matches))
    best = best_analyses({row.record_id for row in records.values()})
    seats = seats_of(matches)
    players = {pk: [one for seat in both.values() for one in seat.players] for pk, both in seats.items()}
    replies = replies_in(event, {one for those in players.values() for one in those})
    found = set()
    for match, analysis in pairs:
        record = records.get(match)
        people = [replies[one] for one in players.get(match, ()) if one in replies]
        row = best.get(record.record_id) if record is not None and record.shown is not False else None
        if row is not None and row.pk == analysis and people and not any(map(_objects, people)):
            found.add((match, analysis))
    return found


def _objects(one: AskedPlayer) -> bool:
    """Who plays for a minor has to say yes."""
    replies = (one.replies[Consent.RECORD], one.replies[Consent.ANALYSIS])
    return Reply.NO in replies or (one.minor and one.replies[Consent.ANALYSIS] is not Reply.YES)


def record_of_analysis(analysis: RecordAnalysis) -> StoredRecord:
    """The file that was analysed, with its bytes."""
    return StoredRecord.objects.get(pk=analysis.record_id)


def _chosen(event: Event) -> QuerySet[QuizPosition]:
    rows = QuizPosition.objects.filter(quiz__event=event).order_by("-decision__lost", "pk")
    return rows.select_related("decision__analysis", "match__stage__division__event", "quiz")
