"""Rules that decide which players of a list have a rank, and published rules of federations as presets. PURE.

A player who does not fulfil the rules keeps their rating, is listed below the ranked players and has no rank;
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
    """The players whom a list ranks.

    ``ANYBODY``: all; ``FEDERATION``: players whose home club is the list's club or one of its member clubs;
    ``CLUB``: players whose home club is the list's club.
    """

    ANYBODY = ""
    FEDERATION = "federation"
    CLUB = "club"


class Unranked(StrEnum):
    """Why a player has no rank: the rule that the player does not fulfil."""

    MATCHES = "matches"
    EXPERIENCE = "experience"
    INACTIVE = "inactive"
    MEMBER = "member"
    PROVISIONAL = "provisional"


@dataclass(frozen=True, slots=True)
class RankingRules:
    """Rules that a player must fulfil to have a rank.

    ``active_months``: how many months old the last match may be; 0: any age. ``provisional_apart``: players
    with less experience than ``provisional_below`` have no rank; otherwise their ratings are only marked.
    """

    minimum_matches: int = 1
    minimum_experience: int = 0
    active_months: int = 0
    members: Members = Members.ANYBODY
    provisional_below: int = 100
    provisional_apart: bool = False

    @property
    def required_matches(self) -> int:
        """Return the number of matches required; at least one if the rules require recent play."""
        return max(self.minimum_matches, 1 if self.active_months else 0)

    @property
    def required_experience(self) -> int:
        """Return the experience required by the rules for experience and for provisional ratings together."""
        return max(self.minimum_experience, self.provisional_below if self.provisional_apart else 0)

    def unranked_reasons(
        self, *, matches: int, experience: int, is_active: bool, member: bool
    ) -> tuple[Unranked, ...]:
        """Return all reasons why a player has no rank; empty for a ranked player.

        ``is_active``: whether the last match is recent enough; ``member``: whether the player belongs to
        ``members``.

        >>> RankingRules(minimum_experience=200, active_months=12).unranked_reasons(matches=9, experience=63, is_active=False, member=True)
        (<Unranked.EXPERIENCE: 'experience'>, <Unranked.INACTIVE: 'inactive'>)
        """
        applies_by_reason = {
            Unranked.MATCHES: matches < self.required_matches,
            Unranked.EXPERIENCE: experience < self.minimum_experience,
            Unranked.INACTIVE: bool(self.active_months) and not is_active,
            Unranked.MEMBER: self.members is not Members.ANYBODY and not member,
            Unranked.PROVISIONAL: self.provisional_apart and experience < self.provisional_below,
        }
        return tuple(reason for reason, applies in applies_by_reason.items() if applies)


def months_before(day: date, months: int) -> date:
    """Return the date ``months`` months before ``day``; the last day of the month if that month is too short.

    >>> months_before(date(2026, 3, 31), 1)
    datetime.date(2026, 2, 28)
    """
    month = day.year * 12 + day.month - 1 - months
    year, index = divmod(month, 12)
    return date(year, index + 1, min(day.day, calendar.monthrange(year, index + 1)[1]))


@dataclass(frozen=True, slots=True)
class RankingPreset:
    """Published ranking rules of a federation, as far as they can be expressed; ``source``: an address."""

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
