"""Settings of a Swiss or round robin: rounds, groups, tie-breaks in order, byes, clubs.

The list of tie-breaks is published with the table (rule F13). Points are half points, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.pairing.history import FULL_POINT, HALF_POINT, ZERO_POINTS
from tournaments.engine.standings.editions import DEFAULT_EDITION, Edition
from tournaments.engine.standings.tie_breaks import TIE_BREAKS, usable_tie_breaks
from tournaments.engine.types import Outcome, Side

MAX_ROUNDS: Final = 30
MAX_GROUPS: Final = 64
MAX_LIVES: Final = 9
MAX_TIE_BREAKS: Final = 5
REST_POINTS: Final = (ZERO_POINTS, HALF_POINT, FULL_POINT)
DEFAULT_TIE_BREAKS: Final = ("buchholz", "head_to_head", "match_points_difference")
# In a round robin all have the same opponents, so Buchholz separates none, and all tied entries have met.
ROUND_ROBIN_TIE_BREAKS: Final = ("head_to_head", "match_points_difference", "sonneborn_berger")
# The first criterion is fixed: the points, or with lives how long an entry has kept them.
OFFERED_TIE_BREAKS: Final = tuple(code for code in TIE_BREAKS if code not in {"points", "survival"})


class AvoidancePolicy(StrEnum):
    """Whether players with the same home club, or of the same travel group, may be paired."""

    IGNORE = "ignore"
    AVOID = "avoid"  # they meet only if every pairing equally good in scores has such a pair
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SwissSettings:
    """Settings of a Swiss or round robin.

    `lives`: an entry with so many losses is out, and rounds go on until one entry is left; 0: no entry goes
    out. `group_count` and `all_at_once` (every round published together, as in a league) are for round
    robins. Points are half points.
    """

    rounds: int = 5
    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    bye_points: int = FULL_POINT
    late_points: int = ZERO_POINTS  # for each round that a late entry missed
    clubs: AvoidancePolicy = AvoidancePolicy.IGNORE
    parties: AvoidancePolicy = AvoidancePolicy.AVOID
    lives: int = 0
    group_count: int = 1
    all_at_once: bool = False
    edition: Edition = DEFAULT_EDITION  # of the regulation that defines the tie-breaks

    @property
    def order(self) -> tuple[str, ...]:
        """Codes of all criteria by which the table is sorted, most important first."""
        return ("survival" if self.lives else "points", *self.tie_breaks)

    @property
    def order_including_play_off(self) -> tuple[str, ...]:
        """The sorting criteria with the play-off, placed before the lot if the director did not list it."""
        if "play_off" in self.order:
            return self.order
        index = self.order.index("lot") if "lot" in self.order else len(self.order)
        return (*self.order[:index], "play_off", *self.order[index:])

    def adapted_to_format(self, *, round_robin: bool) -> SwissSettings:
        """Return the settings with other tie-breaks if the default list is not allowed in a round robin.

        Without ``round_robin``, or if the director has chosen a list, the settings are unchanged.
        """
        is_default = self.tie_breaks == DEFAULT_TIE_BREAKS and self.edition in set(Edition)
        if (
            round_robin
            and is_default
            and usable_tie_breaks(DEFAULT_TIE_BREAKS, self.edition, fixed=True) != DEFAULT_TIE_BREAKS
        ):
            return replace(self, tie_breaks=ROUND_ROBIN_TIE_BREAKS)
        return self


DEFAULT_SWISS: Final = SwissSettings()


def check_swiss_settings(settings: SwissSettings, *, round_robin: bool = False) -> tuple[Fault, ...]:
    """Return all errors of the settings, each at its field; empty if they are valid.

    `round_robin`: True for a round robin, False for a Swiss.
    """
    faults = []
    if not 1 <= settings.rounds <= MAX_ROUNDS:
        faults.append(Fault("swiss.rounds_odd", "rounds", {"limit": MAX_ROUNDS}))
    unknown = [code for code in settings.tie_breaks if code not in OFFERED_TIE_BREAKS]
    faults += [Fault("tie_break.unknown", "tie_break_1", {"code": code}) for code in unknown]
    if settings.edition not in set(Edition):
        faults.append(Fault("tie_break.edition_unknown", "edition", {"value": settings.edition}))
    elif not unknown:
        faults += _forbidden_tie_break_faults(settings, round_robin=round_robin)
    if len(set(settings.tie_breaks)) < len(settings.tie_breaks):
        faults.append(Fault("tie_break.twice", "tie_break_1"))
    faults += [
        Fault("swiss.points_odd", name, {"value": getattr(settings, name)})
        for name in ("bye_points", "late_points")
        if getattr(settings, name) not in REST_POINTS
    ]
    faults += [
        Fault("swiss.clubs_odd", name, {"value": getattr(settings, name)})
        for name in ("clubs", "parties")
        if getattr(settings, name) not in set(AvoidancePolicy)
    ]
    if not 0 <= settings.lives <= MAX_LIVES:
        faults.append(Fault("swiss.lives_odd", "lives", {"limit": MAX_LIVES}))
    if not 1 <= settings.group_count <= MAX_GROUPS:
        faults.append(Fault("groups.count_odd", "group_count", {"limit": MAX_GROUPS}))
    return tuple(faults)


def check_tie_break_count(chosen: Sequence[str], stored: Sequence[str] = ()) -> tuple[Fault, ...]:
    """Return the error of a list of tie-breaks that is too long; empty if it is not.

    The length is checked only when a list is entered: longer lists that are stored (0.2.0 accepted any
    length) remain valid, also in copies. ``stored``: the stored list.
    """
    if len(chosen) <= MAX_TIE_BREAKS or tuple(chosen) == tuple(stored):
        return ()
    return (Fault("tie_break.too_many", "tie_breaks", {"limit": MAX_TIE_BREAKS}),)


def _forbidden_tie_break_faults(settings: SwissSettings, *, round_robin: bool) -> list[Fault]:
    """Return errors for tie-breaks that the edition lacks, or forbids in this format, each at its place."""
    faults = []
    for place, code in enumerate(settings.tie_breaks, start=1):
        refusal = TIE_BREAKS[code].refusal_code(settings.edition, fixed=round_robin)
        if refusal:
            faults.append(
                Fault(refusal, f"tie_break_{place}", {"code": code, "edition": str(settings.edition)})
            )
    return faults


def half_points(outcome: Outcome) -> tuple[int, int]:
    """Return the half points that a result gives to both sides.

    Without a winner each gets half a point if they played, none if they did not (rule F12).
    """
    if outcome.winner is None:
        points = HALF_POINT if RESULT_RULES[outcome.kind].played else ZERO_POINTS
        return points, points
    return (FULL_POINT, ZERO_POINTS) if outcome.winner is Side.A else (ZERO_POINTS, FULL_POINT)
