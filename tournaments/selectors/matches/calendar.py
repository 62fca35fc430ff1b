"""What an entry has agreed on, as a calendar shows it: each time that ever stood, and whether it still does."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from tournaments.engine.hall.forecast import SECONDS_PER_POINT
from tournaments.engine.statuses import DRAW_PUBLIC, OVER, EventStatus
from tournaments.models import Arrangement, Entry, Match
from tournaments.selectors.matches.arrangements import arrangements_of_entries, current_arrangements

MAX_MEETINGS: Final = 300


@dataclass(frozen=True, slots=True)
class Meeting:
    """A time that two agreed on. ``uid`` stays the same whatever becomes of it; ``sequence`` rises with whatever is done in the event, for it has to
    rise with each change and may rise more often. ``changed``: when it was agreed on, or touched last.
    """

    uid: str
    sequence: int
    begins: datetime
    ends: datetime
    place: str
    me: str
    opponent: str
    length: int
    match: str
    event: str
    off: bool
    changed: datetime


def meetings_of_entry(entry: Entry, match: Match | None = None) -> list[Meeting]:
    """The times of ``entry``, of one match or of all, the first one first."""
    rows = (
        arrangements_of_entries([entry.pk])
        .exclude(starts_at=None)
        .filter(match__stage__status__in=DRAW_PUBLIC)
    )
    if match is not None:
        rows = rows.filter(match=match)
    rows = rows.select_related("match", "first", "second").order_by("starts_at", "pk")[:MAX_MEETINGS]
    now = set(current_arrangements().filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    return [_build_meeting(row, entry, still_paired=row.pk in now) for row in rows]


def _build_meeting(row: Arrangement, entry: Entry, *, still_paired: bool) -> Meeting:
    event = entry.division.event
    assert row.starts_at is not None
    other = row.second if row.first_id == entry.pk else row.first
    off = not (row.is_agreed and still_paired) or event.status == EventStatus.CANCELLED
    return Meeting(
        uid=f"{row.match.public_id}-{other.public_id}",
        sequence=event.version,
        begins=row.starts_at,
        ends=row.starts_at + timedelta(seconds=row.match.length * SECONDS_PER_POINT),
        place=row.place,
        me=entry.name,
        opponent=other.name,
        length=row.match.length,
        match=row.match.public_id,
        event=event.name,
        off=off or _is_played_before(row),
        changed=row.changed_at,
    )


def _is_played_before(row: Arrangement) -> bool:
    """Whether a result stood before they would have met: then they need not."""
    match = row.match
    if match.status not in OVER or row.starts_at is None:
        return False
    ended = match.played_at or match.confirmed_at
    return ended is None or ended < row.starts_at
