"""The word before the call: when a player is told that their match is near. PURE.

Once for each match, from the forecast; again only if that has moved by much, and not for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DEFAULT_MINUTES: Final = 15
MAX_MINUTES: Final = 120
MIN_SHIFT: Final = timedelta(minutes=10)  # by so much is much
MAX_NOTICES: Final = 3
MAX_FORECAST_AGE: Final = timedelta(
    minutes=10
)  # a forecast of that long ago says nothing of the next minutes


@dataclass(frozen=True, slots=True)
class UpNextNotice:
    """What was told last: when the match would begin; the ``times``-th word about it."""

    begins_at: datetime
    times: int


def is_near(begins_at: datetime, now: datetime, minutes: int) -> bool:
    """Whether a match that is expected to begin then is near; never with 0 ``minutes``."""
    return minutes > 0 and begins_at <= now + timedelta(minutes=minutes)


def is_notice_due(begins_at: datetime, now: datetime, minutes: int, before: UpNextNotice | None) -> bool:
    """Whether a word is to be given ``now``: the match is near and nobody was told, or it begins at quite another time than was told.

    >>> ten = datetime(2027, 5, 1, 10)
    >>> is_notice_due(ten + timedelta(minutes=12), ten, 15, None)
    True
    >>> is_notice_due(ten + timedelta(minutes=12), ten, 15, UpNextNotice(ten + timedelta(minutes=9), 1))
    False
    """
    if minutes <= 0:
        return False
    if before is None:
        return is_near(begins_at, now, minutes)
    return before.times < MAX_NOTICES and abs(begins_at - before.begins_at) >= MIN_SHIFT
