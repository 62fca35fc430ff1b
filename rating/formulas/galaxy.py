"""Backgammon Galaxy's first formula, as described in 2023. PURE.

    P = 1 / (1 + 10^(-D / 800))      K = min(16, max(5, 32 - 0.012 · mean of the two ratings))
    change = n^0.75 · K · (1 - P of the winner), the same for both

Source: http://www.columbusbg.org/Ratings/formulas.html (version 1, which rates the match alone; the later version
also weighs the quality of play, which no result tells).
"""

from collections.abc import Mapping
from typing import Any

from rating.formulas.base import Meeting, Rate, System, Working
from rating.formulas.elo import lose_chance

DIVISOR = 800.0
EXPONENT = 0.75
_STRETCHES: list[float] = [float(n) ** EXPONENT for n in range(100)]


def k_of(first: float, second: float) -> float:
    """K falls as the mean of the two ratings rises."""
    return min(16.0, max(5.0, 32.0 - 0.012 * ((first + second) / 2.0)))


def _change(winner: float, loser: float, length: int) -> float:
    return _STRETCHES[length] * k_of(winner, loser) * lose_chance(winner - loser, 1.0, DIVISOR)


def _rate(_parameters: Mapping[str, Any]) -> Rate:
    def rate(
        winner: float, _we: int, loser: float, _le: int, length: int, _weight: float
    ) -> tuple[float, float]:
        change = _change(winner, loser, length)
        return change, -change

    return rate


def _work(_parameters: Mapping[str, Any], m: Meeting) -> Working:
    change = _change(m.winner, m.loser, m.length)
    k = k_of(m.winner, m.loser)
    return Working(
        meeting=m,
        difference=m.difference,
        stretch=_STRETCHES[m.length],
        expected=1.0 - lose_chance(m.difference, 1.0, DIVISOR),
        winner_k=k,
        loser_k=k,
        winner_change=change,
        loser_change=-change,
    )


def _expect(_parameters: Mapping[str, Any], own: float, other: float, _length: int) -> float:
    return 1.0 - lose_chance(own - other, 1.0, DIVISOR)


GALAXY = System(
    code="galaxy",
    source="Backgammon Galaxy, version 1; http://www.columbusbg.org/Ratings/formulas.html",
    parameters=(),
    start=1500.0,
    rate=_rate,
    work=_work,
    expect=_expect,
)
