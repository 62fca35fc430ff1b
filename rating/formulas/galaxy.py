"""Backgammon Galaxy's formula, versions 1 and 2, as described in 2023. PURE.

    P = 1 / (1 + 10^(-D / 800))      K = min(16, max(5, 32 - 0.012 · mean of the two ratings))
    change = n^0.75 · K · (1 - P of the winner), the same for both

Version 2 gives "half the rating change noted above" where "the match winner is different than the PR winner",
that is, where the winner of the match played with the higher error rate (PR). With unknown or equal PRs it is
the same as version 1.

Source: http://www.columbusbg.org/Ratings/formulas.html
"""

from collections.abc import Mapping
from typing import Any

from rating.formulas.base import ChangeCalculation, Rate, RatedMatch, System
from rating.formulas.elo import lose_chance

DIVISOR = 800.0
EXPONENT = 0.75
PR_LOSER_SHARE = 0.5
_STRETCHES: list[float] = [float(n) ** EXPONENT for n in range(100)]


def k_factor(first: float, second: float) -> float:
    """Return the factor K for two ratings; it falls as their mean rises."""
    return min(16.0, max(5.0, 32.0 - 0.012 * ((first + second) / 2.0)))


def pr_share(winner_pr: float | None, loser_pr: float | None) -> float:
    """Return the factor that version 2 applies to a rating change.

    It is ½ if the winner of the match has the higher (worse) PR, else 1; also 1 if a PR is unknown.
    """
    if winner_pr is None or loser_pr is None or winner_pr <= loser_pr:
        return 1.0
    return PR_LOSER_SHARE


def _change(winner: float, loser: float, length: int) -> float:
    return _STRETCHES[length] * k_factor(winner, loser) * lose_chance(winner - loser, 1.0, DIVISOR)


def _rate(_parameters: Mapping[str, Any]) -> Rate:
    def rate(
        winner: float, _we: int, loser: float, _le: int, length: int, _weight: float
    ) -> tuple[float, float]:
        change = _change(winner, loser, length)
        return change, -change

    return rate


def _rate_with_pr(_parameters: Mapping[str, Any]) -> Rate:
    def rate(
        winner: float, _we: int, loser: float, _le: int, length: int, weight: float
    ) -> tuple[float, float]:
        change = weight * _change(winner, loser, length)
        return change, -change

    return rate


def _work(_parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return _build_working(meeting, _change(meeting.winner, meeting.loser, meeting.length))


def _work_with_pr(_parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return _build_working(meeting, meeting.weight * _change(meeting.winner, meeting.loser, meeting.length))


def _build_working(meeting: RatedMatch, change: float) -> ChangeCalculation:
    k = k_factor(meeting.winner, meeting.loser)
    return ChangeCalculation(
        meeting=meeting,
        difference=meeting.difference,
        stretch=_STRETCHES[meeting.length],
        expected=1.0 - lose_chance(meeting.difference, 1.0, DIVISOR),
        winner_k=k,
        loser_k=k,
        winner_change=change,
        loser_change=-change,
    )


def _expect(_parameters: Mapping[str, Any], own_rating: float, other_rating: float, _length: int) -> float:
    return 1.0 - lose_chance(own_rating - other_rating, 1.0, DIVISOR)


GALAXY = System(
    code="galaxy",
    source="Backgammon Galaxy, version 1; http://www.columbusbg.org/Ratings/formulas.html",
    parameters=(),
    start=1500.0,
    rate=_rate,
    work=_work,
    expect=_expect,
)

GALAXY_2 = System(
    code="galaxy_2",
    source=(
        "Backgammon Galaxy, version 2; http://www.columbusbg.org/Ratings/formulas.html. A result without PR is rated as in"
        " version 1."
    ),
    parameters=(),
    start=1500.0,
    uses_pr=True,
    rate=_rate_with_pr,
    work=_work_with_pr,
    expect=_expect,
)
