"""Audit actions about divisions and their stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from games.rules.policies import CorrectedUntil, MovesPolicy
from tournaments.engine.trail.action import AuditAction, ChangeScope, RoundNo


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionAdded(AuditAction):
    kind: ClassVar[str] = "division.add"
    name: str

    def has_new_commitments(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDivisionOpened(AuditAction):
    """A copy of a drawn division was created.

    ``moved``: number of entries moved to the copy from the waiting list.
    """

    kind: ClassVar[str] = "division.next"
    name: str
    moved: int = 0

    def has_new_commitments(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionUpdated(AuditAction):
    kind: ClassVar[str] = "division.update"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet(AuditAction):
    """The rating limit of a division was set.

    ``source``: name of the rating source; empty: no limit. ``least``, ``most``: the ratings admitted.
    ``warns``: players outside of the limit wait for approval instead of being rejected.
    """

    kind: ClassVar[str] = "division.limit"
    name: str
    source: str = ""
    least: float | None = None
    most: float | None = None
    warns: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionMoved(AuditAction):
    kind: ClassVar[str] = "division.move"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionRemoved(AuditAction):
    kind: ClassVar[str] = "division.remove"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageAdded(AuditAction):
    kind: ClassVar[str] = "stage.add"
    name: str

    def has_new_commitments(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class StageUpdated(AuditAction):
    kind: ClassVar[str] = "stage.update"
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRemoved(AuditAction):
    kind: ClassVar[str] = "stage.remove"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductSet(AuditAction):
    """The match conditions of a stage were set: lateness, slow play, clocks, errors at the board, ratings.

    The following fields are set only if changed. ``by_arrangement``: players arrange their matches;
    ``clocks``: required, preferred, optional or without; ``moves``: who points out an illegal play;
    ``start``, ``score``: until when a wrong start or score is corrected; ``overtime``: in seconds;
    ``holland``: the rule for the cube after the Crawford game.
    """

    kind: ClassVar[str] = "stage.conduct"
    reach: ClassVar[ChangeScope] = ChangeScope.EVENT
    by_arrangement: bool | None = None
    clocks: str = ""
    moves: MovesPolicy | None = None
    start: CorrectedUntil | None = None
    score: CorrectedUntil | None = None
    overtime: int | None = None
    holland: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlinesSet(AuditAction):
    """The last days of rounds of a stage were set.

    ``deadlines``: the last days of all rounds that have one, keyed by round number.
    """

    kind: ClassVar[str] = "stage.deadlines"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    deadlines: Mapping[RoundNo, date]
