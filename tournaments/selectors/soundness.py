"""Which events are asked next whether they are sound, and what was found."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Case, F, IntegerField, Max, Q, Value, When

from tournaments.engine.statuses import EventStatus
from tournaments.models import Event, EventSoundness

_NEVER: Final = Q(soundness__isnull=True)
_CHANGED: Final = _NEVER | ~Q(soundness__version=F("version"))
_UNSOUND: Final = Q(soundness__faults__gt=0)


@dataclass(frozen=True, slots=True)
class SoundnessNow:
    """``unsound``: events in which something did not fit; ``unchecked``: those never asked, or changed since; ``last``: when one was."""

    unsound: int
    unchecked: int
    last: datetime | None


def next_to_check(limit: int) -> list[int]:
    """Events by id: those that run and have changed, the unsound, the changed, and then all others, those asked longest ago first."""
    first = Case(
        When(_CHANGED, status=EventStatus.RUNNING, then=Value(0)),
        When(_UNSOUND, then=Value(1)),
        When(_CHANGED, then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    events = Event.objects.order_by(first, F("soundness__checked_at").asc(nulls_first=True), "pk")
    return list(events.values_list("pk", flat=True)[:limit])


def soundness_now() -> SoundnessNow:
    rows = EventSoundness.objects.all()
    return SoundnessNow(
        unsound=rows.filter(faults__gt=0).count(),
        unchecked=Event.objects.filter(_CHANGED).count(),
        last=rows.aggregate(last=Max("checked_at"))["last"],
    )
