"""Values that describe an entry before it is created."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from enum import StrEnum
from typing import Final

from names.public_page import PublicPage


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What a list says about a player, visible to directors only.

    ``paid``: None if the list does not say. ``photo`` to ``analysis``: the player's consents
    (`engine.consents`), empty if not asked; ``hall``: whether the name may appear on displays and papers in
    the hall, at least as first name and one letter.
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
    """What is noted of an entry beside its players: one text each, stored in the column of the same name.

    Entries with the same ``party`` should not meet in early rounds. All marks are saved, changed, logged and
    copied to a re-entry alike; each page decides who may see which.
    """

    party: str = field(default="", metadata={"limit": 40})


class WhenFull(StrEnum):
    """What to do with a new entry if its division has no free place, or its waiting list is full."""

    ASK = "ask"  # reject (409 ``entry.full``), so that a director decides
    ADD = "add"  # give it a place all the same
    WAIT = "wait"  # add it to the end of the waiting list


# Maximum length of each mark, by name.
MARK_LIMITS: Final[Mapping[str, int]] = {mark.name: mark.metadata["limit"] for mark in fields(EntryMarks)}


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be created: a known player by database id, or a new player by name.

    ``partners``: the other players of a team; ``team``: the team's own name, if any. For new players only:
    ``country`` (two letters), ``public_page`` and ``home``, whether the player belongs to the club.
    ``minor``: True marks the player as a minor; an existing mark is never removed. ``numbers``: pairs of
    federation and membership number; ``until``: pairs of federation and the last day on which the number is
    valid; ``outside``: pairs of rating source and rating there. ``overrule``: the director's reason to admit
    a player whose rating is outside the division's limit (`engine.limits`). ``only_if_unknown``: reject a
    ``name`` that known players have, with their ids. ``own``: pairs of custom field id and value.
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
