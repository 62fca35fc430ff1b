"""Rows of an event's audit log, and the names of their subjects."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet

from people.models import AuditEntry, Player
from tournaments.engine.trail.draws import COMMITMENT_ACTION_KINDS
from tournaments.engine.trail.entries import EntriesAdded, EntriesMoved, EntriesPaid
from tournaments.engine.trail.matches import CallsUndone, MatchesCalled, TablesSwapped
from tournaments.models import Entry, Event, Match, MatchSlot
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.seats import side_name

_MULTI_ENTRY_KINDS = frozenset({EntriesAdded.kind, EntriesMoved.kind, EntriesPaid.kind})
_MULTI_MATCH_KINDS = frozenset({MatchesCalled.kind, CallsUndone.kind, TablesSwapped.kind})


@dataclass(frozen=True, slots=True)
class Subjects:
    """Subjects by id: matches with number, stage and current names; entries and players with their names."""

    matches: Mapping[int, tuple[int, int, tuple[str, ...]]]
    entries: Mapping[int, str]
    players: Mapping[int, str]


def audit_rows(event: Event, before: int | None = None) -> QuerySet[AuditEntry]:
    """Audit rows of ``event``, newest first; ``before``: only those older than the row of this id."""
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    return rows if before is None else rows.filter(pk__lt=before)


def entry_names_in(row: AuditEntry) -> list[str]:
    """The names of all entries of a row about several, whose sentence contains only the first."""
    if row.action not in _MULTI_ENTRY_KINDS:
        return []
    action = parse_row(row)
    return [entry.name for entry in getattr(action, "entries", ())]


def match_ids_in(row: AuditEntry) -> tuple[int, ...]:
    """The ids of the matches of a row about several."""
    if row.action not in _MULTI_MATCH_KINDS:
        return ()
    action = parse_row(row)
    attribute = {MatchesCalled: "matches", CallsUndone: "matches", TablesSwapped: "moved"}.get(
        type(action), ""
    )
    return tuple(match.pk for match in getattr(action, attribute, ())) if attribute else ()


def audit_subjects(rows: Collection[AuditEntry]) -> Subjects:
    """Load the subjects of ``rows``; four queries at most."""

    def ids(kind: str) -> set[int]:
        return {row.subject_id for row in rows if row.subject_type == kind and row.subject_id is not None}

    match_ids = ids("tournaments.match") | {pk for row in rows for pk in match_ids_in(row)}
    matches = Match.objects.filter(pk__in=match_ids).values_list("pk", "number", "stage_id")
    names_by_match: dict[int, tuple[str, ...]] = {}
    slots = MatchSlot.objects.filter(match__in=match_ids, entry__isnull=False)
    for match_id, name in slots.order_by("match", "side").values_list("match_id", side_name()):
        names_by_match[match_id] = (*names_by_match.get(match_id, ()), name)
    return Subjects(
        matches={pk: (number, stage, names_by_match.get(pk, ())) for pk, number, stage in matches},
        entries=dict(Entry.objects.filter(pk__in=ids("tournaments.entry")).values_list("pk", "name")),
        players=dict(Player.objects.filter(pk__in=ids("people.player")).values_list("pk", "name")),
    )


def audit_log_size(event: Event) -> tuple[int, datetime | None]:
    """The number of rows of the event's audit log, and the time of the last one."""
    totals = AuditEntry.objects.filter(scope=audit_scope(event)).aggregate(rows=Count("pk"), last=Max("at"))
    return totals["rows"], totals["last"]


def commitments_head(event: Event) -> str:
    """The audit log head after the last row with commitments of draws; empty if there is none.

    Published elsewhere, it proves these commitments.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=COMMITMENT_ACTION_KINDS).order_by(
        "-pk"
    )
    return rows.values_list("link", flat=True).first() or ""
