"""Who takes a desk over: since when somebody was away from it, and what a note to the others may be."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from faults import Fault

NOTE_LIMIT: Final = 500  # characters
MOST_OPEN: Final = 50  # notes that nobody has seen to yet
AWAY: Final = timedelta(minutes=20)


def last_here(now: datetime, mine: Iterable[datetime]) -> datetime | None:
    """When somebody did the last thing before this visit; None where they never did one. ``mine``: when they did something, newest first.

    Things that lie less than twenty minutes apart belong to one visit:

    >>> hour = datetime(2026, 11, 23, 20)
    >>> minutes = (55, 50, 20, 15)
    >>> last_here(hour + timedelta(minutes=58), [hour + timedelta(minutes=m) for m in minutes]).minute
    20
    """
    later = now
    for at in mine:
        if later - at > AWAY:
            return at
        later = at
    return None


def check_note(text: str) -> tuple[Fault, ...]:
    """What is wrong with a note."""
    if not text:
        return (Fault("desk_note.empty", "text"),)
    if len(text) > NOTE_LIMIT:
        return (Fault("desk_note.long", "text", {"limit": NOTE_LIMIT}),)
    return ()
