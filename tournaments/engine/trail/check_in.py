"""Deeds about check-ins: when they are open, and who is here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import Named, Reach, TrailAction
from tournaments.engine.types import EntryId


class WasHere(NamedTuple):
    """An entry that was here, with its name, since when (ISO 8601), how it was marked, and the id of the account that did it (0: none)."""

    entry: EntryId
    name: str
    at: str
    way: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSet(TrailAction):
    """When the check-in of a division on a day opens and closes (ISO 8601; empty: nobody said), before and after."""

    kind: ClassVar[str] = "check_in.set"
    reach: ClassVar[Reach] = Reach.EVENT
    day: date
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRemoved(TrailAction):
    """There is none on this day after all; so many who were here on it are forgotten."""

    kind: ClassVar[str] = "check_in.remove"
    reach: ClassVar[Reach] = Reach.EVENT
    day: date
    here: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesHere(TrailAction):
    """``at`` (ISO 8601): the moment since which they are here. ``way``: `engine.check_in.HereWay`. ``phone``: the number of their own."""

    kind: ClassVar[str] = "check_in.here"
    reach: ClassVar[Reach] = Reach.DESK
    day: date
    entries: tuple[Named, ...]
    at: str
    way: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesNotHere(TrailAction):
    """They were marked by mistake, or have gone."""

    kind: ClassVar[str] = "check_in.not_here"
    reach: ClassVar[Reach] = Reach.DESK
    day: date
    entries: tuple[WasHere, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HereTakenBack(TrailAction):
    """``of``: the row that was taken back; ``what``: its kind; ``entries``: so many."""

    kind: ClassVar[str] = "check_in.take_back"
    reach: ClassVar[Reach] = Reach.DESK
    of: int
    what: str
    entries: int
