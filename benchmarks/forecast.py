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
    found = []
    for _ in range(3):
        began = time.process_time()
        action()
        found.append((time.process_time() - began) * 1000)
    return min(found)


def pure(entries: int, tables: int) -> None:
    """The engine alone."""
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, entries + 1)]))
    matches = [
        ForecastMatch(m.number, 7, tuple(s.match for s in (m.a, m.b) if s.match is not None))
        for m in bracket.matches
    ]
    known = estimate_durations([], [])
    for hall in (tables, entries // 2):
        took = processor(lambda hall=hall: simulate_forecast(matches, hall, known, seed=1))
        print(
            f"engine, {len(matches)} matches on {hall} tables, {DEFAULT_RUNS} plays: {took:.0f} ms of processor"
        )


def winners(entries: int) -> None:
    """Who wins: the coins that the plays toss, and exact chances of everybody to reach each round by recursion, which would replace them."""
    chance = np.random.default_rng(1)
    coins = processor(lambda: chance.integers(0, 2, (DEFAULT_RUNS, entries - 1)))
    strength = chance.normal(1500, 150, entries)
    beats = 1 / (1 + 10 ** ((strength[None, :] - strength[:, None]) / 400))

    def recursion() -> None:
        reach = np.ones(entries)
        size = 1
        while size < entries:  # against whom: whoever comes out of the half beside one's own
            own = np.arange(entries) // size
            reach = reach * (np.where(own[:, None] ^ 1 == own[None, :], beats, 0) @ reach)
            size *= 2
        assert abs(reach.sum() - 1) < 1e-9

    print(
        f"winners of {entries}: coins {coins:.1f} ms, exact chances by recursion {processor(recursion):.1f} ms of processor"
    )


def whole(event: Event, when: str) -> None:
    """Worked out from the database and kept, and read by a page."""
    took = processor(lambda: update_forecast(event_id=event.pk))
    _, queries, _ = timed(lambda: update_forecast(event_id=event.pk))
    fresh = [Event.objects.select_related("club").get(pk=event.pk) for _ in range(30)]
    end = [timed(lambda one=one: load_end_forecast(one)) for one in fresh[:15]]
    read = [timed(lambda one=one: load_forecast(one)) for one in fresh[15:]]
    found = read[-1][2]
    print(
        f"forecast {when}: {took:.0f} ms of processor, {queries} statements; a page reads all of it in "
        f"{statistics.median(t for t, _, _ in read):.1f} ms, the end alone in {statistics.median(t for t, _, _ in end):.1f} ms; "
        f"{(found.ends.median - timezone.now()).total_seconds() / 3600:.1f} h to play, {found.seconds_a_point / 60:.1f} min a point"
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
    for name, took in (("call next", calls), ("one result, more matches than tables", results)):
        print(
            f"{name}: median {statistics.median(t for t, _ in took):.1f} ms, slowest {max(t for t, _ in took):.1f} ms, "
            f"{min(q for _, q in took)}–{max(q for _, q in took)} statements"
        )
    whole(Event.objects.get(), "after 100 results")


if __name__ == "__main__":
    main()
