"""Audit actions of two sides that arrange a match: times, and reported messages; never texts or places."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(AuditAction):
    """``times``: in ISO form. ``phone``: the number of the phone on the personal link, 0 if none was used."""

    kind: ClassVar[str] = "match.offer_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    times: tuple[str, ...]
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesDeclined(AuditAction):
    """All offered times were declined; ``own``: withdrawn by the side that offered them."""

    kind: ClassVar[str] = "match.decline_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    own: bool
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAgreed(AuditAction):
    """``at``: the agreed time in ISO form; ``before``: the one that it replaces, or empty."""

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
    """A side asked a director to read the messages so far."""

    kind: ClassVar[str] = "match.report_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesReviewed(AuditAction):
    """A director has dealt with reported messages; ``closed``: no further messages are possible."""

    kind: ClassVar[str] = "match.settle_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    closed: bool
