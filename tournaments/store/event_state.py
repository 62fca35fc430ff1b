"""Status changes of events, stages and entries; nothing else assigns their status.

``step_event``, ``step_stage`` and ``step_entry`` make a transition of the tables in ``engine.statuses`` or
raise ``TransitionRefused`` (409); the caller saves the row. The other functions follow from draws and
results.
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
from tournaments.store.shown import note_scope, note_status_change


def step_event(event: Event, action: EventAction) -> None:
    """Set the event's next status; note that lists of events have changed, too.

    The caller saves the event.
    """
    note_status_change(event)
    event.status = next_status(EventStatus(event.status), action)


def step_stage(event: Event, stage: Stage, action: StageAction) -> None:
    """Set the stage's next status; note that all pages of the event have changed.

    The caller saves the stage.
    """
    note_scope(event, ChangeScope.EVENT)
    stage.status = next_status(StageStatus(stage.status), action)


def step_entry(entry: Entry, action: EntryAction) -> None:
    """Set the entry's next status. The caller saves the entry."""
    entry.status = next_status(EntryStatus(entry.status), action)


def start_event(event: Event) -> None:
    """Set the event's status to running when its first draw is published.

    Registration closes when no stage is left to enter. The caller saves the event.
    """
    if event.status != EventStatus.RUNNING:
        step_event(event, EventAction.START)
    open_stages = Stage.objects.filter(division__event=event, status=StageStatus.SETUP, fed_by=None)
    event.registration_open = event.registration_open and open_stages.exists()


def unstart_event(event: Event) -> None:
    """Undo ``start_event`` if no draw is published any more. The caller saves the event."""
    if not Stage.objects.filter(division__event=event, status__in=DRAW_PUBLIC).exists():
        step_event(event, EventAction.UNSTART)


def start_stage(event: Event, stage: Stage) -> None:
    """Set a published stage to running and save it, when its first match is called, started or reported."""
    if stage.status == StageStatus.PUBLISHED:
        step_stage(event, stage, StageAction.START)
        stage.save(update_fields=["status"])


def unstart_stage(event: Event, stage: Stage) -> None:
    """Set a running stage back to published if none of its matches has begun; then it can be unpublished."""
    if stage.status == StageStatus.RUNNING and not has_stage_begun(stage):
        step_stage(event, stage, StageAction.UNSTART)
        stage.save(update_fields=["status"])


def has_stage_begun(stage: Stage) -> bool:
    """Return whether any match in the stage has been called, played or reported; byes do not count."""
    is_over = Q(status=MatchStatus.CONFIRMED) & ~Q(result_kind=ResultKind.BYE)
    return Match.objects.filter(Q(status__in=IN_PROGRESS) | is_over, stage=stage).exists()


def finish_stage_if_over(event: Event, stage: Stage) -> None:
    """Finish the stage if all matches are over and no round is to come, and then the event.

    The caller saves the event.
    """
    open_matches = Match.objects.filter(stage=stage).exclude(status__in=OVER)
    if open_matches.exists() or has_round_to_come(stage):
        return
    step_stage(event, stage, StageAction.FINISH)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    finish_event_if_over(event)


def finish_event_if_over(event: Event) -> None:
    """Finish the event if all its stages are finished, also after a stage was deleted.

    The caller saves the event.
    """
    stages = Stage.objects.filter(division__event=event)
    if event.status == EventStatus.RUNNING and not stages.exclude(status=StageStatus.FINISHED).exists():
        step_event(event, EventAction.FINISH)
        event.finished_at = timezone.now()


def reopen_stage(event: Event, stage: Stage) -> None:
    """Reopen a finished stage, and its event if that was finished. The caller saves the event."""
    step_stage(event, stage, StageAction.REOPEN)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    if event.status == EventStatus.FINISHED:
        step_event(event, EventAction.REOPEN)
        event.finished_at = None
