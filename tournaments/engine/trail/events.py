"""Deeds about an event as a whole: its settings, registration, seasons, personal links and tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from tournaments.engine.trail.action import BLANK, Reach, TrailAction


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCreated(TrailAction):
    kind: ClassVar[str] = "event.create"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCopied(TrailAction):
    """Told of the new event; ``before``: the name of the event whose settings it has, of the day ``day``; ``series``: the one that it belongs
    to. ``template``: what it was made from, in the place of both.
    """

    kind: ClassVar[str] = "event.copy"
    name: str
    before: str = ""
    day: date | None = field(default=None, metadata={BLANK: True})
    series: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailBegun(TrailAction):
    """From here on every row carries the hash of the one before; so many ``rows`` were there, and were hashed as they were."""

    kind: ClassVar[str] = "trail.begin"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameErased(TrailAction):
    """A name left the trail; so many ``rows`` had told it. Which name is not said."""

    kind: ClassVar[str] = "trail.erase"
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventUpdated(TrailAction):
    """What is said about the event, by the name of each setting."""

    kind: ClassVar[str] = "event.update"
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsSet(TrailAction):
    """The names of the event's own columns, before and after. ``until`` (ISO 8601): when players can change no more what they filled in;
    empty: once the event runs.
    """

    kind: ClassVar[str] = "event.columns"
    reach: ClassVar[Reach] = Reach.DESK
    before: tuple[str, ...]
    after: tuple[str, ...]
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOpened(TrailAction):
    kind: ClassVar[str] = "event.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventClosed(TrailAction):
    """It is a draft again."""

    kind: ClassVar[str] = "event.close"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCalledOff(TrailAction):
    kind: ClassVar[str] = "event.cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRestored(TrailAction):
    kind: ClassVar[str] = "event.restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationOpened(TrailAction):
    kind: ClassVar[str] = "registration.open"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationClosed(TrailAction):
    kind: ClassVar[str] = "registration.close"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationApproves(TrailAction):
    """Whether new names wait for approval, too (``everybody``), or known players alone."""

    kind: ClassVar[str] = "registration.approve"
    everybody: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationLinkRenewed(TrailAction):
    kind: ClassVar[str] = "registration.renew_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingSet(TrailAction):
    """How many go up and down at each border of a league, from the top."""

    kind: ClassVar[str] = "season.moving"
    moving: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonCreated(TrailAction):
    """Told of the new season; ``before``: the name of the one that it follows."""

    kind: ClassVar[str] = "season.create"
    name: str
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeasonMade(TrailAction):
    """Told of the old season; ``name``: that of the new one."""

    kind: ClassVar[str] = "season.next"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRenewed(TrailAction):
    kind: ClassVar[str] = "link.renew"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLinksRenewed(TrailAction):
    """``entries``: how many."""

    kind: ClassVar[str] = "link.renew_all"
    reach: ClassVar[Reach] = Reach.EVENT
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(TrailAction):
    kind: ClassVar[str] = "table.close"
    reach: ClassVar[Reach] = Reach.EVENT
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(TrailAction):
    kind: ClassVar[str] = "table.open"
    reach: ClassVar[Reach] = Reach.EVENT
    table: int
