"""Audit actions about a points league of money play."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.trail.action import FLAT_FIELD, AuditAction
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyUpdated(AuditAction):
    kind: ClassVar[str] = "money.update"
    settings: MoneySettings = field(metadata={FLAT_FIELD: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyOpened(AuditAction):
    kind: ClassVar[str] = "money.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyReturnedToSetup(AuditAction):
    kind: ClassVar[str] = "money.take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyFinished(AuditAction):
    kind: ClassVar[str] = "money.finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyReopened(AuditAction):
    kind: ClassVar[str] = "money.reopen"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecorded(AuditAction):
    """A session of a points league was recorded.

    ``session``: its number; ``scores``: points by entry; ``corrects``: number of the session that it
    replaces.
    """

    kind: ClassVar[str] = "money.record"
    session: int
    scores: Mapping[EntryId, int]
    corrects: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStruck(AuditAction):
    kind: ClassVar[str] = "money.strike"
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRestored(AuditAction):
    kind: ClassVar[str] = "money.restore"
    session: int
