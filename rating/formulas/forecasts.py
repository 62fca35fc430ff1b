"""Accuracy of a system's predictions: each result is predicted before it is rated, in order of play. PURE.

Log-loss is the mean of -ln(chance given to what happened): 0.6931 for a constant ½, lower is better. It
penalises overconfident formulas, which the share of correct predictions does not.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rating.formulas.base import System
from rating.formulas.glicko2 import length_factor, win_chance
from rating.formulas.periods import Standing, new_player_glicko, period_number, replay_periods
from rating.formulas.replay import RareAttributes, Row, RowKind, State, rater_for_system

MAX_CHANCE = 0.999  # no chance is predicted as 1: a single upset would outweigh everything else
COIN_LOG_LOSS = math.log(2.0)  # the log-loss of a constant ½


def predict_results(
    system: System,
    parameters: Mapping[str, Any],
    rows: Sequence[Row],
    *,
    start: float,
    extras: Mapping[int, RareAttributes] | None = None,
) -> list[float]:
    """Return the chance that the system gave to the winner of each result before rating it, in order of play.

    ``extras``: rare attributes of rows, as a dictionary keyed by ledger number. A periodic system predicts
    from the ratings at the end of the previous period. Raises ``TypeError`` for a system without predictions.
    """
    if system.is_periodic:
        return _predict_by_period(parameters, rows, start=start, extras=extras or {})
    if system.rate is None or system.expect is None:
        raise TypeError(f"{system.code} foretells nothing")
    states: dict[int, State] = {}
    steps = rater_for_system(system, parameters, start=start)(rows, states, extras=extras or {})
    lengths = {row[0]: row[5] for row in rows}
    expect = system.expect
    return [
        _clamp_chance(expect(parameters, before, other_before, lengths[number]))
        for number, _m, _p, before, _a, _e, other, other_before, _oa, _oe in steps
        if other
    ]


def _predict_by_period(
    parameters: Mapping[str, Any], rows: Sequence[Row], *, start: float, extras: Mapping[int, RareAttributes]
) -> list[float]:
    days: int = parameters["period_days"]
    newcomer = new_player_glicko(parameters, start)
    standings: dict[int, Standing] = {}
    chances: list[float] = []
    index = 0
    while index < len(rows):
        period = period_number(rows[index][1], days)
        end = index
        while end < len(rows) and period_number(rows[end][1], days) == period:
            end += 1
        # All deviations grow to the end of the previous period; then the period is predicted, then rated.
        replay_periods([], parameters, start=start, end_period=period, extras={}, standings=standings)
        for _number, _moment, row_kind, winner, loser, length in rows[index:end]:
            if row_kind == RowKind.RESULT:
                first, second = (
                    standings[player].glicko if player in standings else newcomer
                    for player in (winner, loser)
                )
                chances.append(_clamp_chance(win_chance(first, second, length_factor(parameters, length))))
        replay_periods(
            rows[index:end],
            parameters,
            start=start,
            end_period=period + 1,
            extras=extras,
            standings=standings,
        )
        index = end
    return chances


def _clamp_chance(chance: float) -> float:
    return min(MAX_CHANCE, max(1.0 - MAX_CHANCE, chance))


@dataclass(frozen=True, slots=True)
class CalibrationBand:
    """Matches whose favourite had a predicted chance from ``low`` to ``high``.

    ``mean_chance``: the mean of the predicted chances; ``win_share``: the share of these matches that the
    favourite won.
    """

    low: float
    high: float
    count: int
    mean_chance: float
    win_share: float


def log_loss(chances: Sequence[float]) -> float:
    """Return the log-loss of the chances given to the winners; ``chances`` must not be empty."""
    return -sum(map(math.log, chances)) / len(chances)


def calibration(
    chances: Sequence[float], edges: Sequence[float] = (0.5, 0.55, 0.6, 0.7, 0.8)
) -> list[CalibrationBand]:
    """Group matches by the predicted chance of the favourite, in bands that begin at ``edges``.

    ``chances``: those given to the winners. Empty bands and matches without a favourite are left out.
    """
    bands = []
    for low, high in zip(edges, [*edges[1:], 1.0], strict=True):
        # The favourite of each match: a winner with a chance of 0.4 means that the favourite lost with 0.6.
        won_chances = [chance for chance in chances if chance > 0.5 and low <= chance < high]
        lost_chances = [1.0 - chance for chance in chances if chance < 0.5 and low <= 1.0 - chance < high]
        count = len(won_chances) + len(lost_chances)
        if count:
            bands.append(
                CalibrationBand(
                    low, high, count, (sum(won_chances) + sum(lost_chances)) / count, len(won_chances) / count
                )
            )
    return bands
