"""Deeds about divisions and their stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.told import RoundNo, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionAdded(Told):
    kind: ClassVar[str] = "division.add"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDivisionOpened(Told):
    """Another one like one that is drawn."""

    kind: ClassVar[str] = "division.next"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionUpdated(Told):
    kind: ClassVar[str] = "division.update"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionMoved(Told):
    kind: ClassVar[str] = "division.move"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionRemoved(Told):
    kind: ClassVar[str] = "division.remove"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageAdded(Told):
    kind: ClassVar[str] = "stage.add"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageUpdated(Told):
    kind: ClassVar[str] = "stage.update"
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRemoved(Told):
    kind: ClassVar[str] = "stage.remove"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductSet(Told):
    """Rules for lateness, clocks and ratings. ``by_arrangement``: said only where it changed."""

    kind: ClassVar[str] = "stage.conduct"
    by_arrangement: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlinesSet(Told):
    """The last day of every round that has one."""

    kind: ClassVar[str] = "stage.deadlines"
    deadlines: Mapping[RoundNo, date]
