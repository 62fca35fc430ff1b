"""Events due for an integrity check, and the results of the checks."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Case, F, IntegerField, Max, Q, Value, When

from tournaments.engine.statuses import EventStatus
from tournaments.models import Event, EventSoundness

_NEVER_CHECKED: Final = Q(soundness__isnull=True)
_CHANGED_SINCE_CHECK: Final = _NEVER_CHECKED | ~Q(soundness__version=F("version"))
_INCONSISTENT: Final = Q(soundness__faults__gt=0)


@dataclass(frozen=True, slots=True)
class IntegrityStatus:
    """The state of the integrity checks of all events.

    ``inconsistent_count``: number of events with errors; ``unchecked_count``: number of events that were
    never checked or have changed since; ``last``: time of the last check, or None.
    """

    inconsistent_count: int
    unchecked_count: int
    last: datetime | None


def next_events_to_check(limit: int) -> list[int]:
    """Return the ids of the next events to check, in order of urgency.

    First running events that have changed, then inconsistent ones, others that have changed, and the rest by
    oldest check.
    """
    priority = Case(
        When(_CHANGED_SINCE_CHECK, status=EventStatus.RUNNING, then=Value(0)),
        When(_INCONSISTENT, then=Value(1)),
        When(_CHANGED_SINCE_CHECK, then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    events = Event.objects.order_by(priority, F("soundness__checked_at").asc(nulls_first=True), "pk")
    return list(events.values_list("pk", flat=True)[:limit])


def integrity_status() -> IntegrityStatus:
    rows = EventSoundness.objects.all()
    return IntegrityStatus(
        inconsistent_count=rows.filter(faults__gt=0).count(),
        unchecked_count=Event.objects.filter(_CHANGED_SINCE_CHECK).count(),
        last=rows.aggregate(last=Max("checked_at"))["last"],
    )
