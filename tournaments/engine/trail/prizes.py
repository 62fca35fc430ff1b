"""Audit actions about the prizes of an event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.prizes import PrizePlan
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesSet(AuditAction):
    """All prizes before and after, with the names of stages and divisions at the time."""

    kind: ClassVar[str] = "prizes.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    before: PrizePlan
    after: PrizePlan
    stages: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesUndone(AuditAction):
    """``of``: id of the undone row."""

    kind: ClassVar[str] = "prizes.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    of: int
