"""Measure summaries of many analysed matches: the lists of an event and of a club, and a player's page, with few analyses and with many.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/play.py [--people N] [--events N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Everyone plays in every event, a
knockout; each match has a record with random analysis totals, and all players agree that they are public.
"""

import argparse
import random
import time
from datetime import date

from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from events import call_command, connection, people_names, settings, timed

from games.models import AnalysedSide, RecordAnalysis, StoredRecord
from games.records.summing import MatchSum, SideSum
from games.rules.sides import SIDES
from games.services.sums import side_rows
from people.actors import Actor
from people.models import Player
from tournaments.checks.simulation import Simulation, new_event
from tournaments.engine.new_entry import NewEntry
from tournaments.events.services.events import EventDetails
from tournaments.events.services.stages import StageDetails
from tournaments.models import EntryDetail, EntryPlayer, Event, Report
from tournaments.site.services.clubs import create_club_with_list

DAY = date(2026, 5, 1)
RUNS = 3
LIMIT = 500  # milliseconds of a page


def played(people: int, events: int) -> list[Event]:
    """So many events of a club, the same people in each, all matches played."""
    actor, rng = Actor.program(), random.Random(7)
    club, names = create_club_with_list(actor=actor, name="Benchmark"), people_names(people, rng)
    entries = [NewEntry(name=name) for name in names]
    finished = []
    for number in range(events):
        details = EventDetails(name=f"Open {number}", starts_on=DAY, ends_on=DAY)
        simulation: Simulation = new_event(
            club=club,
            director=actor,
            details=details,
            stage=StageDetails(lengths=[7]),
            entries=entries,
            rng=rng,
        )
        simulation.draw(1)
        simulation.play_all()
        finished.append(simulation.event)
        players = Player.objects.filter(entries__division__event=finished[0]).distinct()
        entries = [NewEntry(player_id=player.pk) for player in players]
    return finished


def analyse(event: Event, rng: random.Random) -> int:
    """Each match of an event that was played has a record, and sums by chance; how many."""
    reports = Report.objects.filter(match__stage__division__event=event, state=Report.State.CONFIRMED)
    for report in reports:
        key = f"{report.pk:064}"
        record = StoredRecord.objects.create(sha256=key, content=b"x", size=1, filename="m.mat", format="mat")
        Report.objects.filter(pk=report.pk).update(record=record, record_left="a")
        row = RecordAnalysis.objects.create(
            record=record,
            engine="gnubg",
            version="1",
            level="2-ply",
            rates=True,
            state="done",
            length=7,
            swing=3,
        )
        side_sums = {
            side: SideSum(
                7,
                80,
                12,
                rng.uniform(0.5, 2),
                0.2,
                net_luck=0.1,
                even=0.5,
                openings=((False, 3, 1, 0.0),) * 4,
            )
            for side in SIDES
        }
        AnalysedSide.objects.bulk_create(side_rows(row, MatchSum(side_sums, 3)))
    details = [
        EntryDetail(entry_id=entry, player_id=player, record="yes", analysis="yes")
        for entry, player in EntryPlayer.objects.filter(division__event=event).values_list(
            "entry_id", "player_id"
        )
    ]
    EntryDetail.objects.bulk_create(details, ignore_conflicts=True)
    return len(reports)


def shown(label: str, address: str) -> None:
    """Print the processor time of the quickest of some runs, and the statements of one."""
    client = Client()
    cache.clear()
    _took, statements, answer = timed(lambda: client.get(address))
    assert answer.status_code == 200, address
    times = []
    for _ in range(RUNS):
        cache.clear()
        start = time.process_time()
        client.get(address)
        times.append(1000 * (time.process_time() - start))
    warning = "  OVER" if min(times) > LIMIT else ""
    print(f"{min(times):6.0f} ms {statements:4} statements {len(answer.content):>9,} bytes  {label}{warning}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=128)
    parser.add_argument("--events", type=int, default=4)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    events, rng = played(options.people, options.events), random.Random(8)
    print(
        f"database: {connection.vendor}; {options.people} people, {options.events} events; limit {LIMIT} ms"
    )
    player = Player.objects.filter(entries__division__event=events[0]).earliest("pk")
    count = 0
    for event in events:
        count += analyse(event, rng)
        if event is events[0] or event is events[-1]:
            shown(f"an event, {count} analyses in all", reverse("public:analyses", args=[event.public_id]))
            shown("its API", reverse("api:event-analyses", args=[event.public_id]))
            shown("the club", reverse("public:club-analyses", args=[event.club.public_id]))
            shown("a player", reverse("public:player", args=[player.public_id]))


if __name__ == "__main__":
    main()
