"""Check imported events: draws against their seeds, results against the audit log, ledger against results."""

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
    """Yield every inconsistency as a sentence for operators."""
    yield from (f"audit log: {fault}" for fault in broken_links(event, ChainSummary()))
    yield from draw_faults(event)
    yield from map(str, integrity_faults(event))
    yield from _score_faults(event)


def _score_faults(event: Event) -> Iterator[str]:
    """Scores that differ from the last ones in the audit log. Winners are compared by `checks.soundness`."""
    matches = Match.objects.filter(stage__division__event=event)
    numbers = {(stage, number): pk for pk, stage, number in matches.values_list("pk", "stage_id", "number")}
    stated: dict[int, Score] = {}
    repaired: dict[int, dict[int, tuple[Score, Score]]] = {}
    for row in AuditEntry.objects.filter(scope=audit_scope(event)).order_by("pk").iterator():
        found = parse_row(row)
        if isinstance(found, ResultAction) and found.decision is MatchStatus.CONFIRMED and row.subject_id:
            stated[row.subject_id] = (found.claim.score_a, found.claim.score_b)
        elif isinstance(found, RepairUndone):
            stated |= {pk: was for pk, (was, _then) in repaired.get(found.of, {}).items()}
        elif isinstance(found, RepairAuditAction):
            repaired[row.pk] = {
                numbers[stage, number]: tuple(
                    _score_columns(one.columns) for one in (touched.was, touched.then)
                )  # type: ignore[misc]
                for stage, touches in found.undo.stages.items()
                for number, touched in touches.items()
                if (stage, number) in numbers
            }
            stated |= {pk: then for pk, (_was, then) in repaired[row.pk].items()}
    played = matches.filter(status=MatchStatus.CONFIRMED, result_kind=ResultKind.PLAYED)
    for pk, *score in played.values_list("pk", "score_a", "score_b"):
        if pk in stated and stated[pk] != tuple(score):
            yield f"result of match {pk}: {score[0]}:{score[1]}, and {stated[pk][0]}:{stated[pk][1]} in the audit log"


def _score_columns(columns: Mapping[str, Any]) -> Score:
    return columns.get("score_a"), columns.get("score_b")
