"""Who is to be entered, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from enum import StrEnum
from typing import Final


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What a list said of a player, for directors alone; ``paid`` is None where it did not say.

    ``photo`` to ``analysis``: what the player agrees to (`engine.consents`), empty where nobody asked; ``hall``: that their name stands
    on wall and paper in the hall, at least as first name and one letter.
    """

    email: str = ""
    phone: str = ""
    rating: float | None = None
    club: str = ""
    paid: bool | None = None
    note: str = ""
    photo: str = ""
    filming: str = ""
    streaming: str = ""
    record: str = ""
    analysis: str = ""
    hall: bool | None = None

    def __bool__(self) -> bool:
        return self != EntryDetails()


@dataclass(frozen=True, slots=True)
class EntryMarks:
    """What is noted of an entry beside who plays, each a line of text in the column of this name: entries with the same ``party``
    should meet late.

    Kept, changed, read, told in the trail and taken along by a buy-back all alike; who may see which is decided where it is shown.
    """

    party: str = field(default="", metadata={"limit": 40})


class PublicPage(StrEnum):
    """Since when a player who is made with an entry has a public page."""

    WITH_DRAW = "with_draw"  # a draw with their name is public anyway
    NOW = "now"  # they agreed
    NONE = "none"


class WhenFull(StrEnum):
    """What is done with an entry for which its division has no place free, or past whose waiting list it would go."""

    ASK = "ask"  # refused (409 ``entry.full``), so that a director decides
    ADD = "add"  # it gets a place all the same
    WAIT = "wait"  # to the end of the waiting list


# Their names, each with the letters it has room for.
MARK_LIMITS: Final[Mapping[str, int]] = {mark.name: mark.metadata["limit"] for mark in fields(EntryMarks)}


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Who is to be entered: a known player by database id, or a new one by name; in a team with ``partners`` of the same kind.

    ``team`` is the team's own name, if it has one. Of a new player only: ``country`` (two letters), since when they have a public page,
    and whether the club is theirs (``home``), which nobody's name being on a list says. ``minor``: marked as one; a mark that
    is there is never taken away by a list. ``numbers``: federation and number; ``outside``: who rates them, and at what.
    ``overrule``: why they come in although the division's limit says no (`engine.limits`).
    ``only_if_unknown``: a ``name`` that a known player bears is refused, with their ids.
    ``until``: federation, and the last day of the number there; ``own``: what stands in the event's own columns, by their ids.
    """

    name: str = ""
    player_id: int | None = None
    partners: tuple[NewEntry, ...] = ()
    team: str = ""
    marks: EntryMarks = EntryMarks()
    country: str = ""
    public_page: PublicPage = PublicPage.WITH_DRAW
    home: bool = True
    minor: bool = False
    details: EntryDetails = EntryDetails()
    numbers: tuple[tuple[str, str], ...] = ()
    outside: tuple[tuple[str, float], ...] = ()
    overrule: str = ""
    until: tuple[tuple[str, date], ...] = ()
    own: tuple[tuple[int, str], ...] = ()
    only_if_unknown: bool = False

    @property
    def members(self) -> tuple[NewEntry, ...]:
        return (self, *self.partners)
