"""Measure the cost of names that depend on the reader: a public bracket read with public names, and with the plain column.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/read_names.py [--entries N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). One player in ten shows a short name,
one in ten none. Prints statements, milliseconds of the statements and CPU time of this process for the whole reading (including SQLite),
median of several alternating runs without a cache.
"""

import argparse
import random
import statistics
import time
from datetime import date

from django.core.cache import cache
from django.test import Client
from django.test.utils import CaptureQueriesContext
from events import call_command, connection

from people.actors import Actor
from people.audience import Audience, override_audience
from people.models import Player, User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, change_event_status, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.models import Event, Stage
from tournaments.selectors.events.detail import division_views
from tournaments.site.services.clubs import create_club_with_list

RUNS = 31
DAY = date(2026, 5, 1)


def bracket(entries: int, rng: random.Random) -> Event:
    """An event of one bracket, drawn and public."""
    user = User.objects.create_user("director@example.org", "crawford-demo")
    actor = Actor.of(user)
    club = create_club_with_list(actor=actor, name="Harbour Backgammon")
    event = create_event(
        actor=actor,
        club_id=club.pk,
        details=EventDetails(name="Masters", starts_on=DAY, ends_on=DAY),
        stage=StageDetails(lengths=[5]),
    )
    division = event.divisions.get()
    names = [NewEntry(name=name) for name in people_names(entries, rng)]
    add_entries(actor=actor, event_id=event.pk, division_id=division.pk, entries=names)
    for number, player in enumerate(Player.objects.order_by("pk")):
        if number % 10 < 2:
            player.shown_as = ("short", "hidden")[number % 10]
            player.save()
    stage = Stage.objects.get(division=division)
    change_event_status(actor=actor, event_id=event.pk, action=EventAction.OPEN)
    draw_stage(actor=actor, event_id=event.pk, stage_id=stage.pk, seed=1)
    publish_draw(actor=actor, event_id=event.pk, stage_id=stage.pk)
    event.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database that has been running for a while
    return event


def reading(event: Event, audience: Audience) -> tuple[int, float, float]:
    """Statements, seconds in SQL and seconds of CPU of reading all divisions."""
    cache.clear()
    with override_audience(audience), CaptureQueriesContext(connection) as captured:
        start = time.process_time()
        division_views(event)
        cpu_seconds = time.process_time() - start
    return len(captured), sum(float(query["time"]) for query in captured.captured_queries), cpu_seconds


def statement(audience: Audience, event: Event) -> float:
    """Seconds of CPU here for the names of all entries alone, fetched."""
    with override_audience(audience):
        rows = event.divisions.get().entries.order_by("pk").values_list("pk", "name")
        start = time.process_time()
        list(rows)
        return time.process_time() - start


def page(event: Event) -> float:
    """Seconds of CPU of the public page of the bracket."""
    cache.clear()
    start = time.process_time()
    answer = Client(SERVER_NAME="localhost").get(f"/e/{event.public_id}/bracket/")
    assert answer.status_code == 200
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=1024)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    event = bracket(options.entries, random.Random(1))
    audiences = (Audience.FULL, Audience.PUBLIC)
    for audience in audiences:  # warm
        reading(event, audience)
    print(f"{connection.vendor}, {options.entries} entries, median of {RUNS}")
    readings = {audience: [] for audience in audiences}
    name_times = {audience: [] for audience in audiences}
    for _run in range(RUNS):
        for audience in audiences:
            readings[audience].append(reading(event, audience))
            name_times[audience].append(statement(audience, event))
    for audience in audiences:
        count, sql, cpu = (statistics.median(part) for part in zip(*readings[audience], strict=True))
        names = statistics.median(name_times[audience])
        print(
            f"  {audience:<7} {count:3.0f} statements, SQL {1000 * sql:6.1f} ms, CPU {1000 * cpu:6.1f} ms;"
            f" the names alone {1000 * names:6.2f} ms"
        )
    print(f"  page    CPU {1000 * statistics.median(page(event) for _run in range(RUNS)):6.1f} ms")


if __name__ == "__main__":
    main()
