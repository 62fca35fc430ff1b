"""When an event begins to run, and when it no longer does, because of a draw."""

from django.utils import timezone

from tournaments.engine.lifecycle import (
    DRAW_SHOWN,
    EventAction,
    EventStatus,
    StageStatus,
    next_status,
)
from tournaments.models import Event, Stage
from tournaments.models.refusals import engine_refusals


def start_event(event: Event) -> None:
    """The first draw that is published sets the event running; registration ends when nothing is left to enter. The caller saves."""
    if event.status != EventStatus.RUNNING:
        with engine_refusals({"status": event.status}):
            event.status = next_status(EventStatus(event.status), EventAction.START)
    to_enter = Stage.objects.filter(division__event=event, status=StageStatus.SETUP, fed_by=None)
    event.registration_open = event.registration_open and to_enter.exists()


def unstart_event(event: Event) -> None:
    """The last draw taken back leaves the event as it was before. The caller saves the event."""
    if not Stage.objects.filter(division__event=event, status__in=DRAW_SHOWN).exists():
        with engine_refusals({"status": event.status}):
            event.status = next_status(EventStatus(event.status), EventAction.UNSTART)


def finish_event_if_over(event: Event) -> None:
    """The last stage that is over, or the last one to come that is taken away, finishes the event. The caller saves the event."""
    stages = Stage.objects.filter(division__event=event)
    if event.status == EventStatus.RUNNING and not stages.exclude(status=StageStatus.FINISHED).exists():
        event.status = next_status(EventStatus(event.status), EventAction.FINISH)
        event.finished_at = timezone.now()
