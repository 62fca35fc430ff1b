"""Service that saves a schedule that a director has tried out: tables, hours, match lengths and rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import time

from faults import Conflict, Fault, raise_faults
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.engine.trail.divisions import StageUpdated
from tournaments.engine.trail.events import EventUpdated
from tournaments.events.services.events import details_of_event, event_faults, settings_as_text, write_event
from tournaments.events.services.stages import (
    StageDetails,
    details_of_stage,
    require_changeable_event,
    stage_faults,
)
from tournaments.models import Event, Stage
from tournaments.selectors.access.versions import settings_version
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed
from tournaments.store.tables import assign_free_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A schedule of an event to save.

    ``lengths``: match lengths, keyed by stage id; ``rounds``: numbers of rounds, keyed by stage id; stages
    that are missing are unchanged. Times are in the event's time zone.
    """

    tables: int
    opens_at: time | None
    closes_at: time | None
    break_from: time | None
    break_until: time | None
    lengths: Mapping[int, Sequence[int]] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)


def schedule_version(event: Event, stages: Sequence[Stage]) -> str:
    """Return the version (a hash) of everything that `set_schedule` can change."""
    schedule = asdict(_schedule_of(event, stages))
    return settings_version({**schedule, "drawn": [stage.pk for stage in stages if not _is_open(stage)]})


def _schedule_of(event: Event, stages: Sequence[Stage]) -> Schedule:
    return Schedule(
        tables=event.tables,
        opens_at=event.opens_at,
        closes_at=event.closes_at,
        break_from=event.break_from,
        break_until=event.break_until,
        lengths={stage.pk: list(stage.lengths) for stage in stages},
        rounds={stage.pk: stage.settings.swiss.rounds for stage in stages},
    )


@durable
def set_schedule(*, actor: Actor, event_id: int, schedule: Schedule, seen: str = "") -> Event:
    """Save all of ``schedule`` or, if anything is wrong, nothing; return the event.

    ``seen``: `schedule_version` that the director saw. Errors of a stage have the fields ``lengths-ID`` and
    ``rounds-ID``. Raises ``Conflict`` if the version has changed or a stage has been drawn since.
    """
    event = lock_for_director(actor, event_id)
    require_changeable_event(event)
    stages = list(Stage.objects.filter(division__event=event).select_related("division", "fed_by"))
    refuse_if_changed(seen, schedule_version(event, stages), event.status, event)
    details = replace(
        details_of_event(event),
        tables=schedule.tables,
        opens_at=schedule.opens_at,
        closes_at=schedule.closes_at,
        break_from=schedule.break_from,
        break_until=schedule.break_until,
    )
    faults = event_faults(details)
    changed_stages: dict[Stage, StageDetails] = {}
    for stage in stages:
        before = details_of_stage(stage)
        after = _changed_details(before, stage, schedule)
        if after == before:
            continue
        if not _is_open(stage):
            raise Conflict("stage.already_drawn", present=stage)
        changed_stages[stage] = after
        faults += [_fault_at_stage(fault, stage) for fault in stage_faults(after)]
    raise_faults(faults)
    previous_texts = settings_as_text(event)
    write_event(event, details)
    if event.status == EventStatus.RUNNING:
        assign_free_tables(event)
    if settings_as_text(event) != previous_texts:
        record_action(
            event, actor=actor, action=EventUpdated(before=previous_texts, after=settings_as_text(event))
        )
    for stage, after in changed_stages.items():
        stage.lengths = list(after.lengths)
        if stage.system in Stage.IN_ROUNDS:
            stage.settings = replace(stage.settings, own=after.swiss)
        stage.save(update_fields=["lengths", "kept_settings"])
        record_action(event, actor=actor, action=StageUpdated(lengths=tuple(stage.lengths)), subject=stage)
    return event


def _is_open(stage: Stage) -> bool:
    return stage.status == StageStatus.SETUP


def _changed_details(before: StageDetails, stage: Stage, schedule: Schedule) -> StageDetails:
    lengths = schedule.lengths.get(stage.pk, before.lengths)
    rounds = schedule.rounds.get(stage.pk, before.swiss.rounds)
    swiss = before.swiss if rounds == before.swiss.rounds else replace(before.swiss, rounds=rounds)
    return replace(before, lengths=list(lengths), swiss=swiss)


def _fault_at_stage(fault: Fault, stage: Stage) -> Fault:
    name = "rounds" if fault.field == "rounds" else "lengths"
    return replace(fault, field=f"{name}-{stage.pk}")
