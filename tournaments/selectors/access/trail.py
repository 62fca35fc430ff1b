"""The audit trail of an event, and the names of what its rows speak of."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from people.models import AuditEntry, Player
from tournaments.models import Entry, Event, Match, MatchSlot
from tournaments.models.trail import scope_of


@dataclass(frozen=True, slots=True)
class Subjects:
    """By their ids: matches with number, stage and who sits at them now, entries and players with their names."""

    matches: Mapping[int, tuple[int, int, tuple[str, ...]]]
    entries: Mapping[int, str]
    players: Mapping[int, str]


def trail_of(event: Event) -> QuerySet[AuditEntry]:
    """Everything that was done in ``event``, newest first."""
    return AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")


def subjects_of(rows: Collection[AuditEntry]) -> Subjects:
    """What ``rows`` speak of; four queries at most."""

    def ids(kind: str) -> set[int]:
        return {row.subject_id for row in rows if row.subject_type == kind and row.subject_id is not None}

    matches = Match.objects.filter(pk__in=ids("tournaments.match")).values_list("pk", "number", "stage_id")
    sides: dict[int, tuple[str, ...]] = {}
    slots = MatchSlot.objects.filter(match__in=ids("tournaments.match"), entry__isnull=False)
    for match, name in slots.order_by("match", "side").values_list("match_id", "entry__name"):
        sides[match] = (*sides.get(match, ()), name)
    return Subjects(
        matches={pk: (number, stage, sides.get(pk, ())) for pk, number, stage in matches},
        entries=dict(Entry.objects.filter(pk__in=ids("tournaments.entry")).values_list("pk", "name")),
        players=dict(Player.objects.filter(pk__in=ids("people.player")).values_list("pk", "name")),
    )
