"""What was done to series of a club and its templates of events. Told in the club's trail, but for what an event is part of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSet(AuditAction):
    """Told of an event: ``series`` is the name of the one that it belongs to now, ``before`` of the one before; empty: none."""

    kind: ClassVar[str] = "event.series"
    series: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesCreated(AuditAction):
    kind: ClassVar[str] = "series.create"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesDatesCreated(AuditAction):
    """So many ``days`` of a series were made at once, from the ``first`` to the ``last``."""

    kind: ClassVar[str] = "series.days"
    name: str
    days: int
    first: date
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChanged(AuditAction):
    """Its name, what places are worth, whether it is archived: by the name of each."""

    kind: ClassVar[str] = "series.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSaved(AuditAction):
    """From the event ``of``; ``again``: over one that was there."""

    kind: ClassVar[str] = "template.save"
    name: str
    of: str
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateChanged(AuditAction):
    """Its name, what is said in it, whether it is archived, by the name of each; nothing of that: how a stage is played."""

    kind: ClassVar[str] = "template.update"
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
