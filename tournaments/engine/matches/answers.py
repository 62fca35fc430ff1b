"""Players' answers to the up-next notice or the call: coming, a few minutes later, cannot play.

Answers inform the directors and have no other effect: no match is lost by an answer, and lateness (rules F10,
F15) still counts from the announced start or the call in the hall.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.statuses import NOT_STARTED, MatchStatus

LATER_DELAY: Final = timedelta(minutes=5)
EARLY_CALL_LEAD: Final = timedelta(
    hours=2
)  # an earlier call, such as on the night before, counts from the start of play
MAX_REASON_LENGTH: Final = 140  # characters


class ReplyChoice(StrEnum):
    """What a player can answer to a call."""

    COMING = "coming"
    LATER = "later"  # in five minutes
    CANNOT = "cannot"  # the director decides about the match


@dataclass(frozen=True, slots=True)
class CallReply:
    """A player's answer to a call.

    ``coming``: what was answered; ``at``: when; ``reason``: why the player cannot play, visible to the staff
    only.
    """

    coming: ReplyChoice
    at: datetime
    reason: str = ""

    @property
    def by(self) -> datetime | None:
        """Time by which a player who comes later will be there; None for other answers."""
        return self.at + LATER_DELAY if self.coming is ReplyChoice.LATER else None

    def is_repeat_of(self, previous: CallReply | None) -> bool:
        """Return whether this answer only repeats ``previous``.

        "Five minutes later" is a new answer once the previous five minutes are over.
        """
        if previous is None or (previous.coming, previous.reason) != (self.coming, self.reason):
            return False
        return previous.by is None or self.at < previous.by

    def counts(self, status: MatchStatus, sent_back_at: datetime | None) -> bool:
        """Return whether the answer still applies to a match in this ``status``.

        The answer lapses if the match was returned to the queue after it (``sent_back_at``); "cannot play"
        remains until the player or the staff undo it.
        """
        if status not in NOT_STARTED:
            return False
        return self.coming is ReplyChoice.CANNOT or sent_back_at is None or sent_back_at <= self.at


def check_reply(coming: ReplyChoice, reason: str) -> tuple[Fault, ...]:
    """Return the errors of an answer to a call.

    ``reason`` is plain text on one line, required if the player cannot play.

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
    """Return the time from which lateness counts: the call, or the start of play soon after the call.

    ``opens``: the announced start of play, if any.

    >>> late_since(datetime(2027, 5, 1, 9, 50), datetime(2027, 5, 1, 10)).hour
    10
    """
    return opens if opens is not None and called < opens <= called + EARLY_CALL_LEAD else called
