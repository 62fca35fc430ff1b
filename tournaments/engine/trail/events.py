"""Deeds about an event as a whole: its settings, registration, seasons, personal links and tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.action import BLANK_FIELD, AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCreated(AuditAction):
    kind: ClassVar[str] = "event.create"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCopied(AuditAction):
    """Told of the new event; ``before``: the name of the event whose settings it has, of the day ``day``; ``series``: the one that it belongs
    to. ``template``: what it was made from, in the place of both.
    """

    kind: ClassVar[str] = "event.copy"
    name: str
    before: str = ""
    day: date | None = field(default=None, metadata={BLANK_FIELD: True})
    series: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditChainStarted(AuditAction):
    """From here on every row carries the hash of the one before; so many ``rows`` were there, and were hashed as they were."""

    kind: ClassVar[str] = "trail.begin"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameErased(AuditAction):
    """A name left the trail; so many ``rows`` had told it. Which name is not said."""

    kind: ClassVar[str] = "trail.erase"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventUpdated(AuditAction):
    """What is said about the event, by the name of each setting."""

    kind: ClassVar[str] = "event.update"
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFieldsSet(AuditAction):
    """The names of the event's own columns, before and after. ``until`` (ISO 8601): when players can change no more what they filled in;
    empty: once the event runs.
    """

    kind: ClassVar[str] = "event.columns"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    before: tuple[str, ...]
    after: tuple[str, ...]
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOpened(AuditAction):
    kind: ClassVar[str] = "event.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReturnedToDraft(AuditAction):
    """It is a draft again."""

    kind: ClassVar[str] = "event.close"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCancelled(AuditAction):
    kind: ClassVar[str] = "event.cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRestored(AuditAction):
    kind: ClassVar[str] = "event.restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationOpened(AuditAction):
    kind: ClassVar[str] = "registration.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationClosed(AuditAction):
    kind: ClassVar[str] = "registration.close"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalPolicySet(AuditAction):
    """Whether new names wait for approval, too (``everybody``), or known players alone."""

    kind: ClassVar[str] = "registration.approve"
    everybody: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationLinkRenewed(AuditAction):
    kind: ClassVar[str] = "registration.renew_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionCountsSet(AuditAction):
    """How many go up and down at each border of a league, from the top."""

    kind: ClassVar[str] = "season.moving"
    moving: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonCreated(AuditAction):
    """Told of the new season; ``before``: the name of the one that it follows."""

    kind: ClassVar[str] = "season.create"
    name: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeasonCreated(AuditAction):
    """Told of the old season; ``name``: that of the new one."""

    kind: ClassVar[str] = "season.next"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRenewed(AuditAction):
    kind: ClassVar[str] = "link.renew"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLinksRenewed(AuditAction):
    """``entries``: how many."""

    kind: ClassVar[str] = "link.renew_all"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(AuditAction):
    kind: ClassVar[str] = "table.close"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(AuditAction):
    kind: ClassVar[str] = "table.open"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    table: int
