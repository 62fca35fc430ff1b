"""Audit actions about notices in the hall; ``notice``: the database id of the notice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementMade(AuditAction):
    """A director made an announcement.

    ``division``: its name, if it is for one only; ``until``: local day and time of its end, if any.
    """

    kind: ClassVar[str] = "notice.announce"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    notice: int
    text: str
    division: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementChanged(AuditAction):
    """An announcement was changed; ``before``, ``after``: changed values by field (text, division, until)."""

    kind: ClassVar[str] = "notice.change"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    notice: int
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeWithdrawn(AuditAction):
    kind: ClassVar[str] = "notice.withdraw"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    notice: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRestored(AuditAction):
    kind: ClassVar[str] = "notice.show_again"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    notice: int
    text: str = ""
