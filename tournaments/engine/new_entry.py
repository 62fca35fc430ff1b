"""Who is to be entered, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What a list said of a player, for directors alone; ``paid`` is None where it did not say."""

    email: str = ""
    phone: str = ""
    rating: float | None = None
    club: str = ""
    paid: bool | None = None
    note: str = ""

    def __bool__(self) -> bool:
        return self != EntryDetails()


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Who is to be entered: a known player by database id, or a new one by name; in a team with ``partners`` of the same kind.

    ``team`` is the team's own name, if it has one; entries with the same ``party`` should meet late. Of a new player only: ``country``
    (two letters), and what their name being on a list gives them no right to: a public page (``listed``) and the club as
    theirs (``home``).
    """

    name: str = ""
    player_id: int | None = None
    partners: tuple[NewEntry, ...] = ()
    team: str = ""
    party: str = ""
    country: str = ""
    listed: bool = True
    home: bool = True
    details: EntryDetails = EntryDetails()

    @property
    def members(self) -> tuple[NewEntry, ...]:
        return (self, *self.partners)
