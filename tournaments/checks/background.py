"""Run integrity checks of some events every hour, to find inconsistencies before users meet them."""

import logging
import time
from typing import Final

from django.utils import timezone

from people.rows import one_or_none
from people.snapshot import snapshot
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event, EventSoundness
from tournaments.selectors.soundness import next_events_to_check

log = logging.getLogger(__name__)
EVENTS_PER_RUN: Final = 200  # events in one run
MAX_RUN_SECONDS: Final = 120.0  # seconds after which the rest waits for the next run
_MAX_CODES_LENGTH: Final = 200


def check_due_events(limit: int = EVENTS_PER_RUN, seconds: float = MAX_RUN_SECONDS) -> int:
    """Run the integrity check of the events that most need one; return the number of events.

    Stops after ``limit`` events or ``seconds`` seconds, but checks at least one event.
    """
    deadline = time.monotonic() + seconds
    checked_count = 0
    for pk in next_events_to_check(limit):
        if checked_count and time.monotonic() > deadline:
            break
        check_event(pk)
        checked_count += 1
    return checked_count


def check_event(pk: int) -> None:
    """Run the integrity check of one event in one snapshot of the database; log and store the result.

    A check that raises is stored as ``error``; a deleted event is ignored.
    """
    codes: list[str]
    with snapshot():
        event = one_or_none(Event.objects.filter(pk=pk))
        if event is None:
            return
        try:
            codes = [fault.check for fault in integrity_faults(event)]
        except Exception:
            log.exception("The integrity check of event %s failed.", event.public_id)
            codes = ["error"]
    if codes:
        check_names = ", ".join(sorted(set(codes)))
        log.error("Event %s is inconsistent (%s). Run manage.py check_events %s", event.public_id, check_names, event.public_id)  # fmt: skip
    values = {
        "checked_at": timezone.now(),
        "version": event.version,
        "faults": len(codes),
        "checks": ",".join(sorted(set(codes)))[:_MAX_CODES_LENGTH],
    }
    EventSoundness.objects.update_or_create(event_id=pk, defaults=values)
