"""The forecast of a large bracket and what a call costs in it, at the beginning and in mid-event.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/forecast.py [--entries N] [--tables N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder).
"""

import argparse
import random
import statistics
from datetime import timedelta
from fractions import Fraction

from django.core.cache import cache
from django.utils import timezone
from events import call_command, connection, create, timed

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.hall.forecast import ToPlay, forecast
from tournaments.engine.types import EntryId
from tournaments.hall.services.calling import call_next
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, Match
from tournaments.selectors.hall.forecast import forecast_of, worked_out


def pure(entries: int, tables: int) -> None:
    """The engine alone."""
    bracket = single_elimination(seeded_draw([EntryId(n) for n in range(1, entries + 1)]))
    matches = [
        ToPlay(m.number, 7, tuple(s.match for s in (m.a, m.b) if s.match is not None))
        for m in bracket.matches
    ]
    took = [timed(lambda: forecast(matches, tables, Fraction(480)))[0] for _ in range(15)]
    print(f"engine, {len(matches)} matches: {statistics.median(took):.1f} ms")


def whole(event: Event, when: str) -> None:
    """From the database, and from the cache."""
    fresh = [timed(lambda: worked_out(event, timezone.now())) for _ in range(9)]
    cache.clear()
    now = timezone.now()
    forecast_of(event, now)
    times = [timed(lambda: forecast_of(event, now))[0] for _ in range(15)]
    found = fresh[-1][2]
    print(
        f"forecast {when}: {statistics.median(t for t, _, _ in fresh):.0f} ms, {fresh[-1][1]} statements, "
        f"within the minute {statistics.median(times):.2f} ms; {(found.ends - now) / timedelta(hours=1):.1f} h to play, "
        f"{found.seconds_a_point / 60:.1f} min a point"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--tables", type=int, default=64)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    print(f"database: {connection.vendor}")
    pure(options.entries, options.tables)
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
