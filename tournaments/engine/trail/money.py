"""Deeds about a points league of money play."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.trail.action import FLAT, TrailAction
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyUpdated(TrailAction):
    kind: ClassVar[str] = "money.update"
    settings: MoneySettings = field(metadata={FLAT: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyOpened(TrailAction):
    kind: ClassVar[str] = "money.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyTakenBack(TrailAction):
    kind: ClassVar[str] = "money.take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyFinished(TrailAction):
    kind: ClassVar[str] = "money.finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyReopened(TrailAction):
    kind: ClassVar[str] = "money.reopen"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecorded(TrailAction):
    """Points by entry. ``corrects``: the number of the session whose place it takes."""

    kind: ClassVar[str] = "money.record"
    session: int
    scores: Mapping[EntryId, int]
    corrects: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStruck(TrailAction):
    kind: ClassVar[str] = "money.strike"
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRestored(TrailAction):
    kind: ClassVar[str] = "money.restore"
    session: int
