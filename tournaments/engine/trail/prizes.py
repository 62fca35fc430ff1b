"""Deeds about the prizes of an event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.prizes import PrizePlan
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesSet(AuditAction):
    """All prizes before and after, with the names that stages and divisions had."""

    kind: ClassVar[str] = "prizes.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    before: PrizePlan
    after: PrizePlan
    stages: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesUndone(AuditAction):
    """``of``: the row of the change that was taken back."""

    kind: ClassVar[str] = "prizes.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    of: int
