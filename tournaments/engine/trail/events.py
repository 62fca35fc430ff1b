"""Audit actions about an event as a whole: settings, registration, seasons, personal links and tables."""

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
    """Logged in the new event.

    ``before``: name of the event that was duplicated, of the date ``day``; ``series``: its series.
    ``template``: the template that was used instead.
    """

    kind: ClassVar[str] = "event.copy"
    name: str
    before: str = ""
    day: date | None = field(default=None, metadata={BLANK_FIELD: True})
    series: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditChainStarted(AuditAction):
    """Start of the hash chain; ``rows``: number of earlier rows, hashed as they were."""

    kind: ClassVar[str] = "trail.begin"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameErased(AuditAction):
    """A name was erased from ``rows`` rows of the audit log; it is not stated which."""

    kind: ClassVar[str] = "trail.erase"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventUpdated(AuditAction):
    """Event details by name of each setting."""

    kind: ClassVar[str] = "event.update"
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFieldsSet(AuditAction):
    """Names of the custom fields, before and after.

    ``until`` (ISO 8601): deadline for players' changes; empty: until the event runs.
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
    """The event is a draft again."""

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
    """``everybody``: new players need approval too, not only known ones."""

    kind: ClassVar[str] = "registration.approve"
    everybody: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationLinkRenewed(AuditAction):
    kind: ClassVar[str] = "registration.renew_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionCountsSet(AuditAction):
    """Number of promotions and relegations at each border of a league, from the top."""

    kind: ClassVar[str] = "season.moving"
    moving: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonCreated(AuditAction):
    """Logged in the new season; ``before``: name of the previous one."""

    kind: ClassVar[str] = "season.create"
    name: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeasonCreated(AuditAction):
    """Logged in the old season; ``name``: of the new one."""

    kind: ClassVar[str] = "season.next"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRenewed(AuditAction):
    kind: ClassVar[str] = "link.renew"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLinksRenewed(AuditAction):
    """``entries``: their number."""

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
