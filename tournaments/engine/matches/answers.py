"""What a player answers before a match: coming, a few minutes later, cannot play. PURE.

An answer is a word to the desk and no deed: nobody loses a match by it, and the clock of lateness (F10 F15) does not hear of it. It counts from
the announced start or the call in the hall.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.statuses import AWAITED, MatchStatus

LATER_BY: Final = timedelta(minutes=5)
CALLED_EARLY: Final = timedelta(hours=2)  # more before the start of play: the night before
REASON_LIMIT: Final = 140  # characters


class Coming(StrEnum):
    """Possible answers."""

    COMING = "coming"
    LATER = "later"  # in five minutes
    CANNOT = "cannot"  # play: the director decides what becomes of the match


@dataclass(frozen=True, slots=True)
class CallReply:
    """``coming``, since ``at``. ``reason``: why somebody cannot play, for the desk alone."""

    coming: Coming
    at: datetime
    reason: str = ""

    @property
    def by(self) -> datetime | None:
        """When somebody is there who comes later."""
        return self.at + LATER_BY if self.coming is Coming.LATER else None

    def repeats(self, before: CallReply | None) -> bool:
        """Whether it says what ``before`` says: a second tap. *Five minutes* once they are over is a new word."""
        if before is None or (before.coming, before.reason) != (self.coming, self.reason):
            return False
        return before.by is None or self.at < before.by

    def counts(self, status: MatchStatus, sent_back_at: datetime | None) -> bool:
        """Whether it still says something of a match in this ``status``. Who was called and sent back is asked anew; that somebody cannot
        play stays until they or the desk take it back.
        """
        if status not in AWAITED:
            return False
        return self.coming is Coming.CANNOT or sent_back_at is None or sent_back_at <= self.at


def check_reply(coming: Coming, reason: str) -> tuple[Fault, ...]:
    """What is wrong with an answer; ``reason`` is one line of plain text.

    >>> [fault.code for fault in check_reply(Coming.CANNOT, "")]
    ['answer.reason_missing']
    """
    if coming is not Coming.CANNOT:
        return ()
    if not reason:
        return (Fault("answer.reason_missing", "reason"),)
    if len(reason) > REASON_LIMIT:
        return (Fault("answer.reason_long", "reason", {"limit": REASON_LIMIT, "count": len(reason)}),)
    return ()


def late_from(called: datetime, opens: datetime | None) -> datetime:
    """From when on whoever is not there is late: the call in the hall, or the start of play that was announced for the same day where the match
    was called shortly before it.

    >>> late_from(datetime(2027, 5, 1, 9, 50), datetime(2027, 5, 1, 10)).hour
    10
    """
    return opens if opens is not None and called < opens <= called + CALLED_EARLY else called
