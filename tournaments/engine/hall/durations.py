"""Estimates of how long matches take, from finished and running ones, with earlier events as prior.

A match to L points takes L times the pace of the event, times the offset of its length, times chance: few
matches are much quicker and some much slower (`BOX_COX_LAMBDA`). Pace and spread are unknown. Every pair of
the two is weighted by the observations: a finished match by the likelihood of its duration, a running one by
its likelihood of lasting longer than it has so far. Ignoring running matches would be biased towards the
quick ones, which end first. Earlier events provide the prior of pace, spread and offsets; without them the
pace is near eight minutes a point. Times are seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.engine.hall.forecast import SECONDS_PER_POINT

Floats = NDArray[np.float64]

SLOWEST_FACTOR: Final = 4  # matches longer than four times the default were interrupted, and shorter
FASTEST_DIVISOR: Final = 6  # than a sixth of it were entered late: both are ignored
PRIOR_PACE_DEVIATION: Final = 0.16  # deviation of the paces of events without data, as a logarithm
PRIOR_SPREAD: Final = 0.34  # spread of matches of one event: a coefficient of variation of 0.35
PRIOR_EVENTS: Final = 4  # the assumptions weigh as much as so many events,
PRIOR_MATCHES: Final = 20  # so many matches,
PRIOR_LENGTH_MATCHES: Final = 15  # and so many matches of one length
DEGREES_OF_FREEDOM: Final = 6  # heavy tails: an event may differ from all before
# Chance x is distributed so that (x^L - 1) / L is normal, L being this value (Box and Cox, 1964). 0 would be
# lognormal, a third nearly gamma (Wilson and Hilferty, 1931); durations, sums of unequal games, are between.
BOX_COX_LAMBDA: Final = 0.15
_PACES: Final = np.log(SECONDS_PER_POINT) + np.arange(-1.6, 1.6001, 0.02)
_SPREADS: Final = np.arange(0.10, 0.86, 0.04)
_STEP: Final = 0.02


@dataclass(frozen=True, slots=True)
class TimedMatch:
    """A finished match with its duration, or a running match with the time since it began."""

    length: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LengthStatistics:
    """Statistics of an event's matches of one length.

    `matches`: their number; `total`: the sum of log(seconds per point); `squares`: the sum of the squares of
    that.
    """

    matches: int
    total: float
    squares: float


DurationStatistics = Mapping[int, LengthStatistics]  # by match length: everything that is stored of an event


@dataclass(frozen=True, slots=True)
class Durations:
    """The estimate: how likely each pair of pace and spread is, and how lengths differ.

    `weights`: a weight for each pair; `length_offsets`: offset of each match length, as a logarithm;
    `match_count`: how many finished matches of this event were used.
    """

    weights: Floats
    length_offsets: Mapping[int, float] = field(default_factory=dict)
    match_count: int = 0

    def sample(self, chance: np.random.Generator, runs: int) -> tuple[Floats, Floats]:
        """Return so many (`runs`) random pairs of pace and spread, drawn by their weights.

        The pace is the logarithm of seconds per point.
        """
        flat_weights = self.weights.ravel()
        cells = np.searchsorted(
            np.cumsum(flat_weights), (chance.random() + np.arange(runs)) / runs * flat_weights.sum()
        )
        chance.shuffle(cells)
        paces, spreads = np.unravel_index(np.minimum(cells, flat_weights.size - 1), self.weights.shape)
        return _PACES[paces] + _STEP * (chance.random(runs) - 0.5), _SPREADS[spreads]

    def more(self, lengths: Sequence[int]) -> Floats:
        """Return the offset of each of these match lengths, as a logarithm of a factor."""
        return np.array([self.length_offsets.get(length, 0.0) for length in lengths])

    @property
    def seconds_a_point(self) -> float:
        """Mean seconds that a match takes for each point of its length."""
        means = _PACES[:, None] + (1 - BOX_COX_LAMBDA) * _SPREADS**2 / 2
        return math.exp(float(np.average(means, weights=self.weights)))

    def takes(self, length: int) -> float:
        """Return the mean duration of a match to `length` points, in seconds."""
        return length * self.seconds_a_point * math.exp(self.length_offsets.get(length, 0.0))


def to_normal(logarithm: Floats) -> Floats:
    """Return the normally distributed value for the logarithm of a chance factor, times the spread."""
    return np.asarray(np.expm1(BOX_COX_LAMBDA * logarithm) / BOX_COX_LAMBDA)


def from_normal(normal: Floats) -> Floats:
    """Return the logarithm of the chance factor for a normal value; the inverse of `to_normal`."""
    return np.asarray(np.log1p(np.maximum(BOX_COX_LAMBDA * normal, -0.99)) / BOX_COX_LAMBDA)


def is_informative(match: TimedMatch) -> bool:
    """Return whether the duration of a finished match can be trusted.

    Not if it is so long that play was interrupted, or so short that the result was entered late.
    """
    typical_seconds = match.length * SECONDS_PER_POINT
    return (
        match.length > 0
        and typical_seconds <= match.seconds * FASTEST_DIVISOR
        and match.seconds <= typical_seconds * SLOWEST_FACTOR
    )


def duration_statistics(finished: Iterable[TimedMatch]) -> dict[int, LengthStatistics]:
    """Return the statistics of an event that are stored for later estimates, keyed by match length."""
    stats_by_length: dict[int, LengthStatistics] = {}
    for match in finished:
        if is_informative(match):
            pace = math.log(match.seconds / match.length)
            stats = stats_by_length.get(match.length, LengthStatistics(0, 0.0, 0.0))
            stats_by_length[match.length] = LengthStatistics(
                stats.matches + 1, stats.total + pace, stats.squares + pace * pace
            )
    return stats_by_length


def estimate_durations(
    finished: Sequence[TimedMatch], running: Sequence[TimedMatch], earlier: Sequence[DurationStatistics] = ()
) -> Durations:
    """Return the estimated durations of an event's matches.

    `finished`, `running`: matches of the event; `earlier`: statistics of other events of the club or site.
    """
    length_offsets = _length_offsets(earlier)
    informative = [match for match in finished if is_informative(match)]
    weights = _prior(earlier, length_offsets)
    if informative:
        deviations = np.array(
            [math.log(m.seconds / m.length) - length_offsets.get(m.length, 0.0) for m in informative]
        )
        squared_errors = (to_normal(deviations[None, :] - _PACES[:, None]) ** 2).sum(axis=1)
        weights = weights - squared_errors[:, None] / (2 * _SPREADS**2) - len(informative) * np.log(_SPREADS)
        weights = weights - (len(informative) * BOX_COX_LAMBDA * _PACES)[:, None]
    still_running = [
        m for m in running if m.length > 0 and 1 <= m.seconds <= SLOWEST_FACTOR * m.length * SECONDS_PER_POINT
    ]
    for match in still_running:
        elapsed_pace = math.log(match.seconds / match.length) - length_offsets.get(match.length, 0.0)
        weights = weights + log_survival(to_normal(elapsed_pace - _PACES[:, None]) / _SPREADS)
    return Durations(np.exp(weights - weights.max()), length_offsets, len(informative))


def _length_offsets(earlier: Sequence[DurationStatistics]) -> dict[int, float]:
    """Return for each match length by how much its pace differs from other matches of the event (log).

    The offsets are shrunk towards zero where there is little data.
    """
    deviations: dict[int, float] = {}
    match_counts: dict[int, int] = {}
    for event in earlier:
        mean_pace = sum(stats.total for stats in event.values()) / sum(
            stats.matches for stats in event.values()
        )
        for length, stats in event.items():
            deviations[length] = deviations.get(length, 0.0) + stats.total - stats.matches * mean_pace
            match_counts[length] = match_counts.get(length, 0) + stats.matches
    return {
        length: deviations[length] / (match_counts[length] + PRIOR_LENGTH_MATCHES) for length in deviations
    }


def _prior(earlier: Sequence[DurationStatistics], length_offsets: Mapping[int, float]) -> Floats:
    """Return the logarithm of each pair's weight from earlier events, before this event's matches."""
    paces: list[float] = []
    spread_sum, match_count = PRIOR_MATCHES * PRIOR_SPREAD**2, PRIOR_MATCHES
    for event in earlier:
        event_matches = sum(stats.matches for stats in event.values())
        pace = (
            sum(stats.total - stats.matches * length_offsets[length] for length, stats in event.items())
            / event_matches
        )
        paces.append(pace)
        for length, stats in event.items():
            expected_pace = pace + length_offsets[length]
            spread_sum += max(
                0.0, stats.squares - 2 * expected_pace * stats.total + stats.matches * expected_pace**2
            )
            match_count += stats.matches
    # The assumed value is a mean, which a few long matches raise above the median. It counts like one event
    # here.
    mean_pace = (math.log(SECONDS_PER_POINT) - PRIOR_SPREAD**2 / 2 + sum(paces)) / (1 + len(paces))
    pace_scale = math.sqrt(
        (PRIOR_EVENTS * PRIOR_PACE_DEVIATION**2 + sum((pace - mean_pace) ** 2 for pace in paces))
        / (PRIOR_EVENTS + len(paces))
    )
    pace_prior = (
        -(DEGREES_OF_FREEDOM + 1)
        / 2
        * np.log1p(((_PACES - mean_pace) / pace_scale) ** 2 / DEGREES_OF_FREEDOM)
    )
    spread = math.log(math.sqrt(spread_sum / match_count))
    spread_scale = 0.2 / math.sqrt(1 + len(paces))
    spread_prior = -(((np.log(_SPREADS) - spread) / spread_scale) ** 2) / 2
    return np.asarray(pace_prior[:, None] + spread_prior[None, :], dtype=np.float64)


@cache
def _normal_table() -> tuple[Floats, Floats]:
    """Return points of the normal distribution and, for each, the logarithm of the upper tail probability."""
    points = np.arange(-8.0, 30.01, 0.02)
    return points, np.array([math.log(math.erfc(z / math.sqrt(2)) / 2) for z in points])


def log_survival(z: Floats) -> Floats:
    """Return the logarithm of the probability that a standard normal value is above ``z``."""
    points, logs = _normal_table()
    return np.interp(z, points, logs)


def sample_above(chance: np.random.Generator, lower_bounds: Floats) -> Floats:
    """Return random standard normal values, each above its bound in ``lower_bounds``."""
    points, logs = _normal_table()
    lower_bounds = np.clip(lower_bounds, points[0], points[-2])
    log_tails = np.interp(lower_bounds, points, logs) - chance.exponential(size=lower_bounds.shape)
    return np.maximum(lower_bounds, np.interp(-log_tails, -logs, points))
