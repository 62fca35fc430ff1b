"""Who takes a desk over: since when somebody was away from it, and what a note to the others may be."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from faults import Fault

MAX_NOTE_LENGTH: Final = 500  # characters
MAX_OPEN_NOTES: Final = 50  # notes that nobody has seen to yet
AWAY_AFTER: Final = timedelta(minutes=20)


def last_action_before(now: datetime, mine: Iterable[datetime]) -> datetime | None:
    """When somebody did the last thing before this visit; None where they never did one. ``mine``: when they did something, newest first.

    Things that lie less than twenty minutes apart belong to one visit:

    >>> hour = datetime(2026, 11, 23, 20)
    >>> minutes = (55, 50, 20, 15)
    >>> last_action_before(hour + timedelta(minutes=58), [hour + timedelta(minutes=m) for m in minutes]).minute
    20
    """
    later = now
    for at in mine:
        if later - at > AWAY_AFTER:
            return at
        later = at
    return None


def check_note(text: str) -> tuple[Fault, ...]:
    """What is wrong with a note."""
    if not text:
        return (Fault("desk_note.empty", "text"),)
    if len(text) > MAX_NOTE_LENGTH:
        return (Fault("desk_note.long", "text", {"limit": MAX_NOTE_LENGTH}),)
    return ()
