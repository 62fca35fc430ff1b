"""Deeds of two sides that arrange a match: times, and that somebody wants a director to read what was written. Never what was written, nor where."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(AuditAction):
    """``times``: moments in ISO form. ``phone``: the number of the phone that spoke by the personal link, 0 if nobody spoke by one."""

    kind: ClassVar[str] = "match.offer_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    times: tuple[str, ...]
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesDeclined(AuditAction):
    """No time that was offered stands any more; ``own``: they were taken back."""

    kind: ClassVar[str] = "match.decline_times"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    own: bool
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAgreed(AuditAction):
    """``at``: a moment in ISO form; ``before``: the one that it takes the place of, or empty."""

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
    """A side asks a director to read what was written so far."""

    kind: ClassVar[str] = "match.report_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesReviewed(AuditAction):
    """A director has seen to it; ``closed``: nobody writes any more."""

    kind: ClassVar[str] = "match.settle_talk"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    closed: bool
