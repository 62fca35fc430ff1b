"""How event, stages and entries move from status to status: the only place that assigns theirs.

`step_event`, `step_stage` and `step_entry` take a step of the tables in ``engine.statuses`` or refuse it (409); the caller saves
the row. The others follow from draws and results.
"""

from django.db.models import Q
from django.utils import timezone

from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    IN_PROGRESS,
    OVER,
    EntryAction,
    EntryStatus,
    EventAction,
    EventStatus,
    MatchStatus,
    StageAction,
    StageStatus,
    next_status,
)
from tournaments.engine.trail.action import ChangeScope
from tournaments.engine.types import ResultKind
from tournaments.models import Entry, Event, Match, Stage
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.store.places import record_places
from tournaments.store.shown import note_reach, note_status_change


def step_event(event: Event, action: EventAction) -> None:
    """The event's next status by the table: lists of events tell it, too."""
    note_status_change(event)
    event.status = next_status(EventStatus(event.status), action)


def step_stage(event: Event, stage: Stage, action: StageAction) -> None:
    """The stage's next status by the table: all pages of the event tell it."""
    note_reach(event, ChangeScope.EVENT)
    stage.status = next_status(StageStatus(stage.status), action)


def step_entry(entry: Entry, action: EntryAction) -> None:
    """The entry's next status by the table."""
    entry.status = next_status(EntryStatus(entry.status), action)


def start_event(event: Event) -> None:
    """The first draw that is published sets the event running; registration ends when nothing is left to enter. The caller saves."""
    if event.status != EventStatus.RUNNING:
        step_event(event, EventAction.START)
    to_enter = Stage.objects.filter(division__event=event, status=StageStatus.SETUP, fed_by=None)
    event.registration_open = event.registration_open and to_enter.exists()


def unstart_event(event: Event) -> None:
    """The last draw taken back leaves the event as it was before. The caller saves the event."""
    if not Stage.objects.filter(division__event=event, status__in=DRAW_PUBLIC).exists():
        step_event(event, EventAction.UNSTART)


def start_stage(event: Event, stage: Stage) -> None:
    """The first call, start or report of a published stage sets it running."""
    if stage.status == StageStatus.PUBLISHED:
        step_stage(event, stage, StageAction.START)
        stage.save(update_fields=["status"])


def unstart_stage(event: Event, stage: Stage) -> None:
    """A match called by mistake and sent back leaves the stage as it was published: its draw can be taken back again."""
    if stage.status == StageStatus.RUNNING and not has_stage_begun(stage):
        step_stage(event, stage, StageAction.UNSTART)
        stage.save(update_fields=["status"])


def has_stage_begun(stage: Stage) -> bool:
    """Whether anything in the stage is called, played or reported; a bye is none of these."""
    over = Q(status=MatchStatus.CONFIRMED) & ~Q(result_kind=ResultKind.BYE)
    return Match.objects.filter(Q(status__in=IN_PROGRESS) | over, stage=stage).exists()


def finish_stage_if_over(event: Event, stage: Stage) -> None:
    """The last result finishes its stage, the last stage the event. The caller saves the event."""
    still_open = Match.objects.filter(stage=stage).exclude(status__in=OVER)
    if still_open.exists() or has_round_to_come(stage):
        return
    step_stage(event, stage, StageAction.FINISH)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    finish_event_if_over(event)


def finish_event_if_over(event: Event) -> None:
    """The last stage that is over, or the last one to come that is taken away, finishes the event. The caller saves the event."""
    stages = Stage.objects.filter(division__event=event)
    if event.status == EventStatus.RUNNING and not stages.exclude(status=StageStatus.FINISHED).exists():
        step_event(event, EventAction.FINISH)
        event.finished_at = timezone.now()


def reopen_stage(event: Event, stage: Stage) -> None:
    """A stage that was over goes on, and so does its event. The caller saves the event."""
    step_stage(event, stage, StageAction.REOPEN)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    if event.status == EventStatus.FINISHED:
        step_event(event, EventAction.REOPEN)
        event.finished_at = None
