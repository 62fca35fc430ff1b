"""Agreed match times of an entry for its calendar; cancelled times are included."""

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
    """An agreed match time, as an entry in a calendar.

    ``uid`` never changes; ``sequence`` rises at least with each change; ``changed``: when the time was agreed
    or last changed; ``off``: the time was cancelled or is no longer needed.
    """

    uid: str
    sequence: int
    begins: datetime
    ends: datetime
    place: str
    own_name: str
    opponent: str
    length: int
    match: str
    event: str
    off: bool
    changed: datetime


def meetings_of_entry(entry: Entry, match: Match | None = None) -> list[Meeting]:
    """Return the agreed times of ``entry``, earliest first; ``match``: only of this match.

    At most ``MAX_MEETINGS``.
    """
    rows = (
        arrangements_of_entries([entry.pk])
        .exclude(starts_at=None)
        .filter(match__stage__status__in=DRAW_PUBLIC)
    )
    if match is not None:
        rows = rows.filter(match=match)
    rows = rows.select_related("match", "first", "second").order_by("starts_at", "pk")[:MAX_MEETINGS]
    current_ids = set(
        current_arrangements().filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True)
    )
    return [_build_meeting(row, entry, still_paired=row.pk in current_ids) for row in rows]


def _build_meeting(row: Arrangement, entry: Entry, *, still_paired: bool) -> Meeting:
    event = entry.division.event
    assert row.starts_at is not None
    opponent = row.second if row.first_id == entry.pk else row.first
    is_off = not (row.is_agreed and still_paired) or event.status == EventStatus.CANCELLED
    return Meeting(
        uid=f"{row.match.public_id}-{opponent.public_id}",
        sequence=event.version,
        begins=row.starts_at,
        ends=row.starts_at + timedelta(seconds=row.match.length * SECONDS_PER_POINT),
        place=row.place,
        own_name=entry.name,
        opponent=opponent.name,
        length=row.match.length,
        match=row.match.public_id,
        event=event.name,
        off=is_off or _is_played_before(row),
        changed=row.changed_at,
    )


def _is_played_before(row: Arrangement) -> bool:
    """Return whether the match had a result before the agreed time."""
    match = row.match
    if match.status not in OVER or row.starts_at is None:
        return False
    ended_at = match.played_at or match.confirmed_at
    return ended_at is None or ended_at < row.starts_at
