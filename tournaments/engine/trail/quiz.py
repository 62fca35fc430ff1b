"""Audit actions about positions of an event that are published as a quiz, without names."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsPublished(AuditAction):
    """The chosen positions were published; ``positions``: their number."""

    kind: ClassVar[str] = "quiz.open"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    positions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsHidden(AuditAction):
    kind: ClassVar[str] = "quiz.close"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionLeftOut(AuditAction):
    """A position was left out of the published ones.

    ``position``: its public id; ``back``: True if it was included again.
    """

    kind: ClassVar[str] = "quiz.leave_out"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    position: str
    back: bool = False
