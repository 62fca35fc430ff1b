"""Divisions that start by themselves when full, and the step that is due: draw, publish or open a new one."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from people.actors import Actor
from people.models import AuditEntry
from tournaments.engine.lots.committed import json_digest
from tournaments.engine.statuses import DRAW_PUBLIC, EVENT_CHANGEABLE, EntryStatus, StageStatus
from tournaments.engine.trail.draws import DrawMade
from tournaments.models import Division, Stage
from tournaments.selectors.seeding import draw_list, draw_participants


@dataclass(frozen=True, slots=True)
class DueStep:
    """A division that starts when full and for which a step is due; ``status`` tells which.

    ``listed``: hash of the frozen list if it is to be drawn, else empty.
    """

    event_id: int
    division_id: int
    stage_id: int
    status: StageStatus
    listed: str = ""


def divisions_to_start(max_divisions: int) -> Iterator[DueStep]:
    """Yield the divisions for which a step is due now.

    A full one to be drawn, a drawn one to be published, a published one to be followed by a new division,
    unless the event already has ``max_divisions``.
    """
    rows = Division.objects.filter(
        starts_when_full=True, capacity__isnull=False, event__status__in=EVENT_CHANGEABLE
    ).annotate(there=Count("event__divisions", distinct=True))
    active_count = Count("entries", filter=Q(entries__status=EntryStatus.ACTIVE), distinct=True)
    for division in rows.annotate(active=active_count).order_by("pk"):
        stage = Stage.objects.filter(division=division).select_related("division", "fed_by").first()
        if stage is None or stage.system not in Stage.ELIMINATIONS:
            continue
        status = StageStatus(stage.status)
        if status is StageStatus.SETUP and division.active == division.capacity:
            list_digest = json_digest(draw_list(stage, draw_participants(stage)))
            yield DueStep(division.event_id, division.pk, stage.pk, status, list_digest)
        elif status is StageStatus.DRAWN:
            if division.active == division.capacity or _is_drawn_automatically(stage):
                yield DueStep(division.event_id, division.pk, stage.pk, status)
        elif status in DRAW_PUBLIC and division.there < max_divisions:
            yield DueStep(division.event_id, division.pk, stage.pk, status)


def _is_drawn_automatically(stage: Stage) -> bool:
    """Return whether the program made the draw when the division became full, not a director."""
    rows = AuditEntry.objects.filter(
        subject_type="tournaments.stage", subject_id=stage.pk, action=DrawMade.kind
    )
    last = rows.order_by("-pk").first()
    return last is not None and last.actor_id is None and last.actor_label == Actor.program().label
