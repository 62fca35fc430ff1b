"""Simulate an event many times: ready matches go to the next free table, with random durations (`durations`).

Every play has its own sampled pace, and every match its own duration in each; a running match lasts longer
than it has so far. Either side wins with equal chance: strength would only affect who is in two divisions at
once. Players of a running match begin no other match; the next one gets the table instead. No match begins
while the hall is closed.

All plays advance together, one match of each at a time: every step is a few operations over all plays, and
there are two for each match. That takes a fraction of a second for a bracket of 1,024
(`benchmarks/forecast.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.engine.errors import BadInput
from tournaments.engine.hall.durations import Durations, Floats, from_normal, sample_above, to_normal
from tournaments.engine.hall.forecast import (
    QUANTILES,
    ClosedPeriod,
    FeedingMatch,
    Forecast,
    ForecastBand,
    ForecastMatch,
)
from tournaments.engine.types import EntryId

DEFAULT_RUNS: Final = 300
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
NO_ENTRY: Final = 0


def simulate_forecast(
    matches: Sequence[ForecastMatch],
    tables: int,
    durations: Durations,
    *,
    seed: int,
    plays: int = DEFAULT_RUNS,
    closed: Sequence[ClosedPeriod] = (),
    people: Mapping[EntryId, Collection[int]] | None = None,
) -> Forecast:
    """Simulate the matches on so many tables; among ready ones, those given first begin first.

    ``people``: the people behind entries, for those who are in more than one. The same ``seed`` gives the
    same forecast. Raises ``BadInput`` without tables, or for matches that wait for each other.
    """
    if tables < 1:
        raise BadInput("forecast.no_tables", tables=tables)
    if not matches:
        nothing = ForecastBand(0, 0, 0, 0, 0)
        return Forecast({}, {}, nothing)
    chance = np.random.default_rng(seed)
    played = _Simulation(matches, tables, _sample_durations(matches, durations, chance, plays), closed)
    who = _SharedPlayers(matches, people, played, chance) if people else None
    played.play(who)
    numbers = [match.number for match in matches]
    return Forecast(
        dict(zip(numbers, _bands(played.begins), strict=True)),
        dict(zip(numbers, _bands(played.ends), strict=True)),
        _bands(played.ends.max(axis=1, keepdims=True))[0],
    )


def _bands(times: Floats) -> list[ForecastBand]:
    cuts = np.quantile(times, QUANTILES, axis=0)
    return [ForecastBand(*map(int, one)) for one in np.rint(cuts).astype(int).T]


def _sample_durations(
    matches: Sequence[ForecastMatch], durations: Durations, chance: np.random.Generator, plays: int
) -> Floats:
    """Sample the duration of each match in each play; of running matches the remaining time."""
    pace, spread = durations.sample(chance, plays)
    lengths = np.array([match.length for match in matches], dtype=float)
    usual = np.log(np.maximum(lengths, 1)) + durations.more([match.length for match in matches])
    middle = pace[:, None] + usual[None, :]
    z = chance.standard_normal((plays, len(matches)))
    so_far = np.array([float(match.running_seconds or 0) for match in matches])
    goes_on = np.flatnonzero(so_far >= 1)
    if goes_on.size:
        least = to_normal(np.log(so_far[goes_on])[None, :] - middle[:, goes_on]) / spread[:, None]
        z[:, goes_on] = sample_above(chance, least)
    found = np.exp(middle + from_normal(spread[:, None] * z)) - so_far[None, :]
    found = np.maximum(found, 1.0)
    found[:, lengths == 0] = np.array([match.waits for match in matches if not match.length], dtype=float)
    perhaps = np.flatnonzero([match.maybe and match.running_seconds is None for match in matches])
    if perhaps.size:
        found[:, perhaps] *= chance.integers(0, 2, (plays, perhaps.size))
    for index, match in enumerate(matches):
        if match.run_mask:
            found[:, index] *= np.resize(np.frombuffer(match.run_mask, dtype=np.uint8), plays) > 0
    return np.asarray(found)


class _Simulation:
    """All plays side by side: a row for each play, a column for each match or table."""

    def __init__(
        self, matches: Sequence[ForecastMatch], tables: int, lasting: Floats, closed: Sequence[ClosedPeriod]
    ) -> None:
        self.count, self.size = lasting.shape
        self.rows: Ints = np.arange(self.count)
        self.lasting = lasting
        place = {match.number: index for index, match in enumerate(matches)}
        before = [[place[number] for number in set(match.after) if number in place] for match in matches]
        self.first_ready = [index for index, sources in enumerate(before) if not sources]
        self.running = [index for index, match in enumerate(matches) if match.running_seconds is not None]
        moments = np.array([match.length == 0 for match in matches])
        self.is_delay: Bools = moments & np.array([match.waits > 0 for match in matches])
        # A match that does not take place in a play is a moment there: it takes no table.
        self.is_moment: Bools = moments | (lasting == 0)
        followers: list[list[int]] = [[] for _ in matches]
        for index, sources in enumerate(before):
            for source in sources:
                followers[source].append(index)
        self.fan: Ints = np.array([len(own) for own in followers])
        self.fan_from: Ints = np.concatenate([[0], np.cumsum(self.fan)[:-1]]).astype(np.intp)
        self.fan_to: Ints = np.array([index for own in followers for index in own], dtype=np.intp)
        self.sources = np.tile(np.array([len(own) for own in before], dtype=np.int32), (self.count, 1))
        self.begins: Floats = np.full((self.count, self.size), np.nan)
        self.ends: Floats = np.full((self.count, self.size), np.nan)
        self.ready: Bools = np.zeros(
            (self.count, self.size), dtype=bool
        )  # and none of its players plays elsewhere
        self.now: Floats = np.zeros(self.count)
        self.closed_since: Floats = np.array([span.since for span in closed], dtype=float)
        self.closed_until: Floats = np.array([span.until for span in closed], dtype=float)
        # A column for each table that can be taken at once, and one for each delay, which takes none.
        on_tables = max(len(self.running), min(tables, self.size))
        self.delays = {int(index): on_tables + k for k, index in enumerate(np.flatnonzero(self.is_delay))}
        self.tables = tables
        self.on_tables = on_tables
        columns = on_tables + len(self.delays)
        self.over_at: Floats = np.full((self.count, columns), np.inf)
        self.holds: Ints = np.zeros((self.count, columns), dtype=np.intp)
        self.taken: Ints = np.full(self.count, len(self.running))
        self.free: Ints = np.tile(
            np.arange(on_tables)[::-1], (self.count, 1)
        )  # a stack: the last ones are taken

    def play(self, who: _SharedPlayers | None) -> None:
        for column, index in enumerate(self.running):
            self.begins[:, index] = 0
            self.over_at[:, column] = self.lasting[:, index]
            self.holds[:, column] = index
            if who is not None:
                who.begin(self.rows, np.full(self.count, index))
        goes_on = set(self.running)
        for index in self.first_ready:
            if index not in goes_on:
                self._mark_ready(self.rows, np.full(self.count, index), who)
        while True:
            first = self.ready.argmax(axis=1)
            can = self.ready[self.rows, first] & (self.taken < self.tables)
            begin = np.flatnonzero(can)
            if begin.size:
                self._begin_matches(begin, first[begin], who)
            rest = np.flatnonzero(~can)
            if rest.size:
                columns = self.over_at[rest].argmin(axis=1) if begin.size else self.over_at.argmin(axis=1)
                at = self.over_at[rest, columns]
                goes = np.isfinite(at)
                if goes.all():
                    self._end_matches(rest, columns, at, who)
                elif goes.any():
                    self._end_matches(rest[goes], columns[goes], at[goes], who)
                elif not begin.size:
                    break
        stuck = int(np.isnan(self.ends).sum(axis=1).max())
        if stuck:
            raise BadInput("forecast.never_ends", matches=stuck)

    def _begin_matches(self, rows: Ints, index: Ints, who: _SharedPlayers | None) -> None:
        self.ready[rows, index] = False
        at = self.now[rows]
        if self.closed_since.size:
            span = np.searchsorted(self.closed_since, at, side="right") - 1
            at = np.where(span >= 0, np.maximum(at, self.closed_until[span]), at)
        self.begins[rows, index] = at
        column = self.free[rows, self.on_tables - 1 - self.taken[rows]]
        self.over_at[rows, column] = at + self.lasting[rows, index]
        self.holds[rows, column] = index
        self.taken[rows] += 1
        if who is not None:
            who.begin(rows, index)

    def _end_matches(self, rows: Ints, columns: Ints, at: Floats, who: _SharedPlayers | None) -> None:
        index = self.holds[rows, columns]
        self.now[rows] = np.maximum(self.now[rows], at)
        self.over_at[rows, columns] = np.inf
        table = columns < self.on_tables
        back = rows[table]
        self.taken[back] -= 1
        self.free[back, self.on_tables - 1 - self.taken[back]] = columns[table]
        self._finish_matches(rows, index, who)

    def _finish_matches(self, rows: Ints, index: Ints, who: _SharedPlayers | None) -> None:
        """End these matches; matches that waited for them become ready, moments are over at once."""
        while rows.size:
            self.ends[rows, index] = self.now[rows]
            if who is not None:
                who.end(rows, index)
            fan = self.fan[index]
            of = np.repeat(np.arange(rows.size), fan)
            nth = np.arange(of.size) - np.repeat(np.cumsum(fan) - fan, fan)
            to_rows, to = rows[of], self.fan_to[self.fan_from[index][of] + nth]
            np.subtract.at(self.sources, (to_rows, to), 1)
            open_ = (self.sources[to_rows, to] == 0) & np.isnan(self.begins[to_rows, to])
            rows, index = self._release_matches(to_rows[open_], to[open_], who)

    def _release_matches(self, rows: Ints, index: Ints, who: _SharedPlayers | None) -> tuple[Ints, Ints]:
        """Mark matches without open predecessors as ready; return the moments, which are over."""
        moment = self.is_moment[rows, index]
        if not moment.any():
            self._mark_ready(rows, index, who)
            return rows[:0], index[:0]
        self._mark_ready(rows[~moment], index[~moment], who)
        rows, index = rows[moment], index[moment]
        once = np.unique(rows * self.size + index)
        rows, index = once // self.size, once % self.size
        self.begins[rows, index] = self.now[rows]
        delay = self.is_delay[index]
        for row, which in zip(rows[delay], index[delay], strict=True):
            column = self.delays[int(which)]
            self.over_at[row, column] = self.now[row] + self.lasting[row, which]
            self.holds[row, column] = which
        return rows[~delay], index[~delay]

    def _mark_ready(self, rows: Ints, index: Ints, who: _SharedPlayers | None) -> None:
        moment = self.is_moment[rows, index]
        if moment.any():  # at the start of the simulation
            rest = self._release_matches(rows[moment], index[moment], who)
            self._finish_matches(*rest, who)
            rows, index = rows[~moment], index[~moment]
        self.ready[rows, index] = True if who is None else who.mark_ready(rows, index)


class _SharedPlayers:
    """People in more than one entry, and their running matches, separately for each play.

    Entries and people are counted from 1; 0 is none, an unknown entry, or one that shares no person with
    another.
    """

    def __init__(
        self,
        matches: Sequence[ForecastMatch],
        people: Mapping[EntryId, Collection[int]],
        plays: _Simulation,
        chance: np.random.Generator,
    ) -> None:
        self.plays = plays
        entries = {entry: place for place, entry in enumerate(people, 1)}
        persons = {one: place for place, one in enumerate({p for own in people.values() for p in own}, 1)}
        self.of_entry = _pad_lists([[], *([persons[p] for p in own] for own in people.values())])
        others: list[list[int]] = [[] for _ in range(len(persons) + 1)]
        for entry, own in people.items():
            for person in own:
                others[persons[person]].append(entries[entry])
        self.entries_of = _pad_lists(others)
        place = {match.number: index for index, match in enumerate(matches)}
        self.sides: Ints = np.zeros((plays.count, plays.size, 2), dtype=np.intp)
        self.to: Ints = np.full((plays.size, 2, 2), -1)  # target of winner and loser: match and side
        for index, match in enumerate(matches):
            for side, seat in enumerate((match.a, match.b)):
                if isinstance(seat, FeedingMatch):
                    if seat.match in place:
                        self.to[place[seat.match], int(seat.loser)] = (index, side)
                elif seat is not None:
                    self.sides[:, index, side] = entries.get(seat, NO_ENTRY)
        self.one_side: Bools = plays.is_moment
        self.wins: Ints = chance.integers(0, 2, (plays.count, plays.size))
        self.busy = np.zeros((plays.count, len(persons) + 1), dtype=np.int16)  # number of running matches
        self.blocked = np.zeros((plays.count, plays.size), dtype=np.int16)
        self.waits_in: Ints = np.full((plays.count, len(entries) + 1), -1)  # the ready match of an entry

    def mark_ready(self, rows: Ints, index: Ints) -> Bools:
        """Return whether each of these can begin: none of its people plays elsewhere."""
        found = np.zeros(rows.size, dtype=np.int16)
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            known = entry > NO_ENTRY
            self.waits_in[rows[known], entry[known]] = index[known]
            for k in range(self.of_entry.shape[1]):
                found += self.busy[rows, self.of_entry[entry, k]]
        self.blocked[rows, index] = found
        return np.asarray(found == 0)

    def begin(self, rows: Ints, index: Ints) -> None:
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            known = entry > NO_ENTRY
            if known.any():
                self.waits_in[rows[known], entry[known]] = -1
                self._change_busy(rows[known], entry[known], 1)

    def end(self, rows: Ints, index: Ints) -> None:
        one = self.one_side[rows, index]
        wins = self.wins[rows, index]
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            played = (entry > NO_ENTRY) & ~one
            if played.any():
                self._change_busy(rows[played], entry[played], -1)
        alone = self.sides[rows, index].max(axis=1)
        winner = np.where(one, alone, self.sides[rows, index, wins])
        loser = np.where(one, NO_ENTRY, self.sides[rows, index, 1 - wins])
        for which, entry in ((0, winner), (1, loser)):
            to = self.to[index, which]
            goes = to[:, 0] >= 0
            self.sides[rows[goes], to[goes, 0], to[goes, 1]] = entry[goes]

    def _change_busy(self, rows: Ints, entry: Ints, by: int) -> None:
        """Mark the people of these entries busy or free; block or release the matches that wait for them."""
        for k in range(self.of_entry.shape[1]):
            person = self.of_entry[entry, k]
            self.busy[rows, person] += by
            self.busy[rows, NO_ENTRY] = 0
            for n in range(self.entries_of.shape[1]):
                waits = self.waits_in[rows, self.entries_of[person, n]]
                some = (waits >= 0) & (person > NO_ENTRY)
                if some.any():
                    at, held = rows[some], waits[some]
                    self.blocked[at, held] += by
                    self.plays.ready[at, held] = self.blocked[at, held] == 0


def _pad_lists(lists: Sequence[Sequence[int]]) -> Ints:
    found: Ints = np.zeros((len(lists), max(1, *(len(own) for own in lists))), dtype=np.intp)
    for place, own in enumerate(lists):
        found[place, : len(own)] = own
    return found
