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
from tournaments.engine.statuses import NOT_STARTED, MatchStatus

LATER_DELAY: Final = timedelta(minutes=5)
EARLY_CALL_LEAD: Final = timedelta(hours=2)  # more before the start of play: the night before
MAX_REASON_LENGTH: Final = 140  # characters


class ReplyChoice(StrEnum):
    """Possible answers."""

    COMING = "coming"
    LATER = "later"  # in five minutes
    CANNOT = "cannot"  # play: the director decides what becomes of the match


@dataclass(frozen=True, slots=True)
class CallReply:
    """``coming``, since ``at``. ``reason``: why somebody cannot play, for the desk alone."""

    coming: ReplyChoice
    at: datetime
    reason: str = ""

    @property
    def by(self) -> datetime | None:
        """When somebody is there who comes later."""
        return self.at + LATER_DELAY if self.coming is ReplyChoice.LATER else None

    def is_repeat_of(self, before: CallReply | None) -> bool:
        """Whether it says what ``before`` says: a second tap. *Five minutes* once they are over is a new word."""
        if before is None or (before.coming, before.reason) != (self.coming, self.reason):
            return False
        return before.by is None or self.at < before.by

    def counts(self, status: MatchStatus, sent_back_at: datetime | None) -> bool:
        """Whether it still says something of a match in this ``status``. Who was called and sent back is asked anew; that somebody cannot
        play stays until they or the desk take it back.
        """
        if status not in NOT_STARTED:
            return False
        return self.coming is ReplyChoice.CANNOT or sent_back_at is None or sent_back_at <= self.at


def check_reply(coming: ReplyChoice, reason: str) -> tuple[Fault, ...]:
    """What is wrong with an answer; ``reason`` is one line of plain text.

    >>> [fault.code for fault in check_reply(ReplyChoice.CANNOT, "")]
    ['answer.reason_missing']
    """
    if coming is not ReplyChoice.CANNOT:
        return ()
    if not reason:
        return (Fault("answer.reason_missing", "reason"),)
    if len(reason) > MAX_REASON_LENGTH:
        return (Fault("answer.reason_long", "reason", {"limit": MAX_REASON_LENGTH, "count": len(reason)}),)
    return ()


def late_since(called: datetime, opens: datetime | None) -> datetime:
    """From when on whoever is not there is late: the call in the hall, or the start of play that was announced for the same day where the match
    was called shortly before it.

    >>> late_since(datetime(2027, 5, 1, 9, 50), datetime(2027, 5, 1, 10)).hour
    10
    """
    return opens if opens is not None and called < opens <= called + EARLY_CALL_LEAD else called
