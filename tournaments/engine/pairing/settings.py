"""What a director sets for a Swiss before it starts: rounds, tie-breaks in order, points of byes, clubs.

The list of tie-breaks is part of the settings and printed on the page (F13). Points are half points, as everywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.pairing.history import HALF, NOTHING, WIN
from tournaments.engine.results import RESULT_RULES
from tournaments.engine.standings.tie_breaks import TIE_BREAKS
from tournaments.engine.types import Outcome, Side

MOST_ROUNDS: Final = 30
REST_POINTS: Final = (NOTHING, HALF, WIN)
USUAL_TIE_BREAKS: Final = ("buchholz", "head_to_head", "match_points_difference")
# Points come first by themselves; a play-off has no matches of its own here.
OFFERED_TIE_BREAKS: Final = tuple(code for code in TIE_BREAKS if code not in {"points", "play_off"})


class Clubs(StrEnum):
    """What happens to players of one home club."""

    IGNORE = "ignore"
    AVOID = "avoid"  # they meet only where every pairing as good in scores has such a pair
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SwissSettings:
    rounds: int = 5
    tie_breaks: tuple[str, ...] = USUAL_TIE_BREAKS
    bye_points: int = WIN
    late_points: int = NOTHING  # for each round that a late entry has missed
    clubs: str = Clubs.IGNORE

    @classmethod
    def of(cls, stored: Mapping[str, object]) -> SwissSettings:
        """From what the database keeps (`stored`); what is not there is as usual."""
        known = {name: stored[name] for name in cls.__dataclass_fields__ if name in stored}
        if isinstance(codes := known.get("tie_breaks"), list | tuple):
            known["tie_breaks"] = tuple(codes)
        return cls(**known)  # type: ignore[arg-type]

    def stored(self) -> dict[str, object]:
        values: dict[str, object] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**values, "tie_breaks": list(self.tie_breaks), "clubs": str(self.clubs)}

    @property
    def order(self) -> tuple[str, ...]:
        """Every code by which the table is put in order."""
        return ("points", *self.tie_breaks)


USUAL: Final = SwissSettings()


@dataclass(frozen=True, slots=True)
class SettingFault:
    """One thing that is wrong, in words of `messages`, and the field that it stands in."""

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)


def check_settings(settings: SwissSettings) -> tuple[SettingFault, ...]:
    """Everything that is wrong with the settings at once."""
    faults = []
    if not 1 <= settings.rounds <= MOST_ROUNDS:
        faults.append(SettingFault("swiss.rounds_odd", "rounds", {"limit": MOST_ROUNDS}))
    unknown = [code for code in settings.tie_breaks if code not in OFFERED_TIE_BREAKS]
    faults += [SettingFault("tie_break.unknown", "tie_break_1", {"code": code}) for code in unknown]
    if len(set(settings.tie_breaks)) < len(settings.tie_breaks):
        faults.append(SettingFault("tie_break.twice", "tie_break_1"))
    faults += [
        SettingFault("swiss.points_odd", name, {"value": getattr(settings, name)})
        for name in ("bye_points", "late_points")
        if getattr(settings, name) not in REST_POINTS
    ]
    if settings.clubs not in set(Clubs):
        faults.append(SettingFault("swiss.clubs_odd", "clubs", {"value": settings.clubs}))
    return tuple(faults)


def points_of(outcome: Outcome) -> tuple[int, int]:
    """Half points of the two sides. Nobody won: half each if they sat down to play, nothing if they did not (F12)."""
    if outcome.winner is None:
        each = HALF if RESULT_RULES[outcome.kind].played else NOTHING
        return each, each
    return (WIN, NOTHING) if outcome.winner is Side.A else (NOTHING, WIN)
