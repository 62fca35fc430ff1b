"""Audit actions about series and event templates, in the club's audit log.

`SeriesSet` is in the event's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSet(AuditAction):
    """``series``: name of the event's series now, ``before``: of the previous one; empty: none."""

    kind: ClassVar[str] = "event.series"
    series: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesCreated(AuditAction):
    kind: ClassVar[str] = "series.create"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesDatesCreated(AuditAction):
    """Several ``days`` of a series were created at once, from the ``first`` to the ``last``."""

    kind: ClassVar[str] = "series.days"
    name: str
    days: int
    first: date
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChanged(AuditAction):
    """Changed values by field: name, points of places, archived."""

    kind: ClassVar[str] = "series.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSaved(AuditAction):
    """From the event ``of``; ``again``: replaced an existing template."""

    kind: ClassVar[str] = "template.save"
    name: str
    of: str
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateChanged(AuditAction):
    """Changed values by field: name, details, archived; not the format of stages."""

    kind: ClassVar[str] = "template.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
