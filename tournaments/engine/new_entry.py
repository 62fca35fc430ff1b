"""Who is to be entered, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Who is to be entered: a known player by database id, or a new one by name; in a team with ``partners`` of the same kind.

    ``team`` is the team's own name, if it has one; entries with the same ``party`` should meet late.
    """

    name: str = ""
    player_id: int | None = None
    partners: tuple[NewEntry, ...] = ()
    team: str = ""
    party: str = ""

    @property
    def members(self) -> tuple[NewEntry, ...]:
        return (self, *self.partners)
