"""Ranking rules of a list, as data, and published rules of federations as presets. PURE.

A player who does not fulfil the rules keeps their rating, is listed below the ranked ones and has no rank;
the rules give the reasons. Ranks count visible players only, so private players leave no gap.
"""

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

MAX_ACTIVE_MONTHS = 240


class Members(StrEnum):
    """The players that are ranked: all, those at home in the federation, or in the list's club."""

    ANYBODY = ""
    FEDERATION = "federation"
    CLUB = "club"


class Unranked(StrEnum):
    """Reasons for having no rank."""

    MATCHES = "matches"
    EXPERIENCE = "experience"
    INACTIVE = "inactive"
    MEMBER = "member"
    PROVISIONAL = "provisional"


@dataclass(frozen=True, slots=True)
class RankingRules:
    """Rules for having a rank.

    ``active_months``: the maximum age of the last match; 0: any. ``provisional_apart``: players with less
    experience than ``provisional_below`` have no rank; otherwise their ratings are only marked.
    """

    minimum_matches: int = 1
    minimum_experience: int = 0
    active_months: int = 0
    members: Members = Members.ANYBODY
    provisional_below: int = 100
    provisional_apart: bool = False

    @property
    def required_matches(self) -> int:
        """Return the number of matches required; at least one where recent play is."""
        return max(self.minimum_matches, 1 if self.active_months else 0)

    @property
    def required_experience(self) -> int:
        """Return the experience that both rules together require."""
        return max(self.minimum_experience, self.provisional_below if self.provisional_apart else 0)

    def reasons(self, *, matches: int, experience: int, active: bool, member: bool) -> tuple[Unranked, ...]:
        """Return all reasons for having no rank; empty for a ranked player.

        >>> RankingRules(minimum_experience=200, active_months=12).reasons(matches=9, experience=63, active=False, member=True)
        (<Unranked.EXPERIENCE: 'experience'>, <Unranked.INACTIVE: 'inactive'>)
        """
        applies_by_reason = {
            Unranked.MATCHES: matches < self.required_matches,
            Unranked.EXPERIENCE: experience < self.minimum_experience,
            Unranked.INACTIVE: bool(self.active_months) and not active,
            Unranked.MEMBER: self.members is not Members.ANYBODY and not member,
            Unranked.PROVISIONAL: self.provisional_apart and experience < self.provisional_below,
        }
        return tuple(reason for reason, applies in applies_by_reason.items() if applies)


def months_before(day: date, months: int) -> date:
    """Return the same day ``months`` earlier; the last day of a month that is too short.

    >>> months_before(date(2026, 3, 31), 1)
    datetime.date(2026, 2, 28)
    """
    month = day.year * 12 + day.month - 1 - months
    year, index = divmod(month, 12)
    return date(year, index + 1, min(day.day, calendar.monthrange(year, index + 1)[1]))


@dataclass(frozen=True, slots=True)
class RankingPreset:
    """Published rules, as far as they can be expressed; ``source``: where they were published."""

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
