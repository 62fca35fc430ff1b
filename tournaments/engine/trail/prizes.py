"""Deeds about the prizes of an event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.standings.prizes import PrizePlan
from tournaments.engine.trail.action import Reach, TrailAction


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesSet(TrailAction):
    """All prizes before and after, with the names that stages and divisions had."""

    kind: ClassVar[str] = "prizes.set"
    reach: ClassVar[Reach] = Reach.EVENT
    before: PrizePlan
    after: PrizePlan
    stages: Mapping[int, str] = field(default_factory=dict)
    divisions: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesTakenBack(TrailAction):
    """``of``: the row of the change that was taken back."""

    kind: ClassVar[str] = "prizes.take_back"
    reach: ClassVar[Reach] = Reach.EVENT
    of: int
