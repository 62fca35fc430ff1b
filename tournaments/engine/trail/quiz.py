"""Deeds about the positions of an event that are asked, without names."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import Reach, TrailAction


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsShown(TrailAction):
    """``positions``: how many were chosen."""

    kind: ClassVar[str] = "quiz.open"
    reach: ClassVar[Reach] = Reach.EVENT
    positions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsHidden(TrailAction):
    kind: ClassVar[str] = "quiz.close"
    reach: ClassVar[Reach] = Reach.EVENT


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionLeftOut(TrailAction):
    """``position``: its public id; ``back``: it may be asked again."""

    kind: ClassVar[str] = "quiz.leave_out"
    reach: ClassVar[Reach] = Reach.EVENT
    position: str
    back: bool = False
