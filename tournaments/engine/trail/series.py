"""Audit actions about series and event templates, in the club's audit log.

`SeriesSet` is in the audit log of the event.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSet(AuditAction):
    """An event was put into a series or taken out.

    ``series``: name of its series now; ``before``: name of the previous one; empty: none.
    """

    kind: ClassVar[str] = "event.series"
    series: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesCreated(AuditAction):
    kind: ClassVar[str] = "series.create"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesDatesCreated(AuditAction):
    """Several events of a series were created at once.

    ``days``: how many, from the date ``first`` to the date ``last``.
    """

    kind: ClassVar[str] = "series.days"
    name: str
    days: int
    first: date
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChanged(AuditAction):
    """A series was changed.

    ``before``, ``after``: changed values by field (name, points of places, archived).
    """

    kind: ClassVar[str] = "series.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSaved(AuditAction):
    """An event was saved as a template.

    ``of``: name of the event; ``again``: an existing template was replaced.
    """

    kind: ClassVar[str] = "template.save"
    name: str
    of: str
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateChanged(AuditAction):
    """A template was changed, but not the format of its stages.

    ``before``, ``after``: changed values by field (name, details, archived).
    """

    kind: ClassVar[str] = "template.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
