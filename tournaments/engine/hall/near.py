"""Up-next notices: when a player is notified that a match will begin soon.

One notice for each match, from the forecast; another one only if the expected start has moved by `MIN_SHIFT`,
and at most `MAX_NOTICES` in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DEFAULT_MINUTES: Final = 15
MAX_MINUTES: Final = 120
MIN_SHIFT: Final = timedelta(minutes=10)  # a smaller shift causes no further notice
MAX_NOTICES: Final = 3
MAX_FORECAST_AGE: Final = timedelta(minutes=10)  # older forecasts do not trigger notices


@dataclass(frozen=True, slots=True)
class UpNextNotice:
    """The last up-next notice about a match.

    ``begins_at``: the start that it announced; ``times``: the number of notices about the match so far.
    """

    begins_at: datetime
    times: int


def is_near(begins_at: datetime, now: datetime, minutes: int) -> bool:
    """Return whether a match begins at most ``minutes`` after ``now``; never if ``minutes`` is 0."""
    return minutes > 0 and begins_at <= now + timedelta(minutes=minutes)


def is_notice_due(begins_at: datetime, now: datetime, minutes: int, previous: UpNextNotice | None) -> bool:
    """Return whether to send an up-next notice ``now``.

    ``minutes``: how long before the start the first one is sent, 0 for never; ``previous``: the last notice
    about the match, after which another one is sent only if the start has shifted.

    >>> ten = datetime(2027, 5, 1, 10)
    >>> is_notice_due(ten + timedelta(minutes=12), ten, 15, None)
    True
    >>> is_notice_due(ten + timedelta(minutes=12), ten, 15, UpNextNotice(ten + timedelta(minutes=9), 1))
    False
    """
    if minutes <= 0:
        return False
    if previous is None:
        return is_near(begins_at, now, minutes)
    return previous.times < MAX_NOTICES and abs(begins_at - previous.begins_at) >= MIN_SHIFT
