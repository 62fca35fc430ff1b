"""Check imported events: draws against seeds, results against the audit log, ledger against results."""

from collections.abc import Iterator, Mapping
from typing import Any

from people.models import AuditEntry
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.checks.drawn import draw_faults
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import RepairAuditAction
from tournaments.engine.trail.matches import ResultAction
from tournaments.engine.trail.repairs import RepairUndone
from tournaments.engine.types import ResultKind
from tournaments.models import Event, Match
from tournaments.models.trail import audit_scope, parse_row

Score = tuple[int | None, int | None]


def import_faults(event: Event) -> Iterator[str]:
    """Yield every inconsistency of an imported event, as a sentence for operators."""
    yield from (f"audit log: {fault}" for fault in broken_links(event, ChainSummary()))
    yield from draw_faults(event)
    yield from map(str, integrity_faults(event))
    yield from _score_faults(event)


def _score_faults(event: Event) -> Iterator[str]:
    """Yield the scores that differ from the last ones in the audit log.

    Winners are compared by `checks.soundness`.
    """
    matches = Match.objects.filter(stage__division__event=event)
    numbers = {(stage, number): pk for pk, stage, number in matches.values_list("pk", "stage_id", "number")}
    last_scores: dict[int, Score] = {}
    repaired_scores: dict[int, dict[int, tuple[Score, Score]]] = {}
    for row in AuditEntry.objects.filter(scope=audit_scope(event)).order_by("pk").iterator():
        action = parse_row(row)
        if isinstance(action, ResultAction) and action.decision is MatchStatus.CONFIRMED and row.subject_id:
            last_scores[row.subject_id] = (action.claim.score_a, action.claim.score_b)
        elif isinstance(action, RepairUndone):
            last_scores |= {pk: before for pk, (before, _then) in repaired_scores.get(action.of, {}).items()}
        elif isinstance(action, RepairAuditAction):
            repaired_scores[row.pk] = {
                numbers[stage, number]: tuple(
                    _score_columns(state.columns) for state in (change.was, change.then)
                )  # type: ignore[misc]
                for stage, changes in action.undo.stages.items()
                for number, change in changes.items()
                if (stage, number) in numbers
            }
            last_scores |= {pk: after for pk, (_was, after) in repaired_scores[row.pk].items()}
    played_matches = matches.filter(status=MatchStatus.CONFIRMED, result_kind=ResultKind.PLAYED)
    for pk, *score in played_matches.values_list("pk", "score_a", "score_b"):
        if pk in last_scores and last_scores[pk] != tuple(score):
            yield f"result of match {pk}: {score[0]}:{score[1]}, and {last_scores[pk][0]}:{last_scores[pk][1]} in the audit log"


def _score_columns(columns: Mapping[str, Any]) -> Score:
    return columns.get("score_a"), columns.get("score_b")
