"""Measure a large event: creating and drawing it, entering a result, and its pages with and without a change.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/events.py [--entries N] [--results N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Pages are requested through Django's
test client, so the figures are the site's own time without a web server or network.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
FOLDER = tempfile.TemporaryDirectory(prefix="crawford-bench-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER.name}/bench.sqlite3")
os.environ.setdefault("CRAWFORD_VAR", FOLDER.name)

import django

django.setup()

import random

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.actors import Actor
from tournaments.checks.simulation import Simulation, new_event, people_names
from tournaments.engine.new_entry import NewEntry
from tournaments.events.services.events import EventDetails
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import submit_report
from tournaments.models import Match
from tournaments.site.services.clubs import create_club_with_list


def timed(call):
    """Milliseconds, statements and result of one call."""
    with CaptureQueriesContext(connection) as captured:
        start = time.perf_counter()
        result = call()
        milliseconds = 1000 * (time.perf_counter() - start)
    return milliseconds, len(captured), result


def create(entries: int, rng: random.Random) -> Simulation:
    """Create the event and enter players, draw and publish; print what each took."""
    director = Actor.program()
    club = create_club_with_list(actor=director, name="Benchmark")
    today = date(2026, 11, 21)
    names = people_names(entries, rng)

    def make():
        return new_event(
            club=club,
            director=director,
            details=EventDetails(name="Large open", starts_on=today, ends_on=today, tables=512),
            stage=StageDetails(lengths=[5, 5, 7, 9]),
            entries=[NewEntry(name=name) for name in names],
            rng=rng,
        )

    enter_ms, statements, simulation = timed(make)
    draw_ms, draw_statements, _ = timed(lambda: simulation.draw(1))
    print(f"create event, enter {entries}: {enter_ms:.0f} ms, {statements} statements")
    print(f"draw and publish {entries}: {draw_ms:.0f} ms, {draw_statements} statements")
    print(f"both: {(enter_ms + draw_ms) / 1000:.2f} s (limit 2 s)")
    return simulation


def results(simulation: Simulation, count: int) -> None:
    """The director records ``count`` results one after the other."""
    times, statements = [], []
    while len(times) < count and (matches := simulation.playable()):
        for match in matches[: count - len(times)]:
            claim = simulation.result(match.length, {slot.side: slot.entry for slot in match.slots.all()})

            def report(match: Match = match, claim=claim):
                return submit_report(
                    actor=simulation.director,
                    match_id=match.pk,
                    entry=None,
                    claim=claim,
                    submission_key=f"bench-{match.pk}",
                )

            milliseconds, queries, _ = timed(report)
            times.append(milliseconds)
            statements.append(queries)
    print(
        f"one result: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms, "
        f"{min(statements)}–{max(statements)} statements, {len(times)} results (limit 50 ms)"
    )


def pages(simulation: Simulation) -> None:
    """The event's pages, rendered and unchanged."""
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    event = f"/e/{simulation.event.public_id}/"
    for path in (event, f"{event}bracket/", f"{event}entries/"):
        client.get(path)
        first_runs = [timed(lambda path=path: client.get(path)) for _ in range(5)]
        etag = first_runs[-1][2]["ETag"]
        unchanged_runs = [
            timed(lambda path=path, etag=etag: client.get(path, HTTP_IF_NONE_MATCH=etag)) for _ in range(15)
        ]
        assert {answer.status_code for _, _, answer in unchanged_runs} == {304}
        print(
            f"{path.replace(simulation.event.public_id, '…')}: {statistics.median(t for t, _, _ in first_runs):.0f} ms, "
            f"{first_runs[-1][1]} statements, {len(first_runs[-1][2].content) // 1024} kB; "
            f"unchanged (304): {statistics.median(t for t, _, _ in unchanged_runs):.1f} ms, {unchanged_runs[-1][1]} statements"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--results", type=int, default=200)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    print(f"database: {connection.vendor}")
    simulation = create(options.entries, random.Random(7))
    results(simulation, options.results)
    pages(simulation)


if __name__ == "__main__":
    main()
