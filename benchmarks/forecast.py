"""Measure the forecast of a large bracket: simulating it, calculating it from the database, reading it, and the cost of a call for comparison.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/forecast.py [--entries N] [--tables N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder).
"""

import argparse
import random
import statistics
import time

import numpy as np
from django.utils import timezone
from events import call_command, connection, create, timed

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.hall.durations import estimate_durations
from tournaments.engine.hall.forecast import ForecastMatch
from tournaments.engine.hall.plays import DEFAULT_RUNS, simulate_forecast
from tournaments.engine.types import EntryId
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.forecasts import update_forecast
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, Match
from tournaments.selectors.hall.forecast import load_end_forecast, load_forecast


def processor(action) -> float:
    """Milliseconds of the processor, the least of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        action()
        times.append((time.process_time() - start) * 1000)
    return min(times)


def pure(entries: int, tables: int) -> None:
    """The engine alone."""
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, entries + 1)]))
    matches = [
        ForecastMatch(m.number, 7, tuple(s.match for s in (m.a, m.b) if s.match is not None))
        for m in bracket.matches
    ]
    durations = estimate_durations([], [])
    for table_count in (tables, entries // 2):
        milliseconds = processor(
            lambda table_count=table_count: simulate_forecast(matches, table_count, durations, seed=1)
        )
        print(
            f"engine, {len(matches)} matches on {table_count} tables, {DEFAULT_RUNS} plays: {milliseconds:.0f} ms of processor"
        )


def winners(entries: int) -> None:
    """Who wins: the coins that the plays toss, and exact chances of everybody to reach each round by recursion, which would replace them."""
    rng = np.random.default_rng(1)
    coins_ms = processor(lambda: rng.integers(0, 2, (DEFAULT_RUNS, entries - 1)))
    strength = rng.normal(1500, 150, entries)
    beats = 1 / (1 + 10 ** ((strength[None, :] - strength[:, None]) / 400))

    def recursion() -> None:
        reach = np.ones(entries)
        size = 1
        while size < entries:  # against whom: whoever comes out of the half beside one's own
            groups = np.arange(entries) // size
            reach = reach * (np.where(groups[:, None] ^ 1 == groups[None, :], beats, 0) @ reach)
            size *= 2
        assert abs(reach.sum() - 1) < 1e-9

    print(
        f"winners of {entries}: coins {coins_ms:.1f} ms, exact chances by recursion {processor(recursion):.1f} ms of processor"
    )


def whole(event: Event, label: str) -> None:
    """Worked out from the database and kept, and read by a page."""
    milliseconds = processor(lambda: update_forecast(event_id=event.pk))
    _, queries, _ = timed(lambda: update_forecast(event_id=event.pk))
    events = [Event.objects.select_related("club").get(pk=event.pk) for _ in range(30)]
    end_runs = [timed(lambda loaded=loaded: load_end_forecast(loaded)) for loaded in events[:15]]
    full_runs = [timed(lambda loaded=loaded: load_forecast(loaded)) for loaded in events[15:]]
    forecast = full_runs[-1][2]
    print(
        f"forecast {label}: {milliseconds:.0f} ms of processor, {queries} statements; a page reads all of it in "
        f"{statistics.median(t for t, _, _ in full_runs):.1f} ms, the end alone in {statistics.median(t for t, _, _ in end_runs):.1f} ms; "
        f"{(forecast.ends.median - timezone.now()).total_seconds() / 3600:.1f} h to play, {forecast.seconds_a_point / 60:.1f} min a point"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--tables", type=int, default=64)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    print(f"database: {connection.vendor}")
    pure(options.entries, options.tables)
    winners(options.entries)
    simulation = create(options.entries, random.Random(7))
    today = timezone.now().date()
    Event.objects.update(tables=options.tables, starts_on=today, ends_on=today)
    Match.objects.filter(table__gt=options.tables).update(table=None)
    event = Event.objects.get()
    whole(event, "at the beginning")
    calls, results = [], []
    for _ in range(100):
        milliseconds, queries, called = timed(lambda: call_next(actor=simulation.director, event_id=event.pk))
        calls.append((milliseconds, queries))
        match = called[0]
        claim = simulation.result(match.length, {slot.side: slot.entry for slot in match.slots.all()})
        milliseconds, queries, _ = timed(
            lambda match=match, claim=claim: submit_report(
                actor=simulation.director,
                match_id=match.pk,
                entry=None,
                claim=claim,
                submission_key=f"bench-{match.pk}",
            )
        )
        results.append((milliseconds, queries))
    for name, runs in (("call next", calls), ("one result, more matches than tables", results)):
        print(
            f"{name}: median {statistics.median(t for t, _ in runs):.1f} ms, slowest {max(t for t, _ in runs):.1f} ms, "
            f"{min(q for _, q in runs)}–{max(q for _, q in runs)} statements"
        )
    whole(Event.objects.get(), "after 100 results")


if __name__ == "__main__":
    main()
