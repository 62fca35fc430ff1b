"""The quiz of a finished event: a director publishes, excludes and hides positions, anyone answers."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F

from faults import Conflict, Invalid, Missing
from games.analysis.port import EngineError
from games.records.questions import build_question, decision_position
from games.selectors import decision_from_row
from games.services.analyses import LoadedRecord, load_record
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.quiz import PositionLeftOut, PositionsHidden, PositionsPublished
from tournaments.models import Event, Quiz, QuizAnswer, QuizPosition
from tournaments.selectors.matches.quiz import (
    MAX_POSITIONS,
    blunder_candidates,
    question_from_row,
    quiz_questions,
    record_of_analysis,
)
from tournaments.store.lock import lock_for_director, record_action


class QuizCandidate(NamedTuple):
    """A blunder that can become a quiz position.

    ``decision`` and ``match`` are database ids; ``xgid`` is the position in XGID notation.
    """

    decision: int
    match: int
    xgid: str


def publish_positions(*, actor: Actor, event_id: int) -> int:
    """Publish the quiz with the largest blunders of the analysed matches; return its number of positions.

    Called again, it adds missing positions. Raises ``Conflict`` (409) while the event is not finished, and if
    there is no position.
    """
    return _publish_positions(actor=actor, event_id=event_id, candidates=find_quiz_candidates(event_id))


def exclude_position(*, actor: Actor, event_id: int, position_id: str, restore: bool = False) -> None:
    """Exclude a position from the quiz, so that the next largest blunder replaces it. Idempotent.

    ``restore``: True includes an excluded position again.
    """
    candidates = [] if restore else find_quiz_candidates(event_id, excluded_id=position_id)
    _exclude_position(
        actor=actor, event_id=event_id, position_id=position_id, restore=restore, candidates=candidates
    )


def find_quiz_candidates(event_id: int, *, excluded_id: str = "") -> list[QuizCandidate]:
    """Return the largest blunders that can be quiz positions, without the excluded ones.

    ``excluded_id``: public id of a position that is to be excluded too. Empty while the event is not
    finished. Parses game records, so it is called before any lock.
    """
    event = one_or_none(Event.objects.filter(pk=event_id))
    if event is None:
        raise Missing("event.unknown")
    if event.status != EventStatus.FINISHED:
        return []
    rows = QuizPosition.objects.filter(quiz__event=event)
    used_positions = dict(
        rows.filter(left_out=False).exclude(public_id=excluded_id).values_list("decision_id", "xgid")
    )
    excluded_ids = set(rows.values_list("decision_id", flat=True)) - used_positions.keys()
    records: dict[int, LoadedRecord | None] = {}
    candidates: list[QuizCandidate] = []
    for candidate in blunder_candidates(event):
        if len(candidates) == MAX_POSITIONS:
            break
        if candidate.decision.pk in excluded_ids:
            continue
        analysis = candidate.decision.analysis
        if analysis.pk not in records:
            try:
                records[analysis.pk] = load_record(record_of_analysis(analysis))
            except EngineError:
                records[analysis.pk] = None
        loaded_record = records[analysis.pk]
        decision = decision_from_row(candidate.decision)
        position = decision_position(decision, loaded_record.replay) if loaded_record is not None else None
        if position is not None and build_question(decision, position, "") is not None:
            candidates.append(QuizCandidate(candidate.decision.pk, candidate.match, position.id))
    return candidates


@durable
def _publish_positions(*, actor: Actor, event_id: int, candidates: Sequence[QuizCandidate]) -> int:
    event = lock_for_director(actor, event_id)
    if event.status != EventStatus.FINISHED:
        raise Conflict("quiz.not_over", present=event)
    quiz, _made = Quiz.objects.get_or_create(event=event)
    state_before = quiz.is_open, QuizPosition.objects.filter(quiz=quiz).count()
    _add_positions(quiz, candidates)
    count = len(quiz_questions(event))
    if not count:
        raise Conflict("quiz.nothing", present=event)
    quiz.is_open = True
    quiz.save(update_fields=["is_open"])
    if state_before != (True, QuizPosition.objects.filter(quiz=quiz).count()):
        record_action(event, actor=actor, action=PositionsPublished(positions=count))
    return count


@durable
def hide_positions(*, actor: Actor, event_id: int) -> None:
    """Hide the quiz from the public. Chosen and excluded positions and counts of answers stay stored."""
    event = lock_for_director(actor, event_id)
    quiz = Quiz.objects.filter(event=event, is_open=True).first()
    if quiz is None:
        return
    quiz.is_open = False
    quiz.save(update_fields=["is_open"])
    record_action(event, actor=actor, action=PositionsHidden())


@durable
def _exclude_position(
    *, actor: Actor, event_id: int, position_id: str, restore: bool, candidates: Sequence[QuizCandidate]
) -> None:
    event = lock_for_director(actor, event_id)
    row = one_or_none(
        QuizPosition.objects.filter(quiz__event=event, public_id=position_id).select_related("quiz")
    )
    if row is None:
        raise Missing("quiz.unknown")
    if row.left_out is not restore:
        return
    row.left_out = not restore
    row.save(update_fields=["left_out"])
    _add_positions(row.quiz, candidates)
    record_action(event, actor=actor, action=PositionLeftOut(position=row.public_id, back=restore))


def _add_positions(quiz: Quiz, candidates: Sequence[QuizCandidate]) -> None:
    """Store the candidates that are not yet positions of the quiz. Joins the caller's transaction."""
    known_ids = set(QuizPosition.objects.filter(quiz=quiz).values_list("decision_id", flat=True))
    for candidate in candidates:
        if candidate.decision not in known_ids:
            QuizPosition.objects.create(
                quiz=quiz, decision_id=candidate.decision, match_id=candidate.match, xgid=candidate.xgid
            )


@durable
def count_answer(*, position_id: int, choice: int) -> None:
    """Add one to the anonymous count of answers with this choice.

    ``choice``: index from 0. Raises ``Invalid`` (422) if the position has no such choice.
    """
    row = one_or_none(QuizPosition.objects.select_related("decision").filter(pk=position_id))
    question = question_from_row(row) if row is not None else None
    if question is None:
        raise Missing("quiz.unknown")
    if not 0 <= choice < len(question.choices):
        raise Invalid("quiz.choice", field="choice")
    rows = QuizAnswer.objects.filter(position_id=position_id, choice=choice)
    if not rows.update(count=F("count") + 1):
        QuizAnswer.objects.get_or_create(position_id=position_id, choice=choice)
        rows.update(count=F("count") + 1)
