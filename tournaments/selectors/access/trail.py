"""Rows of an event's audit log, and the matches, entries and players that they are about."""

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
class AuditSubjects:
    """The names of what audit rows are about.

    ``matches``: match id to number, stage id and current names of the sides; ``entries`` and ``players``: id
    to name.
    """

    matches: Mapping[int, tuple[int, int, tuple[str, ...]]]
    entries: Mapping[int, str]
    players: Mapping[int, str]


def audit_rows(event: Event, before: int | None = None) -> QuerySet[AuditEntry]:
    """Return the audit rows of ``event``, newest first.

    ``before``: only rows older than the row of this id.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    return rows if before is None else rows.filter(pk__lt=before)


def entry_names_in(row: AuditEntry) -> list[str]:
    """Return the names of all entries of an audit row about several entries; empty for every other row.

    The sentence that describes the row contains only the first of these names.
    """
    if row.action not in _MULTI_ENTRY_KINDS:
        return []
    action = parse_row(row)
    return [entry.name for entry in getattr(action, "entries", ())]


def match_ids_in(row: AuditEntry) -> tuple[int, ...]:
    """Return the ids of all matches of an audit row about several matches; empty for every other row."""
    if row.action not in _MULTI_MATCH_KINDS:
        return ()
    action = parse_row(row)
    attribute = {MatchesCalled: "matches", CallsUndone: "matches", TablesSwapped: "moved"}.get(
        type(action), ""
    )
    return tuple(match.pk for match in getattr(action, attribute, ())) if attribute else ()


def audit_subjects(rows: Collection[AuditEntry]) -> AuditSubjects:
    """Load the names of the matches, entries and players that ``rows`` are about; at most four queries."""

    def ids(kind: str) -> set[int]:
        return {row.subject_id for row in rows if row.subject_type == kind and row.subject_id is not None}

    match_ids = ids("tournaments.match") | {pk for row in rows for pk in match_ids_in(row)}
    matches = Match.objects.filter(pk__in=match_ids).values_list("pk", "number", "stage_id")
    names_by_match: dict[int, tuple[str, ...]] = {}
    slots = MatchSlot.objects.filter(match__in=match_ids, entry__isnull=False)
    for match_id, name in slots.order_by("match", "side").values_list("match_id", side_name()):
        names_by_match[match_id] = (*names_by_match.get(match_id, ()), name)
    return AuditSubjects(
        matches={pk: (number, stage, names_by_match.get(pk, ())) for pk, number, stage in matches},
        entries=dict(Entry.objects.filter(pk__in=ids("tournaments.entry")).values_list("pk", "name")),
        players=dict(Player.objects.filter(pk__in=ids("people.player")).values_list("pk", "name")),
    )


def audit_log_size(event: Event) -> tuple[int, datetime | None]:
    """Return the number of rows of the event's audit log, and the time of the last row or None."""
    totals = AuditEntry.objects.filter(scope=audit_scope(event)).aggregate(rows=Count("pk"), last=Max("at"))
    return totals["rows"], totals["last"]


def commitments_head(event: Event) -> str:
    """Return the hash of the last audit row that contains commitments of draws; empty if there is none.

    This hash covers all earlier rows: if it was published elsewhere, it proves the commitments.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=COMMITMENT_ACTION_KINDS).order_by(
        "-pk"
    )
    return rows.values_list("link", flat=True).first() or ""
