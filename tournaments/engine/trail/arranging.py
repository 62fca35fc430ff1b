"""Audit actions of two sides that arrange a match: times, and reported messages.

Texts of messages and places are never stored.
"""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(AuditAction):
    """A side offered times for the match.

    ``times``: in ISO form. ``phone``: which of the devices that use the personal link, 0 if no link was used.
    """

    kind: ClassVar[str] = "match.offer_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    times: tuple[str, ...]
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesDeclined(AuditAction):
    """All offered times were declined.

    ``own``: the side that had offered them withdrew them.
    """

    kind: ClassVar[str] = "match.decline_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    own: bool
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAgreed(AuditAction):
    """The sides agreed on a time.

    ``at``: the time in ISO form; ``before``: the agreed time that it replaces, or empty.
    """

    kind: ClassVar[str] = "match.agree_time"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    at: str
    before: str = ""
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedTimeCancelled(AuditAction):
    kind: ClassVar[str] = "match.call_off_time"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    at: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesReported(AuditAction):
    """A side asked a director to read the messages of the match so far."""

    kind: ClassVar[str] = "match.report_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesReviewed(AuditAction):
    """A director has dealt with the reported messages of a match.

    ``closed``: no further messages are possible.
    """

    kind: ClassVar[str] = "match.settle_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    closed: bool
