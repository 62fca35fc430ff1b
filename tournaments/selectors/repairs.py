"""Repairs that can be taken back: the last one of each stage, and what it touched."""

from people.models import AuditEntry
from tournaments.models import Event, Match, Stage
from tournaments.models.trail import scope_of


def last_repair(event: Event, stage: Stage) -> AuditEntry | None:
    """The latest repair of the stage that still stands."""
    rows = AuditEntry.objects.filter(
        scope=scope_of(event), undone_by=None, data__undo__stages__has_key=str(stage.pk)
    )
    return rows.order_by("-pk").first()


def last_repairs(event: Event) -> frozenset[int]:
    """Audit rows of the event that can be undone now, as far as their order goes."""
    rows = AuditEntry.objects.filter(scope=scope_of(event), undone_by=None, data__has_key="undo")
    found: set[int] = set()
    seen: set[str] = set()
    for pk, data in rows.order_by("-pk").values_list("pk", "data"):
        stages = set(data["undo"]["stages"])
        if not stages & seen:
            found.add(pk)
        seen |= stages
    return frozenset(found)


def repair_of_match(event: Event, match: Match) -> AuditEntry | None:
    """The last repair of the match's stage, if this match is part of it."""
    last = last_repair(event, match.stage)
    touched = last.data["undo"]["stages"][str(match.stage_id)] if last is not None else {}
    return last if str(match.number) in touched else None
