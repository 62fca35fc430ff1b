"""Handing over between staff members: when a person was last active, and the checks of staff notes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from faults import Fault

MAX_NOTE_LENGTH: Final = 500  # characters
MAX_OPEN_NOTES: Final = 50  # notes that are not marked as done
AWAY_AFTER: Final = timedelta(minutes=20)


def last_action_before(now: datetime, action_times: Iterable[datetime]) -> datetime | None:
    """Return the time of a person's last action before the present visit, or None.

    ``action_times``: times of the person's actions, newest first. Actions at most twenty minutes apart
    (`AWAY_AFTER`) belong to one visit:

    >>> hour = datetime(2026, 11, 23, 20)
    >>> minutes = (55, 50, 20, 15)
    >>> last_action_before(hour + timedelta(minutes=58), [hour + timedelta(minutes=m) for m in minutes]).minute
    20
    """
    later = now
    for at in action_times:
        if later - at > AWAY_AFTER:
            return at
        later = at
    return None


def check_note(text: str) -> tuple[Fault, ...]:
    """Return the errors in the text of a staff note: none, or that the text is empty or too long."""
    if not text:
        return (Fault("desk_note.empty", "text"),)
    if len(text) > MAX_NOTE_LENGTH:
        return (Fault("desk_note.long", "text", {"limit": MAX_NOTE_LENGTH}),)
    return ()
