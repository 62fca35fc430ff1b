"""Estimate the durations of matches from finished and running ones, with earlier events as prior.

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
    """A match with its duration, or the time it has taken so far."""

    length: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LengthStatistics:
    """Statistics of one length in an event: matches, sums of log(seconds per point) and of its squares."""

    matches: int
    total: float
    squares: float


DurationStatistics = Mapping[int, LengthStatistics]  # by match length: everything that is stored of an event


@dataclass(frozen=True, slots=True)
class Durations:
    """The posterior: a weight for each pair of pace and spread; `usual`: log offsets of lengths."""

    weights: Floats
    usual: Mapping[int, float] = field(default_factory=dict)
    learned_from: int = 0

    def sample(self, chance: np.random.Generator, plays: int) -> tuple[Floats, Floats]:
        """Sample so many pairs of pace (log of seconds per point) and spread by weight."""
        flat = self.weights.ravel()
        cells = np.searchsorted(np.cumsum(flat), (chance.random() + np.arange(plays)) / plays * flat.sum())
        chance.shuffle(cells)
        paces, spreads = np.unravel_index(np.minimum(cells, flat.size - 1), self.weights.shape)
        return _PACES[paces] + _STEP * (chance.random(plays) - 0.5), _SPREADS[spreads]

    def more(self, lengths: Sequence[int]) -> Floats:
        """Return the offset of each of these lengths, as a logarithm."""
        return np.array([self.usual.get(length, 0.0) for length in lengths])

    @property
    def seconds_a_point(self) -> float:
        """Mean seconds per point of match length."""
        means = _PACES[:, None] + (1 - BOX_COX_LAMBDA) * _SPREADS**2 / 2
        return math.exp(float(np.average(means, weights=self.weights)))

    def takes(self, length: int) -> float:
        """Return the mean seconds of a match to so many points."""
        return length * self.seconds_a_point * math.exp(self.usual.get(length, 0.0))


def to_normal(logarithm: Floats) -> Floats:
    """Transform the logarithm of the chance factor to a normal value, times the spread."""
    return np.asarray(np.expm1(BOX_COX_LAMBDA * logarithm) / BOX_COX_LAMBDA)


def from_normal(normal: Floats) -> Floats:
    """Invert `to_normal`."""
    return np.asarray(np.log1p(np.maximum(BOX_COX_LAMBDA * normal, -0.99)) / BOX_COX_LAMBDA)


def is_informative(match: TimedMatch) -> bool:
    """Return whether a finished match was played without interruption and entered when it ended."""
    usual = match.length * SECONDS_PER_POINT
    return (
        match.length > 0
        and usual <= match.seconds * FASTEST_DIVISOR
        and match.seconds <= usual * SLOWEST_FACTOR
    )


def duration_statistics(finished: Iterable[TimedMatch]) -> dict[int, LengthStatistics]:
    """Return the statistics to store of an event for later estimates."""
    found: dict[int, LengthStatistics] = {}
    for match in finished:
        if is_informative(match):
            pace = math.log(match.seconds / match.length)
            so_far = found.get(match.length, LengthStatistics(0, 0.0, 0.0))
            found[match.length] = LengthStatistics(
                so_far.matches + 1, so_far.total + pace, so_far.squares + pace * pace
            )
    return found


def estimate_durations(
    finished: Sequence[TimedMatch], running: Sequence[TimedMatch], earlier: Sequence[DurationStatistics] = ()
) -> Durations:
    """Estimate the durations of an event's matches.

    `earlier`: statistics of other events of the club or site.
    """
    usual = _length_offsets(earlier)
    taught = [match for match in finished if is_informative(match)]
    weights = _prior(earlier, usual)
    if taught:
        over = np.array([math.log(m.seconds / m.length) - usual.get(m.length, 0.0) for m in taught])
        apart = (to_normal(over[None, :] - _PACES[:, None]) ** 2).sum(axis=1)
        weights = weights - apart[:, None] / (2 * _SPREADS**2) - len(taught) * np.log(_SPREADS)
        weights = weights - (len(taught) * BOX_COX_LAMBDA * _PACES)[:, None]
    longer = [
        m for m in running if m.length > 0 and 1 <= m.seconds <= SLOWEST_FACTOR * m.length * SECONDS_PER_POINT
    ]
    for match in longer:
        so_far = math.log(match.seconds / match.length) - usual.get(match.length, 0.0)
        weights = weights + log_survival(to_normal(so_far - _PACES[:, None]) / _SPREADS)
    return Durations(np.exp(weights - weights.max()), usual, len(taught))


def _length_offsets(earlier: Sequence[DurationStatistics]) -> dict[int, float]:
    """Return the offset of each length from others of its event, shrunk towards zero with little data."""
    apart: dict[int, float] = {}
    count: dict[int, int] = {}
    for event in earlier:
        middle = sum(seen.total for seen in event.values()) / sum(seen.matches for seen in event.values())
        for length, seen in event.items():
            apart[length] = apart.get(length, 0.0) + seen.total - seen.matches * middle
            count[length] = count.get(length, 0) + seen.matches
    return {length: apart[length] / (count[length] + PRIOR_LENGTH_MATCHES) for length in apart}


def _prior(earlier: Sequence[DurationStatistics], usual: Mapping[int, float]) -> Floats:
    """Return the log prior of each pair, before any observation of this event."""
    paces: list[float] = []
    within, matches = PRIOR_MATCHES * PRIOR_SPREAD**2, PRIOR_MATCHES
    for event in earlier:
        count = sum(seen.matches for seen in event.values())
        pace = sum(seen.total - seen.matches * usual[length] for length, seen in event.items()) / count
        paces.append(pace)
        for length, seen in event.items():
            middle = pace + usual[length]
            within += max(0.0, seen.squares - 2 * middle * seen.total + seen.matches * middle**2)
            matches += seen.matches
    # The assumed value is a mean, which a few long matches raise above the median. It counts like one event
    # here.
    middle = (math.log(SECONDS_PER_POINT) - PRIOR_SPREAD**2 / 2 + sum(paces)) / (1 + len(paces))
    apart = math.sqrt(
        (PRIOR_EVENTS * PRIOR_PACE_DEVIATION**2 + sum((pace - middle) ** 2 for pace in paces))
        / (PRIOR_EVENTS + len(paces))
    )
    of_pace = -(DEGREES_OF_FREEDOM + 1) / 2 * np.log1p(((_PACES - middle) / apart) ** 2 / DEGREES_OF_FREEDOM)
    spread = math.log(math.sqrt(within / matches))
    narrow = 0.2 / math.sqrt(1 + len(paces))
    of_spread = -(((np.log(_SPREADS) - spread) / narrow) ** 2) / 2
    return np.asarray(of_pace[:, None] + of_spread[None, :], dtype=np.float64)


@cache
def _normal_table() -> tuple[Floats, Floats]:
    """Return points of the normal distribution and the logarithm of the upper tail probability."""
    points = np.arange(-8.0, 30.01, 0.02)
    return points, np.array([math.log(math.erfc(z / math.sqrt(2)) / 2) for z in points])


def log_survival(z: Floats) -> Floats:
    """Return the logarithm of the probability that a normal value is above ``z``."""
    points, logs = _normal_table()
    return np.interp(z, points, logs)


def sample_above(chance: np.random.Generator, least: Floats) -> Floats:
    """Sample normal values above ``least``."""
    points, logs = _normal_table()
    least = np.clip(least, points[0], points[-2])
    wanted = np.interp(least, points, logs) - chance.exponential(size=least.shape)
    return np.maximum(least, np.interp(-wanted, -logs, points))
