"""Glicko-2: rating, deviation and volatility, changed at the close of a rating period. PURE.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (2013, revised 2022),
http://www.glicko.net/glicko/glicko2.pdf; step numbers below are the paper's. It ignores the length of
matches.

**Glicko-2 with match length** is our own extension. The length stretches the difference of the ratings by
c = (n / typical)^exponent, so that the better player's chance grows with the length as it does with FIBS:

    E = 1 / (1 + exp(-c · g(φj) · (μ - μj)))      and c · g replaces g in steps 3, 4 and 7

which is what the paper's derivation gives for that chance. With length ``typical`` (or exponent 0) it is
Glicko-2. With exponent ½ and typical length 25 the chance of two players without uncertainty is that of FIBS,
so a difference means what it means there: 400 · √25 = 2000. These two and a newcomer's deviation, 150, were
chosen by experiment (`benchmarks/glicko_length.py`, figures in `benchmarks/rating.md`).

For a player without matches in a period only the deviation grows (step 6 alone). For k such periods this is
computed at once, φ = √(φ² + k·σ²), when the number is next needed, so that a period costs only the players
who played in it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from rating.formulas.base import Parameter, ParameterKind, System

SCALE = 173.7178
CENTRE = 1500.0
TOLERANCE = 0.000001
MAX_DEVIATION = 350.0
LENGTH_DEVIATION = (
    150.0  # a newcomer's deviation on the scale of FIBS, which is that of Glicko-2 with match length
)
MAX_EXPONENT = (
    20.0  # nobody's chance is quite 0 or 1: some 3,500 points apart, and step 3 would divide by nothing
)


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's Glicko-2 values, on the scale on which a new player has a rating of 1500."""

    rating: float
    deviation: float
    volatility: float


def _g_factor(phi: float) -> float:
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _expected_score(mu: float, other_mu: float, weight: float) -> float:
    steepness = weight * (mu - other_mu)
    return 1.0 / (1.0 + math.exp(-max(-MAX_EXPONENT, min(MAX_EXPONENT, steepness))))


def length_factor(parameters: Mapping[str, Any], length: int) -> float:
    """Return the factor c of a match length; always 1 in Glicko-2 as published."""
    if "exponent" not in parameters:
        return 1.0
    stretch: float = (length / parameters["typical"]) ** parameters["exponent"]
    return stretch


def expected_score(player: Glicko, opponent: Glicko, stretch: float = 1.0) -> float:
    """Return the chance that ``player`` beats ``opponent``, by the opponent's deviation alone.

    Step 3 of the paper. ``stretch``: the factor c of the match length.
    """
    weight = _g_factor(opponent.deviation / SCALE) * stretch
    return _expected_score((player.rating - CENTRE) / SCALE, (opponent.rating - CENTRE) / SCALE, weight)


def win_chance(player: Glicko, opponent: Glicko, stretch: float = 1.0) -> float:
    """Return the chance that ``player`` beats ``opponent``, by the deviations of both.

    Unlike ``expected_score``, the chances of the two players add up to 1. ``stretch``: the factor c of the
    match length.
    """
    weight = _g_factor(math.hypot(player.deviation, opponent.deviation) / SCALE) * stretch
    return _expected_score((player.rating - CENTRE) / SCALE, (opponent.rating - CENTRE) / SCALE, weight)


def new_volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Return a player's volatility after a period, by the Illinois algorithm (step 5 of the paper)."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        power = math.exp(x)
        width = phi * phi + variance + power
        return power * (delta * delta - width) / (2.0 * width * width) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        k = 1
        while f(start - k * tau) < 0:
            k += 1
        high = start - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)


def grow_deviation(player: Glicko, periods: int) -> Glicko:
    """Return the player after ``periods`` periods without a match (step 6 of the paper).

    Only the deviation grows, to at most ``MAX_DEVIATION``.
    """
    if periods <= 0:
        return player
    phi = player.deviation / SCALE
    grown = math.sqrt(phi * phi + periods * player.volatility * player.volatility) * SCALE
    return Glicko(player.rating, min(grown, max(MAX_DEVIATION, player.deviation)), player.volatility)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match of a period as the player sees it.

    ``other``: the opponent *as before the period*. ``score``: 1 won, ½ tied, 0 lost.
    """

    other: Glicko
    score: float
    weight: float  # g(φj), times the factor of the length
    chance: float  # E
    stretch: float = 1.0  # c, the factor of the length

    @property
    def information(self) -> float:
        return self.weight * self.weight * self.chance * (1.0 - self.chance)

    @property
    def surprise(self) -> float:
        return self.weight * (self.score - self.chance)


@dataclass(frozen=True, slots=True)
class PeriodWorking:
    """The steps of the calculation of a period for one player, with the paper's names.

    Greek letters are on the scale of step 2; ``after`` has the player's new values.
    """

    player: Glicko
    bouts: tuple[MatchResult, ...]
    mu: float
    phi: float
    variance: float  # v
    delta: float  # Δ
    grown_phi: float  # φ*
    new_phi: float  # φ'
    new_mu: float  # μ'
    after: Glicko

    @property
    def surprise(self) -> float:
        return sum(bout.surprise for bout in self.bouts)

    def change_by_match(self) -> list[float]:
        """Return the part of the rating change that is due to each match: the terms of the sum in step 7."""
        return [self.new_phi * self.new_phi * bout.surprise * SCALE for bout in self.bouts]


def work_period(
    player: Glicko,
    results: Sequence[tuple[Glicko, float]],
    tau: float,
    stretches: Sequence[float] | None = None,
) -> PeriodWorking:
    """Compute the new values of ``player`` at the end of a period.

    ``results``: for each match the opponent *as before the period*, and 1, ½ or 0 for a win, tie or loss.
    ``tau``: the constant that limits changes of volatility. ``stretches``: the factor of the length of each
    match; None where the length does not count.

    The worked example of Glickman's paper:

    >>> player = Glicko(1500, 200, 0.06)
    >>> results = [(Glicko(1400, 30, 0.06), 1), (Glicko(1550, 100, 0.06), 0), (Glicko(1700, 300, 0.06), 0)]
    >>> after = work_period(player, results, tau=0.5).after
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    mu = (player.rating - CENTRE) / SCALE  # step 2
    phi = player.deviation / SCALE
    bouts = []
    for (other, score), stretch in zip(results, stretches or repeat(1.0)):  # noqa: B905 - the second may have no end
        weight = _g_factor(other.deviation / SCALE) * stretch
        chance = _expected_score(mu, (other.rating - CENTRE) / SCALE, weight)
        bouts.append(MatchResult(other, score, weight, chance, stretch))
    information = sum(bout.information for bout in bouts)
    surprise = sum(bout.surprise for bout in bouts)
    variance = 1.0 / information  # step 3
    delta = variance * surprise  # step 4
    sigma = new_volatility(player.volatility, phi, variance, delta, tau)  # step 5
    grown = phi * phi + sigma * sigma  # step 6, squared
    new_phi = 1.0 / math.sqrt(1.0 / grown + information)  # step 7
    new_mu = mu + new_phi * new_phi * surprise
    return PeriodWorking(
        player,
        tuple(bouts),
        mu,
        phi,
        variance,
        delta,
        math.sqrt(grown),
        new_phi,
        new_mu,
        Glicko(new_mu * SCALE + CENTRE, new_phi * SCALE, sigma),  # step 8
    )


def _parameters(deviation: float) -> tuple[Parameter, ...]:
    return (
        Parameter("tau", ParameterKind.NUMBER, 0.5, low=0.1, high=2.0),
        Parameter("deviation", ParameterKind.NUMBER, deviation, low=30.0, high=350.0),
        Parameter("volatility", ParameterKind.NUMBER, 0.06, low=0.01, high=0.2),
        Parameter("period_days", ParameterKind.WHOLE, 30, low=1, high=366),
    )


GLICKO2 = System(
    code="glicko2",
    source="M. E. Glickman, Example of the Glicko-2 system; http://www.glicko.net/glicko/glicko2.pdf",
    parameters=_parameters(MAX_DEVIATION),
    start=1500.0,
    is_periodic=True,
)

GLICKO2_LENGTH = System(
    code="glicko2_length",
    source=(
        "Crawford's own extension of M. E. Glickman, Example of the Glicko-2 system"
        " (http://www.glicko.net/glicko/glicko2.pdf): the length of a match stretches the difference of the ratings"
    ),
    parameters=(
        *_parameters(LENGTH_DEVIATION),
        Parameter("exponent", ParameterKind.NUMBER, 0.5, low=0.0, high=1.0),
        Parameter("typical", ParameterKind.NUMBER, 25.0, low=1.0, high=99.0),
    ),
    start=1500.0,
    is_periodic=True,
)
