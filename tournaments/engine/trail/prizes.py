"""Audit actions about the prizes of an event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.prizes import PrizePlan
from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesSet(AuditAction):
    """The prizes of the event were changed.

    ``before``, ``after``: all prizes; ``stages``, ``divisions``: their names at the time, by id.
    """

    kind: ClassVar[str] = "prizes.set"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    before: PrizePlan
    after: PrizePlan
    stages: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesUndone(AuditAction):
    """A change of the prizes was undone; ``of``: id of the undone row."""

    kind: ClassVar[str] = "prizes.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    of: int
