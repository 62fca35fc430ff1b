"""Values of the forecast: the matches still to be played, and when they will probably begin and end.

`plays` computes the forecast by simulation. Times are whole seconds from now; the caller reads the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tournaments.engine.types import EntryId, MatchNo

SECONDS_PER_POINT: Final = 8 * 60  # mean without data
QUANTILES: Final = (0.05, 0.25, 0.50, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class FeedingMatch:
    """Where a side of a match comes from: the winner of another match or, if ``loser``, its loser."""

    match: MatchNo
    loser: bool = False


SideOrigin = EntryId | FeedingMatch | None  # None: none, or unknown


@dataclass(frozen=True, slots=True)
class ForecastMatch:
    """A match that is not over, or a moment between matches.

    `after`: matches that must be over before; `running_seconds`: time since the match began, None if it has
    not. Length 0 is a moment, such as "the round is over": it takes no table, and no time but `waits`
    seconds. `is_second_final`: a second final, which is played in one of two cases. `run_mask`: a byte for
    each simulated run, 0 if the match does not take place in that run, as in a Swiss with lives that ends
    earlier; empty: in all runs. Fewer bytes than runs are repeated from the first.
    """

    number: MatchNo
    length: int
    after: tuple[MatchNo, ...] = ()
    running_seconds: int | None = None
    a: SideOrigin = None
    b: SideOrigin = None
    waits: int = 0
    is_second_final: bool = False
    run_mask: bytes = b""

    @property
    def is_likely(self) -> bool:
        """Whether the match takes place in at least half of the simulated runs."""
        return not self.run_mask or 2 * sum(map(bool, self.run_mask)) >= len(self.run_mask)


@dataclass(frozen=True, slots=True)
class ClosedPeriod:
    """A time in which no match begins: a night or a break. Running matches continue.

    Both ends are seconds from now; no match begins at `since`, one may begin at `until`.
    """

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class ForecastBand:
    """When something will happen, in seconds from now.

    Half of all simulated runs are before `median`, half between `percentile_25` and `late`, and nine of ten
    between `first` and `last`.
    """

    first: int
    percentile_25: int
    median: int
    late: int
    last: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """When each match begins (0 if it has begun) and ends, keyed by match number, and when all are over."""

    begins: Mapping[MatchNo, ForecastBand]
    ends: Mapping[MatchNo, ForecastBand]
    over: ForecastBand


def critical_paths(
    matches: Iterable[ForecastMatch], ends: Mapping[MatchNo, ForecastBand], last_matches: Iterable[MatchNo]
) -> dict[MatchNo, tuple[MatchNo, ...]]:
    """Return for each of `last_matches` the chain of matches that decides when it ends, in order of time.

    Before each match in the chain comes the one, of those that it waits for, that ends latest by its median.
    """
    predecessors = {match.number: match.after for match in matches}
    chains: dict[MatchNo, tuple[MatchNo, ...]] = {}
    for last in last_matches:
        chain = [last]
        while sources := [number for number in predecessors[chain[-1]] if number in ends]:
            chain.append(max(sources, key=lambda number: (ends[number].median, number)))
        chains[last] = tuple(reversed(chain))
    return chains
