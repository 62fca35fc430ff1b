"""How well a system foretells results: each one before it is rated, in order of play. PURE.

Log-loss is the mean of -ln(chance that was given to what happened): 0.6931 for whoever says ½ each time, less is better. It
punishes a formula that is too sure of itself, which the share of right guesses does not.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rating.formulas.base import System
from rating.formulas.glicko2 import length_factor, win_chance
from rating.formulas.periods import Standing, new_player_glicko, period_number, replay_periods
from rating.formulas.replay import Extra, Row, RowKind, State, fold_for_system

MAX_CHANCE = 0.999  # nobody's chance is foretold as quite 1: a single upset would outweigh everything else
COIN_LOG_LOSS = math.log(2.0)  # the log-loss of saying ½ each time


def predict_results(
    system: System,
    parameters: Mapping[str, Any],
    rows: Sequence[Row],
    *,
    start: float,
    extras: Mapping[int, Extra] | None = None,
) -> list[float]:
    """The chance that the system gave the winner of each result, before it was rated; in order of play.

    A periodic system knows what it knew at the end of the period before. Raises ``TypeError`` for one that foretells nothing.
    """
    if system.periodic:
        return _predict_by_period(parameters, rows, start=start, extras=extras or {})
    if system.rate is None or system.expect is None:
        raise TypeError(f"{system.code} foretells nothing")
    states: dict[int, State] = {}
    steps = fold_for_system(system, parameters, start=start)(rows, states, extras=extras or {})
    lengths = {row[0]: row[5] for row in rows}
    expect = system.expect
    return [
        _clamp_chance(expect(parameters, before, other_before, lengths[number]))
        for number, _m, _p, before, _a, _e, other, other_before, _oa, _oe in steps
        if other
    ]


def _predict_by_period(
    parameters: Mapping[str, Any], rows: Sequence[Row], *, start: float, extras: Mapping[int, Extra]
) -> list[float]:
    days: int = parameters["period_days"]
    newcomer = new_player_glicko(parameters, start)
    standings: dict[int, Standing] = {}
    foretold: list[float] = []
    at = 0
    while at < len(rows):
        period = period_number(rows[at][1], days)
        end = at
        while end < len(rows) and period_number(rows[end][1], days) == period:
            end += 1
        # Everybody's deviation has grown to the end of the period before; then the period is foretold, then rated.
        replay_periods([], parameters, start=start, closed=period, extras={}, standings=standings)
        for _number, _moment, act, winner, loser, length in rows[at:end]:
            if act == RowKind.RESULT:
                first, second = (
                    standings[player].glicko if player in standings else newcomer
                    for player in (winner, loser)
                )
                foretold.append(_clamp_chance(win_chance(first, second, length_factor(parameters, length))))
        replay_periods(
            rows[at:end], parameters, start=start, closed=period + 1, extras=extras, standings=standings
        )
        at = end
    return foretold


def _clamp_chance(chance: float) -> float:
    return min(MAX_CHANCE, max(1.0 - MAX_CHANCE, chance))


@dataclass(frozen=True, slots=True)
class CalibrationBand:
    """Favourites whose chance was foretold between ``low`` and ``high``: how many, what was foretold on average, what came."""

    low: float
    high: float
    count: int
    foretold: float
    came: float


def log_loss(foretold: Sequence[float]) -> float:
    """The mean of -ln(chance); ``foretold`` must not be empty."""
    return -sum(map(math.log, foretold)) / len(foretold)


def calibration(
    foretold: Sequence[float], edges: Sequence[float] = (0.5, 0.55, 0.6, 0.7, 0.8)
) -> list[CalibrationBand]:
    """Favourites by the chance they were given; bands in which nobody is are left out, and matches without a favourite."""
    bands = []
    for low, high in zip(edges, [*edges[1:], 1.0], strict=True):
        # Of each match the favourite: who won with a chance of 0.4 was an outsider, and the favourite lost with 0.6.
        won = [chance for chance in foretold if chance > 0.5 and low <= chance < high]
        lost = [1.0 - chance for chance in foretold if chance < 0.5 and low <= 1.0 - chance < high]
        count = len(won) + len(lost)
        if count:
            bands.append(CalibrationBand(low, high, count, (sum(won) + sum(lost)) / count, len(won) / count))
    return bands
