"""Repairs that can be undone: the last repair of each stage, and the matches that it changed."""

from people.models import AuditEntry
from tournaments.engine.trail.action import RepairAuditAction
from tournaments.models import Event, Match, Stage
from tournaments.models.trail import audit_scope, parse_action, parse_row


def last_repair(event: Event, stage: Stage) -> AuditEntry | None:
    """Return the audit row of the stage's latest repair that was not undone, or None."""
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event), undone_by=None, data__undo__stages__has_key=str(stage.pk)
    )
    return rows.order_by("-pk").first()


def last_repairs(event: Event) -> frozenset[int]:
    """Return the ids of the audit rows of repairs that are the last of each stage that they changed.

    Only these can be undone now; other conditions are not checked.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event), undone_by=None, data__has_key="undo")
    undoable_ids: set[int] = set()
    seen_stages: set[int] = set()
    for pk, action, data in rows.order_by("-pk").values_list("pk", "action", "data"):
        repair = parse_action(action, data)
        if isinstance(repair, RepairAuditAction):  # else a newer release wrote it, which this one cannot undo
            if not repair.undo.stages.keys() & seen_stages:
                undoable_ids.add(pk)
            seen_stages |= repair.undo.stages.keys()
    return frozenset(undoable_ids)


def repair_of_match(event: Event, match: Match) -> AuditEntry | None:
    """Return the audit row of the last repair of the match's stage if it changed this match, else None."""
    repair = last_repair(event, match.stage)
    action = parse_row(repair) if repair is not None else None
    touched_numbers = (
        action.undo.stages.get(match.stage_id, {}) if isinstance(action, RepairAuditAction) else {}
    )
    return repair if match.number in touched_numbers else None
