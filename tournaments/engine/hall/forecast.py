"""When will it be over? From match lengths, the minutes a point takes, the tables, and what hangs on what.

The event is played through in mind: whoever is ready goes to the next free table, a match takes its length times the
pace, and its winner is ready for the next one. The pace is learned from the event's own finished matches and starts
from eight minutes a point. A match that should be over by now is taken to need one point more, so that a forecast is
never in the past. Who plays in two matches at once is not looked at: a bracket cannot, and of two divisions it is rare.
Times are whole seconds from now; the clock itself is the caller's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Final

from tournaments.engine.errors import BadInput
from tournaments.engine.types import MatchNo

SECONDS_A_POINT: Final = 8 * 60
WEIGHT_OF_EXPERIENCE: Final = 60  # the starting pace counts like so many points played: about eight matches
SLOWEST: Final = 4  # a match that took longer than four times the pace was interrupted, and a shorter one
FASTEST: Final = 6  # than a sixth of it was entered late: neither teaches anything


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over: its length and how long it took."""

    length: int
    seconds: int


@dataclass(frozen=True, slots=True)
class ToPlay:
    """A match that is not over. `after`: those that must be over before; `running_for`: seconds since it began.

    One of length 0 is a moment, not a match: "the round is over" takes neither time nor a table.
    """

    number: MatchNo
    length: int
    after: tuple[MatchNo, ...] = ()
    running_for: int | None = None


@dataclass(frozen=True, slots=True)
class Forecast:
    """Seconds from now until each match begins (0 if it has) and ends, and until all are over."""

    begins: Mapping[MatchNo, int]
    ends: Mapping[MatchNo, int]

    @property
    def over(self) -> int:
        return max(self.ends.values(), default=0)


def pace(finished: Collection[Finished]) -> Fraction:
    """Seconds a point of match length takes here, the usual pace weighed in while little has been played."""
    points, seconds = WEIGHT_OF_EXPERIENCE, WEIGHT_OF_EXPERIENCE * SECONDS_A_POINT
    for match in finished:
        usual = match.length * SECONDS_A_POINT
        if usual <= match.seconds * FASTEST and match.seconds <= usual * SLOWEST:
            points += match.length
            seconds += match.seconds
    return Fraction(seconds, points)


def forecast(matches: Sequence[ToPlay], tables: int, seconds_a_point: Fraction) -> Forecast:
    """Plays the matches through on so many tables, those ready first in the order in which they are given."""
    if tables < 1:
        raise BadInput("forecast.no_tables", tables=tables)
    order = {match.number: place for place, match in enumerate(matches)}
    waits = {match.number: {n for n in match.after if n in order} for match in matches}
    followers: dict[MatchNo, list[MatchNo]] = {match.number: [] for match in matches}
    for number, before in waits.items():
        for source in before:
            followers[source].append(number)
    lasting = {length: int(length * seconds_a_point) for length in {match.length for match in matches}}
    takes = {match.number: lasting[match.length] for match in matches}
    begins: dict[MatchNo, int] = {}
    ends: dict[MatchNo, int] = {}
    playing: list[tuple[int, int, MatchNo]] = []  # ends when, place in the order, number
    for match in matches:
        if match.running_for is not None:
            begins[match.number] = 0
            left = max(takes[match.number] - match.running_for, int(seconds_a_point))
            playing.append((left, order[match.number], match.number))
    heapify(playing)
    ready: list[tuple[int, MatchNo]] = []
    now = 0

    def may_begin(number: MatchNo) -> None:
        if takes[number]:
            heappush(ready, (order[number], number))
        else:
            begins[number] = now
            heappush(playing, (now, order[number], number))

    for number, before in waits.items():
        if not before and number not in begins:
            may_begin(number)
    while playing or ready:
        while ready and len(playing) < tables:
            _place, number = heappop(ready)
            begins[number] = now
            heappush(playing, (now + takes[number], order[number], number))
        now, _place, over = heappop(playing)
        ends[over] = now
        for number in followers[over]:
            waits[number].discard(over)
            if not waits[number] and number not in begins:
                may_begin(number)
    if len(ends) < len(matches):
        raise BadInput("forecast.never_ends", matches=len(matches) - len(ends))
    return Forecast(begins, ends)


def critical_paths(
    matches: Iterable[ToPlay], found: Forecast, lasts: Iterable[MatchNo]
) -> dict[MatchNo, tuple[MatchNo, ...]]:
    """For each of `lasts` the chain of matches that decides when it is over, first one first: before each the one that ends latest.

    Shortening any other match does not bring the end nearer.
    """
    after = {match.number: match.after for match in matches}
    chains: dict[MatchNo, tuple[MatchNo, ...]] = {}
    for last in lasts:
        chain = [last]
        while sources := [number for number in after[chain[-1]] if number in found.ends]:
            chain.append(max(sources, key=lambda number: (found.ends[number], number)))
        chains[last] = tuple(reversed(chain))
    return chains
