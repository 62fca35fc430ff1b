"""Up-next notices: a worker notifies the players of upcoming matches, checked every minute.

No service depends on a notice, and a notice does not change the event. Players see it on their page and as a
push message (`docs/notices.md`); it has no other effect, and lateness never counts from it (rule F15).
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
    """Send the due up-next notices of an event and return how many were sent.

    Idempotent while the queue does not move. ``now``: by default the current time.
    """
    now = now or timezone.now()
    event = one_or_none(Event.objects.filter(pk=event_id))
    if event is None or not due_up_next_notices(event, now):
        return 0
    return len(_send_notices_locked(event_id, now))


@durable
def _send_notices_locked(event_id: int, now: datetime) -> list[UpcomingMatch]:
    """Send the due notices and return their matches.

    They are determined again under the event's lock: a match may have been called at the same moment.
    """
    event = lock_event(event_id)
    upcoming_matches = due_up_next_notices(event, now)
    for upcoming in upcoming_matches:
        row = CallWord.objects.filter(match=upcoming.match, entry=upcoming.entry).first()
        if row is None:
            row = CallWord(match_id=upcoming.match, entry_id=upcoming.entry, times=0)
        row.at, row.begins_at, row.table = now, upcoming.begins_at, upcoming.table
        row.times += 1
        row.save()
        notify(
            event, MatchUpNext(match=upcoming.match, begins=upcoming.begins_at.isoformat()), [upcoming.entry]
        )
    return upcoming_matches
