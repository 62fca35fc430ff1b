"""Simulation of the rest of an event, many times: ready matches go to the next free table.

Every run has its own sampled pace, and every match its own random duration (`durations`) in each; a running
match lasts longer than it has so far. Either side wins with equal chance: strength would only affect who is
in two divisions at once. Players of a running match begin no other match; the next one gets the table
instead. No match begins while the hall is closed.

All runs advance together, one match of each at a time: every step is a few operations over all runs, and
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
    runs: int = DEFAULT_RUNS,
    closed: Sequence[ClosedPeriod] = (),
    people: Mapping[EntryId, Collection[int]] | None = None,
) -> Forecast:
    """Return when the matches will probably begin and end on so many tables, by simulating `runs` runs.

    Of ready matches, those given first begin first. ``closed``: times in which no match begins; ``people``:
    the people behind entries, for those who are in more than one entry. The same ``seed`` gives the same
    forecast. Raises ``BadInput`` without tables, or for matches that wait for each other.
    """
    if tables < 1:
        raise BadInput("forecast.no_tables", tables=tables)
    if not matches:
        empty_band = ForecastBand(0, 0, 0, 0, 0)
        return Forecast({}, {}, empty_band)
    chance = np.random.default_rng(seed)
    simulation = _Simulation(matches, tables, _sample_durations(matches, durations, chance, runs), closed)
    shared_players = _SharedPlayers(matches, people, simulation, chance) if people else None
    simulation.run(shared_players)
    numbers = [match.number for match in matches]
    return Forecast(
        dict(zip(numbers, _bands(simulation.begins), strict=True)),
        dict(zip(numbers, _bands(simulation.ends), strict=True)),
        _bands(simulation.ends.max(axis=1, keepdims=True))[0],
    )


def _bands(times: Floats) -> list[ForecastBand]:
    cuts = np.quantile(times, QUANTILES, axis=0)
    return [ForecastBand(*map(int, band)) for band in np.rint(cuts).astype(int).T]


def _sample_durations(
    matches: Sequence[ForecastMatch], durations: Durations, chance: np.random.Generator, runs: int
) -> Floats:
    """Return random durations: a row for each run, a column for each match.

    For a running match it is the remaining time; 0 means that the match does not take place in the run.
    """
    pace, spread = durations.sample(chance, runs)
    lengths = np.array([match.length for match in matches], dtype=float)
    log_lengths = np.log(np.maximum(lengths, 1)) + durations.more([match.length for match in matches])
    means = pace[:, None] + log_lengths[None, :]
    z = chance.standard_normal((runs, len(matches)))
    elapsed = np.array([float(match.running_seconds or 0) for match in matches])
    running = np.flatnonzero(elapsed >= 1)
    if running.size:
        lower_bounds = to_normal(np.log(elapsed[running])[None, :] - means[:, running]) / spread[:, None]
        z[:, running] = sample_above(chance, lower_bounds)
    seconds = np.exp(means + from_normal(spread[:, None] * z)) - elapsed[None, :]
    seconds = np.maximum(seconds, 1.0)
    seconds[:, lengths == 0] = np.array([match.waits for match in matches if not match.length], dtype=float)
    uncertain = np.flatnonzero([match.is_second_final and match.running_seconds is None for match in matches])
    if uncertain.size:
        seconds[:, uncertain] *= chance.integers(0, 2, (runs, uncertain.size))
    for index, match in enumerate(matches):
        if match.run_mask:
            seconds[:, index] *= np.resize(np.frombuffer(match.run_mask, dtype=np.uint8), runs) > 0
    return np.asarray(seconds)


class _Simulation:
    """All simulated runs side by side: arrays with a row for each run, a column for each match or table."""

    def __init__(
        self, matches: Sequence[ForecastMatch], tables: int, durations: Floats, closed: Sequence[ClosedPeriod]
    ) -> None:
        self.count, self.size = durations.shape
        self.rows: Ints = np.arange(self.count)
        self.durations = durations
        index_by_number = {match.number: index for index, match in enumerate(matches)}
        predecessors = [
            [index_by_number[number] for number in set(match.after) if number in index_by_number]
            for match in matches
        ]
        self.first_ready = [index for index, sources in enumerate(predecessors) if not sources]
        self.running = [index for index, match in enumerate(matches) if match.running_seconds is not None]
        moments = np.array([match.length == 0 for match in matches])
        self.is_delay: Bools = moments & np.array([match.waits > 0 for match in matches])
        # A match that does not take place in a play is a moment there: it takes no table.
        self.is_moment: Bools = moments | (durations == 0)
        followers: list[list[int]] = [[] for _ in matches]
        for index, sources in enumerate(predecessors):
            for source in sources:
                followers[source].append(index)
        self.follower_counts: Ints = np.array([len(group) for group in followers])
        self.follower_offsets: Ints = np.concatenate([[0], np.cumsum(self.follower_counts)[:-1]]).astype(
            np.intp
        )
        self.follower_indices: Ints = np.array(
            [index for group in followers for index in group], dtype=np.intp
        )
        self.sources = np.tile(
            np.array([len(group) for group in predecessors], dtype=np.int32), (self.count, 1)
        )
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
        self.match_at_table: Ints = np.zeros((self.count, columns), dtype=np.intp)
        self.taken: Ints = np.full(self.count, len(self.running))
        self.free_tables: Ints = np.tile(
            np.arange(on_tables)[::-1], (self.count, 1)
        )  # a stack: the last ones are taken

    def run(self, who: _SharedPlayers | None) -> None:
        for column, index in enumerate(self.running):
            self.begins[:, index] = 0
            self.over_at[:, column] = self.durations[:, index]
            self.match_at_table[:, column] = index
            if who is not None:
                who.begin(self.rows, np.full(self.count, index))
        running = set(self.running)
        for index in self.first_ready:
            if index not in running:
                self._mark_ready(self.rows, np.full(self.count, index), who)
        while True:
            candidates = self.ready.argmax(axis=1)
            can_begin = self.ready[self.rows, candidates] & (self.taken < self.tables)
            beginning_rows = np.flatnonzero(can_begin)
            if beginning_rows.size:
                self._begin_matches(beginning_rows, candidates[beginning_rows], who)
            other_rows = np.flatnonzero(~can_begin)
            if other_rows.size:
                columns = (
                    self.over_at[other_rows].argmin(axis=1)
                    if beginning_rows.size
                    else self.over_at.argmin(axis=1)
                )
                end_times = self.over_at[other_rows, columns]
                is_ending = np.isfinite(end_times)
                if is_ending.all():
                    self._end_matches(other_rows, columns, end_times, who)
                elif is_ending.any():
                    self._end_matches(other_rows[is_ending], columns[is_ending], end_times[is_ending], who)
                elif not beginning_rows.size:
                    break
        stuck_count = int(np.isnan(self.ends).sum(axis=1).max())
        if stuck_count:
            raise BadInput("forecast.never_ends", matches=stuck_count)

    def _begin_matches(self, rows: Ints, index: Ints, shared_players: _SharedPlayers | None) -> None:
        self.ready[rows, index] = False
        begin_times = self.now[rows]
        if self.closed_since.size:
            span = np.searchsorted(self.closed_since, begin_times, side="right") - 1
            begin_times = np.where(span >= 0, np.maximum(begin_times, self.closed_until[span]), begin_times)
        self.begins[rows, index] = begin_times
        column = self.free_tables[rows, self.on_tables - 1 - self.taken[rows]]
        self.over_at[rows, column] = begin_times + self.durations[rows, index]
        self.match_at_table[rows, column] = index
        self.taken[rows] += 1
        if shared_players is not None:
            shared_players.begin(rows, index)

    def _end_matches(
        self, rows: Ints, columns: Ints, end_times: Floats, shared_players: _SharedPlayers | None
    ) -> None:
        index = self.match_at_table[rows, columns]
        self.now[rows] = np.maximum(self.now[rows], end_times)
        self.over_at[rows, columns] = np.inf
        is_table = columns < self.on_tables
        freed_rows = rows[is_table]
        self.taken[freed_rows] -= 1
        self.free_tables[freed_rows, self.on_tables - 1 - self.taken[freed_rows]] = columns[is_table]
        self._finish_matches(rows, index, shared_players)

    def _finish_matches(self, rows: Ints, index: Ints, shared_players: _SharedPlayers | None) -> None:
        """End these matches (``index``) of these runs (``rows``) at their present time.

        Matches that waited for them become ready; moments that waited for them are over at once.
        """
        while rows.size:
            self.ends[rows, index] = self.now[rows]
            if shared_players is not None:
                shared_players.end(rows, index)
            follower_counts = self.follower_counts[index]
            source_index = np.repeat(np.arange(rows.size), follower_counts)
            offsets = np.arange(source_index.size) - np.repeat(
                np.cumsum(follower_counts) - follower_counts, follower_counts
            )
            follower_rows, followers = (
                rows[source_index],
                self.follower_indices[self.follower_offsets[index][source_index] + offsets],
            )
            np.subtract.at(self.sources, (follower_rows, followers), 1)
            is_released = (self.sources[follower_rows, followers] == 0) & np.isnan(
                self.begins[follower_rows, followers]
            )
            rows, index = self._release_matches(
                follower_rows[is_released], followers[is_released], shared_players
            )

    def _release_matches(
        self, rows: Ints, index: Ints, shared_players: _SharedPlayers | None
    ) -> tuple[Ints, Ints]:
        """Mark matches whose predecessors are over as ready.

        Returns the moments among them that are over at once, as rows and indices.
        """
        is_moment = self.is_moment[rows, index]
        if not is_moment.any():
            self._mark_ready(rows, index, shared_players)
            return rows[:0], index[:0]
        self._mark_ready(rows[~is_moment], index[~is_moment], shared_players)
        rows, index = rows[is_moment], index[is_moment]
        unique_keys = np.unique(rows * self.size + index)
        rows, index = unique_keys // self.size, unique_keys % self.size
        self.begins[rows, index] = self.now[rows]
        is_delay = self.is_delay[index]
        for row, match_index in zip(rows[is_delay], index[is_delay], strict=True):
            column = self.delays[int(match_index)]
            self.over_at[row, column] = self.now[row] + self.durations[row, match_index]
            self.match_at_table[row, column] = match_index
        return rows[~is_delay], index[~is_delay]

    def _mark_ready(self, rows: Ints, index: Ints, shared_players: _SharedPlayers | None) -> None:
        is_moment = self.is_moment[rows, index]
        if is_moment.any():  # at the start of the simulation
            released = self._release_matches(rows[is_moment], index[is_moment], shared_players)
            self._finish_matches(*released, shared_players)
            rows, index = rows[~is_moment], index[~is_moment]
        self.ready[rows, index] = True if shared_players is None else shared_players.mark_ready(rows, index)


class _SharedPlayers:
    """The people who are in more than one entry, and the matches that they are playing, for each run.

    Entries and people are counted from 1; 0 is none, an unknown entry, or one that shares no person with
    another.
    """

    def __init__(
        self,
        matches: Sequence[ForecastMatch],
        people: Mapping[EntryId, Collection[int]],
        simulation: _Simulation,
        chance: np.random.Generator,
    ) -> None:
        self.plays = simulation
        entries = {entry: place for place, entry in enumerate(people, 1)}
        persons = {
            member: place
            for place, member in enumerate({p for members in people.values() for p in members}, 1)
        }
        self.people_by_entry = _pad_lists(
            [[], *([persons[p] for p in members] for members in people.values())]
        )
        entries_by_person: list[list[int]] = [[] for _ in range(len(persons) + 1)]
        for entry, members in people.items():
            for person in members:
                entries_by_person[persons[person]].append(entries[entry])
        self.entries_by_person = _pad_lists(entries_by_person)
        index_by_number = {match.number: index for index, match in enumerate(matches)}
        self.sides: Ints = np.zeros((simulation.count, simulation.size, 2), dtype=np.intp)
        self.to: Ints = np.full((simulation.size, 2, 2), -1)  # target of winner and loser: match and side
        for index, match in enumerate(matches):
            for side, seat in enumerate((match.a, match.b)):
                if isinstance(seat, FeedingMatch):
                    if seat.match in index_by_number:
                        self.to[index_by_number[seat.match], int(seat.loser)] = (index, side)
                elif seat is not None:
                    self.sides[:, index, side] = entries.get(seat, NO_ENTRY)
        self.one_side: Bools = simulation.is_moment
        self.wins: Ints = chance.integers(0, 2, (simulation.count, simulation.size))
        self.busy = np.zeros(
            (simulation.count, len(persons) + 1), dtype=np.int16
        )  # number of running matches
        self.blocked = np.zeros((simulation.count, simulation.size), dtype=np.int16)
        self.ready_match_by_entry: Ints = np.full(
            (simulation.count, len(entries) + 1), -1
        )  # the ready match of an entry

    def mark_ready(self, rows: Ints, index: Ints) -> Bools:
        """Return for each of these matches whether it can begin: none of its people plays elsewhere.

        The matches are recorded as waiting for their people.
        """
        busy_counts = np.zeros(rows.size, dtype=np.int16)
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            is_known = entry > NO_ENTRY
            self.ready_match_by_entry[rows[is_known], entry[is_known]] = index[is_known]
            for k in range(self.people_by_entry.shape[1]):
                busy_counts += self.busy[rows, self.people_by_entry[entry, k]]
        self.blocked[rows, index] = busy_counts
        return np.asarray(busy_counts == 0)

    def begin(self, rows: Ints, index: Ints) -> None:
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            is_known = entry > NO_ENTRY
            if is_known.any():
                self.ready_match_by_entry[rows[is_known], entry[is_known]] = -1
                self._change_busy(rows[is_known], entry[is_known], 1)

    def end(self, rows: Ints, index: Ints) -> None:
        is_one_sided = self.one_side[rows, index]
        wins = self.wins[rows, index]
        for side in (0, 1):
            entry = self.sides[rows, index, side]
            has_played = (entry > NO_ENTRY) & ~is_one_sided
            if has_played.any():
                self._change_busy(rows[has_played], entry[has_played], -1)
        only_entry = self.sides[rows, index].max(axis=1)
        winner = np.where(is_one_sided, only_entry, self.sides[rows, index, wins])
        loser = np.where(is_one_sided, NO_ENTRY, self.sides[rows, index, 1 - wins])
        for outcome, entry in ((0, winner), (1, loser)):
            targets = self.to[index, outcome]
            has_target = targets[:, 0] >= 0
            self.sides[rows[has_target], targets[has_target, 0], targets[has_target, 1]] = entry[has_target]

    def _change_busy(self, rows: Ints, entry: Ints, change: int) -> None:
        """Add ``change`` to the number of running matches of the people behind these entries.

        Ready matches that wait for these people are blocked or released.
        """
        for k in range(self.people_by_entry.shape[1]):
            person = self.people_by_entry[entry, k]
            self.busy[rows, person] += change
            self.busy[rows, NO_ENTRY] = 0
            for n in range(self.entries_by_person.shape[1]):
                waiting = self.ready_match_by_entry[rows, self.entries_by_person[person, n]]
                is_waiting = (waiting >= 0) & (person > NO_ENTRY)
                if is_waiting.any():
                    waiting_rows, waiting_matches = rows[is_waiting], waiting[is_waiting]
                    self.blocked[waiting_rows, waiting_matches] += change
                    self.plays.ready[waiting_rows, waiting_matches] = (
                        self.blocked[waiting_rows, waiting_matches] == 0
                    )


def _pad_lists(lists: Sequence[Sequence[int]]) -> Ints:
    padded: Ints = np.zeros((len(lists), max(1, *(len(values) for values in lists))), dtype=np.intp)
    for place, values in enumerate(lists):
        padded[place, : len(values)] = values
    return padded
