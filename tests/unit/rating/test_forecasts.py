"""How well a system foretells: out of sample, in order of play."""

import math

import pytest

from rating.formulas import get_system
from rating.formulas.forecasts import COIN_LOG_LOSS, calibration, log_loss, predict_results
from rating.formulas.periods import DAY_MICROSECONDS

ROWS = [(1, 1, 0, 7, 8, 7), (2, 2 * DAY_MICROSECONDS, 0, 7, 8, 7), (3, 40 * DAY_MICROSECONDS, 0, 8, 7, 7)]


def forecast(code: str) -> list[float]:
    system = get_system(code)
    return predict_results(system, system.read({}), ROWS, start=1500.0)


@pytest.mark.parametrize(
    "code", ["fibs", "fibs_flat", "elo", "galaxy", "galaxy_2", "glicko2", "glicko2_length"]
)
def test_first_match_of_all_is_even_and_then_the_winner_is_the_favourite_until_beaten(code):
    first, second, third = forecast(code)
    assert first == 0.5
    assert second >= 0.5  # by period: not before the period is over
    assert third < 0.5
    assert (second == 0.5) == code.startswith("glicko2")


def test_system_without_chances_foretells_nothing():
    with pytest.raises(TypeError, match="master"):
        forecast("master")


def test_log_loss_of_a_coin_is_ln_2_and_of_certainty_nothing():
    assert math.isclose(log_loss([0.5] * 7), COIN_LOG_LOSS)
    assert log_loss([1.0, 1.0]) == 0.0


def test_calibration_counts_each_match_once_by_its_favourite():
    bands = calibration([0.62, 0.62, 0.38, 0.5, 0.9, 0.2])
    assert sum(band.count for band in bands) == 5  # where both had one half nobody was the favourite
    (six,) = [band for band in bands if band.low == 0.6]
    assert (six.count, round(six.mean_chance, 2), round(six.win_share, 3)) == (
        3,
        0.62,
        0.667,
    )  # of three favourites one lost
    (edge,) = [band for band in bands if band.low == 0.8]
    assert (edge.count, edge.win_share) == (2, 0.5)  # 0.2 for the winner: a favourite with 0.8 has lost
