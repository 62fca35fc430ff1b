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
    """The event was created from an earlier event or a template; logged in the new event.

    ``before``: name of the event that was duplicated, on the date ``day``; ``series``: its series.
    ``template``: name of the template that was used instead.
    """

    kind: ClassVar[str] = "event.copy"
    name: str
    before: str = ""
    day: date | None = field(default=None, metadata={BLANK_FIELD: True})
    series: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditChainStarted(AuditAction):
    """The hash chain of the audit log begins here; ``rows``: number of earlier rows, hashed as they were."""

    kind: ClassVar[str] = "trail.begin"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameErased(AuditAction):
    """A person's name was erased from ``rows`` rows of the audit log; which name is not stated."""

    kind: ClassVar[str] = "trail.erase"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventUpdated(AuditAction):
    """Event details were changed; ``before``, ``after``: their values by name of the setting."""

    kind: ClassVar[str] = "event.update"
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFieldsSet(AuditAction):
    """The custom fields of the event were changed.

    ``before``, ``after``: their names. ``until`` (ISO 8601): deadline for players to change their values;
    empty: until the event runs.
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
    """An open event became a draft again."""

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
    """It was set which new entries need a director's approval.

    ``everybody``: new players need approval too, not only people who say that they are known players.
    """

    kind: ClassVar[str] = "registration.approve"
    everybody: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationLinkRenewed(AuditAction):
    kind: ClassVar[str] = "registration.renew_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionCountsSet(AuditAction):
    """The numbers of promotions and relegations of a league were set.

    ``moving``: one number for each border between divisions, from the top.
    """

    kind: ClassVar[str] = "season.moving"
    moving: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonCreated(AuditAction):
    """The event was created as the next season of a league; logged in the new season.

    ``before``: name of the previous season.
    """

    kind: ClassVar[str] = "season.create"
    name: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeasonCreated(AuditAction):
    """The next season of a league was created; logged in the old season.

    ``name``: name of the new season.
    """

    kind: ClassVar[str] = "season.next"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRenewed(AuditAction):
    kind: ClassVar[str] = "link.renew"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLinksRenewed(AuditAction):
    """The personal links of all entries were replaced by new ones; ``entries``: number of entries."""

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
