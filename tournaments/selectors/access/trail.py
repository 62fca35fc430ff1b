"""The audit trail of an event, and the names of what its rows speak of."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from people.models import AuditEntry, Player
from tournaments.models import Entry, Event, Match
from tournaments.models.trail import scope_of


@dataclass(frozen=True, slots=True)
class Subjects:
    """By their ids: matches with number and stage, entries and players with their names."""

    matches: Mapping[int, tuple[int, int]]
    entries: Mapping[int, str]
    players: Mapping[int, str]


def trail_of(event: Event) -> QuerySet[AuditEntry]:
    """Everything that was done in ``event``, newest first."""
    return AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")


def subjects_of(rows: Collection[AuditEntry]) -> Subjects:
    """What ``rows`` speak of; three queries at most."""

    def ids(kind: str) -> set[int]:
        return {row.subject_id for row in rows if row.subject_type == kind and row.subject_id is not None}

    matches = Match.objects.filter(pk__in=ids("tournaments.match")).values_list("pk", "number", "stage_id")
    return Subjects(
        matches={pk: (number, stage) for pk, number, stage in matches},
        entries=dict(Entry.objects.filter(pk__in=ids("tournaments.entry")).values_list("pk", "name")),
        players=dict(Player.objects.filter(pk__in=ids("people.player")).values_list("pk", "name")),
    )
