"""The word before the call: in a worker, once a minute, whoever's match is near is told, once for each match.

No service knows of it, and it is no change of the event. What the players see stands on their own page and comes to their phones (`docs/notices.md`);
nothing else follows, and lateness never counts from it (F15).
"""

from datetime import datetime

from django.utils import timezone

from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.alerts import MatchUpNext
from tournaments.models import CallWord, Event
from tournaments.notices.services.notifying import notify
from tournaments.selectors.hall.near import UpcomingMatch, due_up_next_notices
from tournaments.store.lock import lock_event


def send_up_next_notices(*, event_id: int, now: datetime | None = None) -> int:
    """Tell whoever's match is near; how many were told. Safe to repeat: nobody is told twice of what has not moved."""
    now = now or timezone.now()
    event = one_or_none(Event.objects.filter(pk=event_id))
    if event is None or not due_up_next_notices(event, now):
        return 0
    return len(_send_notices_locked(event_id, now))


@durable
def _send_notices_locked(event_id: int, now: datetime) -> list[UpcomingMatch]:
    """Asked again under the lock: nobody is told of a match that was called in the same moment."""
    event = lock_event(event_id)
    found = due_up_next_notices(event, now)
    for near in found:
        row = CallWord.objects.filter(match=near.match, entry=near.entry).first()
        if row is None:
            row = CallWord(match_id=near.match, entry_id=near.entry, times=0)
        row.at, row.begins_at, row.table = now, near.begins_at, near.table
        row.times += 1
        row.save()
        notify(event, MatchUpNext(match=near.match, begins=near.begins_at.isoformat()), [near.entry])
    return found
