"""Audit actions about the published positions of an event, without names."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsPublished(AuditAction):
    """``positions``: number of chosen positions."""

    kind: ClassVar[str] = "quiz.open"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    positions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsHidden(AuditAction):
    kind: ClassVar[str] = "quiz.close"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionLeftOut(AuditAction):
    """``position``: its public id; ``back``: it is included again."""

    kind: ClassVar[str] = "quiz.leave_out"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    position: str
    back: bool = False
