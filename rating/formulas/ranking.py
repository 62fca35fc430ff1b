"""Who is ranked on a list: rules as data, and rules that federations publish as presets. PURE.

Whoever does not fulfil the rules keeps their rating, stands below the ranked ones and has no number; for each of them the
rules say why. Ranks count who is shown, so nobody who is private leaves a hole.
"""

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

MAX_ACTIVE_MONTHS = 240


class Members(StrEnum):
    """Which players are ranked: everyone, those whose home club belongs to the federation, or those of the list's own club."""

    ANYBODY = ""
    FEDERATION = "federation"
    CLUB = "club"


class Unranked(StrEnum):
    """Why a player has no rank."""

    MATCHES = "matches"
    EXPERIENCE = "experience"
    INACTIVE = "inactive"
    MEMBER = "member"
    PROVISIONAL = "provisional"


@dataclass(frozen=True, slots=True)
class RankingRules:
    """Rules. ``active_months``: the last match is no older than that; 0: no matter how old. ``provisional_apart``: whoever has less
    experience than ``provisional_below`` is not ranked; otherwise their rating is marked only.
    """

    minimum_matches: int = 1
    minimum_experience: int = 0
    active_months: int = 0
    members: Members = Members.ANYBODY
    provisional_below: int = 100
    provisional_apart: bool = False

    @property
    def required_matches(self) -> int:
        """Whoever has to have played lately has to have played."""
        return max(self.minimum_matches, 1 if self.active_months else 0)

    @property
    def required_experience(self) -> int:
        """What is asked for by either rule."""
        return max(self.minimum_experience, self.provisional_below if self.provisional_apart else 0)

    def reasons(self, *, matches: int, experience: int, active: bool, member: bool) -> tuple[Unranked, ...]:
        """All that keeps somebody from a rank; nothing for who has one.

        >>> RankingRules(minimum_experience=200, active_months=12).reasons(matches=9, experience=63, active=False, member=True)
        (<Unranked.EXPERIENCE: 'experience'>, <Unranked.INACTIVE: 'inactive'>)
        """
        found = {
            Unranked.MATCHES: matches < self.required_matches,
            Unranked.EXPERIENCE: experience < self.minimum_experience,
            Unranked.INACTIVE: bool(self.active_months) and not active,
            Unranked.MEMBER: self.members is not Members.ANYBODY and not member,
            Unranked.PROVISIONAL: self.provisional_apart and experience < self.provisional_below,
        }
        return tuple(reason for reason, holds in found.items() if holds)


def months_before(day: date, months: int) -> date:
    """The same day so many months earlier; the last one of a month that is too short.

    >>> months_before(date(2026, 3, 31), 1)
    datetime.date(2026, 2, 28)
    """
    month = day.year * 12 + day.month - 1 - months
    year, index = divmod(month, 12)
    return date(year, index + 1, min(day.day, calendar.monthrange(year, index + 1)[1]))


@dataclass(frozen=True, slots=True)
class RankingPreset:
    """Rules that somebody publishes, as far as they are such rules; ``source``: where they were read."""

    ranking: RankingRules
    source: str


PRESETS: Final[Mapping[str, RankingPreset]] = {
    "germany": RankingPreset(
        RankingRules(minimum_experience=200, active_months=12),
        "https://bgverband.de/ranglisten/live/rangliste-kriterien",
    ),
    "berlin": RankingPreset(
        RankingRules(minimum_experience=100, active_months=24),
        "https://berlin-backgammon.org/rangliste/elo-liste/",
    ),
    "belgium": RankingPreset(
        RankingRules(minimum_matches=0, provisional_below=100, provisional_apart=True),
        "https://bgfed.be/rating/",
    ),
}
