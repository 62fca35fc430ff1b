"""Measure how accurate the forecast is, for events whose end is known, after 10, 25, 50 and 75 % of their matches.

    .venv/bin/python benchmarks/forecast_accuracy.py [--events N] [--seed N]

Needs no database. The events are played by a separate loop that shares nothing with the forecast: single eliminations of 32, 64 and 128 on
as many tables as the first round needs or half of them, matches to 7, with durations that are lognormal or gamma with a coefficient of
variation of 0.25 to 0.45 around a hidden pace of 6 to 10.5 minutes per point. The site knows no earlier events.
Then the plan of an evening is measured: before the first match, as the page *How long will it take?* asks, and again after a third and two
thirds of its matches, as the board and displays do. The evenings have 12 to 64 entries at clubs with different paces, for which the site
knows the five previous evenings; evenings of one club differ by a tenth.
Then Swiss events with 2, 3 or 4 lives and 16, 32 or 64 entries are played until one is left, by a loop that pairs and times them itself.
Target: after 25 % a mean error of at most 10 % of the event's length, and 85 to 95 of 100 ends within the 90 % bands, also for evenings.
"""

import argparse
import itertools
import math
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.hall.durations import (
    LengthStatistics,
    TimedMatch,
    duration_statistics,
    estimate_durations,
)
from tournaments.engine.hall.forecast import FeedingMatch, ForecastBand, ForecastMatch
from tournaments.engine.hall.lives import future_rounds
from tournaments.engine.hall.plays import simulate_forecast
from tournaments.engine.types import EntryId, MatchNo

SIZES = (32, 64, 128)
SHARES = (0.10, 0.25, 0.50, 0.75)
MOMENTS = (0, 1 / 3, 2 / 3)
WANTED_ERROR = 0.10
WANTED_BAND = (0.85, 0.95)


@dataclass(frozen=True)
class Match:
    number: MatchNo
    length: int
    sources: tuple[MatchNo, ...]


def matches_of(entries: int) -> list[Match]:
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, entries + 1)]))
    return [
        Match(
            m.number,
            7,
            tuple(s.match for s in (m.a, m.b) if s.match is not None),
        )
        for m in bracket.matches
    ]


def lasts(rng: random.Random, length: int, minutes: float, cv: float, *, gamma: bool) -> float:
    """Seconds, with the mean of so many minutes a point."""
    mean = length * minutes * 60
    if gamma:
        shape = 1 / cv**2
        return rng.gammavariate(shape, mean / shape)
    spread = math.sqrt(math.log(1 + cv**2))
    return rng.lognormvariate(math.log(mean) - spread**2 / 2, spread)


def played(
    matches: list[Match], tables: int, durations: dict[MatchNo, float]
) -> dict[MatchNo, tuple[float, float]]:
    """When each match begins and ends, first come, first served."""
    open_sources = {m.number: set(m.sources) for m in matches}
    ready = sorted(m.number for m in matches if not m.sources)
    running: list[tuple[float, MatchNo]] = []
    times: dict[MatchNo, tuple[float, float]] = {}
    now = 0.0
    while ready or running:
        while ready and len(running) < tables:
            number = ready.pop(0)
            times[number] = (now, now + durations[number])
            heappush(running, (now + durations[number], number))
        now, finished_number = heappop(running)
        for m in matches:
            if finished_number in open_sources[m.number]:
                open_sources[m.number].remove(finished_number)
                if not open_sources[m.number]:
                    ready.append(m.number)
    return times


def forecast_at(
    matches: list[Match],
    tables: int,
    times: dict[MatchNo, tuple[float, float]],
    now: float,
    earlier_statistics: Sequence[Mapping[int, LengthStatistics]] = (),
) -> ForecastBand:
    """The forecast at a moment, from what is known then, and of ``earlier_statistics`` evenings of the club."""
    lengths = {m.number: m.length for m in matches}
    finished = [TimedMatch(lengths[n], end - begin) for n, (begin, end) in times.items() if end <= now]
    elapsed = {n: now - begin for n, (begin, end) in times.items() if begin <= now < end}
    slots = {m.number: [*map(FeedingMatch, m.sources), None, None] for m in matches}
    order = {n: (begin if begin <= now else math.inf, n) for n, (begin, _end) in times.items()}
    to_play = [
        ForecastMatch(
            m.number,
            m.length,
            m.sources,
            running_seconds=int(elapsed[m.number]) if m.number in elapsed else None,
            a=slots[m.number][0],
            b=slots[m.number][1],
        )
        for m in sorted(matches, key=lambda m: order[m.number])
        if times[m.number][1] > now
    ]
    durations = estimate_durations(
        finished, [TimedMatch(lengths[n], so_far) for n, so_far in elapsed.items()], earlier_statistics
    )
    return simulate_forecast(to_play, tables, durations, seed=1).over


def evening(rng: random.Random, size: int, minutes: float, cv: float) -> tuple[list[Match], int, dict]:
    """A club night of one pace, played."""
    matches, tables = matches_of(size), max(2, rng.choice((size // 2, size // 3, size // 4)))
    pace, gamma = minutes * math.exp(rng.gauss(0, 0.1)), rng.random() < 0.5
    durations = {m.number: lasts(rng, m.length, pace, cv, gamma=gamma) for m in matches}
    return matches, tables, played(matches, tables, durations)


def evenings(rng: random.Random, count: int) -> bool:
    """How far off the plan of an evening is, and how often its band holds, at each moment of it; whether that is as wanted."""
    errors: dict[float, list[float]] = defaultdict(list)
    bias_minutes: dict[float, list[float]] = defaultdict(list)
    band_hits: dict[float, list[bool]] = defaultdict(list)
    for _ in range(count):
        cv, minutes = rng.uniform(0.25, 0.45), math.exp(rng.uniform(math.log(6), math.log(10.5)))
        earlier_statistics = []
        for _ in range(5):
            matches, _tables, times = evening(rng, rng.randint(12, 64), minutes, cv)
            lengths = {m.number: m.length for m in matches}
            earlier_statistics.append(
                duration_statistics(TimedMatch(lengths[n], end - begin) for n, (begin, end) in times.items())
            )
        matches, tables, times = evening(rng, rng.randint(12, 64), minutes, cv)
        end_times = sorted(end_time for _, end_time in times.values())
        end = end_times[-1]
        for share in MOMENTS:
            now = end_times[round(share * len(matches)) - 1] if share else -1.0
            forecast_band = forecast_at(matches, tables, times, now, earlier_statistics)
            now = max(now, 0.0)
            errors[share].append(abs(now + forecast_band.median - end) / end)
            bias_minutes[share].append((now + forecast_band.median - end) / 60)
            band_hits[share].append(now + forecast_band.first <= end <= now + forecast_band.last)
    print(f"{count} evenings of clubs that are known")
    for share in MOMENTS:
        print(
            f"{f'{share:.0%} played' if share else 'before the first match':>22}: median error {statistics.median(errors[share]):.1%} of the length,"
            f" mean {statistics.mean(errors[share]):.1%}, foretold less real {statistics.mean(bias_minutes[share]):+.0f} min,"
            f" bands of 90 % held {statistics.mean(band_hits[share]):.1%}"
        )
    hit_rate = statistics.mean(hit for share in MOMENTS for hit in band_hits[share])
    return WANTED_BAND[0] <= hit_rate <= WANTED_BAND[1]


def events(rng: random.Random, count: int) -> None:
    """Events of which nothing is known before; ``count`` of each size."""
    errors: dict[tuple[int, float], list[float]] = defaultdict(list)
    bias_minutes: dict[tuple[int, float], list[float]] = defaultdict(list)
    band_hits: dict[float, list[bool]] = defaultdict(list)
    half_band_hits: dict[float, list[bool]] = defaultdict(list)
    cpu_start = time.process_time()
    for size in SIZES:
        matches = matches_of(size)
        for _ in range(count):
            cv, minutes = rng.uniform(0.25, 0.45), math.exp(rng.uniform(math.log(6), math.log(10.5)))
            gamma, tables = rng.random() < 0.5, rng.choice((size // 2, size // 4))
            durations = {m.number: lasts(rng, m.length, minutes, cv, gamma=gamma) for m in matches}
            times = played(matches, tables, durations)
            end = max(end_time for _, end_time in times.values())
            end_times = sorted(end_time for _, end_time in times.values())
            for share in SHARES:
                now = end_times[round(share * len(matches)) - 1]
                forecast_band = forecast_at(matches, tables, times, now)
                errors[size, share].append(abs(now + forecast_band.median - end) / end)
                bias_minutes[size, share].append((now + forecast_band.median - end) / 60)
                band_hits[share].append(now + forecast_band.first <= end <= now + forecast_band.last)
                half_band_hits[share].append(
                    now + forecast_band.percentile_25 <= end <= now + forecast_band.late
                )
    print(f"{count} events of each size, {time.process_time() - cpu_start:.0f} s of processor")
    print("of the matches   entries   mean error, of the event's length   mean of foretold less real")
    for share in SHARES:
        for size in SIZES:
            print(
                f"{share:14.0%}   {size:7}   {statistics.mean(errors[size, share]):33.1%}"
                f"   {statistics.mean(bias_minutes[size, share]):+17.0f} min"
            )
        all_errors = [error for size in SIZES for error in errors[size, share]]
        print(
            f"{share:14.0%}       all   {statistics.mean(all_errors):33.1%}   bands: of 90 % {statistics.mean(band_hits[share]):.1%},"
            f" of 50 % {statistics.mean(half_band_hits[share]):.1%}"
        )
    error = statistics.mean(error for size in SIZES for error in errors[size, 0.25])
    hit_rate = statistics.mean(hit for share in SHARES for hit in band_hits[share])
    is_good = error <= WANTED_ERROR and WANTED_BAND[0] <= hit_rate <= WANTED_BAND[1]
    print(
        f"at 25 %: {error:.1%} (wanted {WANTED_ERROR:.0%}); bands of 90 % held {hit_rate:.1%} (wanted 85–95 %): "
        f"{'good' if is_good else 'NOT AS WANTED'}"
    )


@dataclass
class Lives:
    """An evening with lives: each round with its pairs, and when each of its matches begins and ends."""

    lives: int
    entries: int
    tables: int
    rounds: list[list[tuple[tuple[int, int], int, float, float]]]  # pair, who lost, begin, end


def evening_of_lives(rng: random.Random, entries: int, lives: int, minutes: float, cv: float) -> Lives:
    lives_left = dict.fromkeys(range(entries), lives)
    tables, gamma, now = rng.choice((entries // 2, entries // 4)), rng.random() < 0.5, 0.0
    rounds = []
    while len(lives_left) > 1:
        order = sorted(lives_left, key=lambda entry: (-lives_left[entry], rng.random()))
        free_at, round_matches = [now] * tables, []
        for pair in zip(order[::2], order[1::2], strict=False):
            start = min(free_at)
            end = start + lasts(rng, 7, minutes, cv, gamma=gamma)
            free_at[free_at.index(start)] = end
            loser = rng.choice(pair)
            lives_left[loser] -= 1
            if not lives_left[loser]:
                del lives_left[loser]
            round_matches.append((pair, loser, start, end))
        now = max(end for _pair, _loser, _begin, end in round_matches)
        rounds.append(round_matches)
    return Lives(lives, entries, tables, rounds)


def forecast_of_lives(event: Lives, now: float) -> ForecastBand:
    """The forecast from what is known at a moment."""
    lives_left = dict.fromkeys(range(event.entries), event.lives)
    finished, underway, to_play, pending = [], [], [], []
    numbers = itertools.count(1)
    for matches in event.rounds:
        if min(begin for _pair, _loser, begin, _end in matches) > now and to_play == [] and finished:
            break
        for pair, loser, begin, end in matches:
            if end <= now:
                finished.append(TimedMatch(7, end - begin))
                lives_left[loser] -= 1
            else:
                pending.append(pair)
                elapsed = now - begin if begin <= now else None
                if elapsed is not None:
                    underway.append(TimedMatch(7, elapsed))
                to_play.append(
                    ForecastMatch(
                        MatchNo(next(numbers)), 7, running_seconds=None if elapsed is None else int(elapsed)
                    )
                )
        if to_play:
            break
    alive = [entry for entry, count in lives_left.items() if count > 0]
    index_by_entry = {entry: index for index, entry in enumerate(alive)}
    rounds = future_rounds(
        [lives_left[entry] for entry in alive],
        [(index_by_entry[a], index_by_entry[b]) for a, b in pending],
        lambda _number: 7,
        numbers,
        predecessors=tuple(match.number for match in to_play),
        seed=1,
        runs=300,
    )
    to_play.sort(key=lambda match: match.running_seconds is None)
    return simulate_forecast(
        [*to_play, *itertools.chain(*rounds)], event.tables, estimate_durations(finished, underway), seed=1
    ).over


def events_of_lives(rng: random.Random, count: int) -> bool:
    """How far off the forecast of events with lives is, and how often its band holds; whether that is as wanted."""
    is_good = True
    print(f"{count} events of each number of lives and entries, played until one is left")
    for lives in (2, 3, 4):
        errors: dict[float, list[float]] = defaultdict(list)
        band_hits: dict[float, list[bool]] = defaultdict(list)
        biases: list[float] = []
        for size in (16, 32, 64):
            for _ in range(count):
                cv, minutes = (
                    rng.uniform(0.25, 0.45),
                    math.exp(rng.uniform(math.log(6), math.log(10.5))),
                )
                event = evening_of_lives(rng, size, lives, minutes, cv)
                end_times = sorted(end for matches in event.rounds for *_, end in matches)
                end = end_times[-1]
                for share in (0.25, 0.50, 0.75):
                    now = end_times[round(share * len(end_times)) - 1]
                    band = forecast_of_lives(event, now)
                    errors[share].append(abs(now + band.median - end) / end)
                    band_hits[share].append(now + band.first <= end <= now + band.last)
                    biases.append((now + band.median - end) / end)
        for share, share_errors in errors.items():
            print(
                f"{lives} lives, {share:4.0%} played: mean error {statistics.mean(share_errors):.1%} of the length,"
                f" bands of 90 % held {statistics.mean(band_hits[share]):.1%}"
            )
        hit_rate = statistics.mean(hit for hits in band_hits.values() for hit in hits)
        print(
            f"{lives} lives: foretold less real {statistics.mean(biases):+.1%}, bands of 90 % held {hit_rate:.1%}"
        )
        is_good &= (
            statistics.mean(errors[0.25]) <= WANTED_ERROR and WANTED_BAND[0] <= hit_rate <= WANTED_BAND[1]
        )
    return is_good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--events", type=int, default=120, help="number of events of each size; 0 for evenings only"
    )
    parser.add_argument(
        "--evenings", type=int, default=300, help="number of evenings, measured from before the first match"
    )
    parser.add_argument(
        "--lives", type=int, default=34, help="number of events for each number of lives and size"
    )
    parser.add_argument(
        "--kinds",
        type=int,
        default=0,
        help="only measure this many events of each kind of stage, played by the services",
    )
    parser.add_argument("--only", default="", help="with --kinds: only kinds whose names contain this")
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    if options.kinds:
        from forecast_kinds import kinds  # sets Django up

        sys.exit(0 if kinds(options.kinds, options.seed, options.only) else 1)
    if options.events:
        events(random.Random(options.seed), options.events)
    as_wanted = evenings(random.Random(options.seed), options.evenings)
    print(f"plan and band of evenings: {'good' if as_wanted else 'NOT AS WANTED'}")
    if options.lives:
        lives_as_wanted = events_of_lives(random.Random(options.seed), options.lives)
        print(f"with lives: {'good' if lives_as_wanted else 'NOT AS WANTED'}")
        as_wanted = as_wanted and lives_as_wanted
    sys.exit(0 if as_wanted else 1)


if __name__ == "__main__":
    main()
