"""Measure the import of a table of 100,000 old results by a worker, while results of matches are written to the same list.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/import_table.py [--lines N] [--players N]

Needs an empty database. The worker is a separate process. Prints how long check and import take, its peak memory, and how long the other
results waited: each in its own transaction, one every 20 ms.
"""

import argparse
import csv
import io
import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from rating_rebuild import LENGTHS  # first of all: it names the settings and the database

from names.folding import search_key
from people.actors import Actor
from people.models import Club, Membership, Player, PlayerClub, Role, User
from rating.models import Fact, TableImport
from rating.services import record_result
from rating.services.lists import ensure_club_list
from rating.services.table_jobs import UploadedTable, confirm_import, process_import, start_import

BEGIN = datetime(2010, 1, 1, tzinfo=UTC)


def table(lines: int, players: int) -> str:
    """Matches by name, one every half hour; a tenth of the names nobody has yet."""
    rng = random.Random(7)
    output = io.StringIO()
    write = csv.writer(output).writerow
    write(["date", "winner", "loser", "length", "winner_score", "loser_score", "event"])
    for number in range(lines):
        first, second = rng.sample(range(players), 2)
        length = rng.choice(LENGTHS)
        played_at = BEGIN + timedelta(minutes=30 * number)
        score = (length, rng.randrange(length))
        names = (f"Player {first}", f"Player {second}")
        write([f"{played_at:%Y-%m-%d %H:%M}", *names, length, *score, f"Evening {number // 60}"])
    return output.getvalue()


def worker(number: int) -> None:
    """What a worker does with one message; then the most memory that this process had."""
    start = time.perf_counter()
    process_import(import_id=number)
    seconds = time.perf_counter() - start
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(f"{seconds:.1f} s, {int(peak.split()[1]) / 1024:.0f} MB at most", flush=True)


def beside(number: int, club: Club, ids: list[int], label: str) -> None:
    """A worker in its own process, and results meanwhile."""
    times: list[float] = []
    process = subprocess.Popen([sys.executable, __file__, "--work", str(number)], env=os.environ)
    while process.poll() is None:
        start = time.perf_counter()
        record_result(
            source_key=f"beside:{label}:{len(times)}",
            club_id=club.pk,
            winner_id=ids[0],
            loser_id=ids[1],
            length=5,
            winner_score=5,
            loser_score=1,
            kind="played",
            played_at=datetime.now(UTC),
        )
        times.append(time.perf_counter() - start)
        time.sleep(0.02)
    times.sort()
    print(
        f"{label}: {len(times)} results beside it; median {1000 * times[len(times) // 2]:.1f} ms, 99 of 100 within"
        f" {1000 * times[-1 - len(times) // 100]:.0f} ms, the slowest {1000 * times[-1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--work", type=int)
    options = parser.parse_args()
    if options.work:
        worker(options.work)
        return
    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Benchmark")
    ensure_club_list(club_id=club.pk)
    players = [Player(name=f"Player {number}", home_club=club) for number in range(options.players * 9 // 10)]
    for player in players:
        player.search_name = search_key(player.name)
        player.set_names()
    Player.objects.bulk_create(players, batch_size=500)
    PlayerClub.objects.bulk_create(
        [PlayerClub(player=known_player, club=club) for known_player in players], batch_size=500
    )
    ids = [player.pk for player in players[:2]]
    text = table(options.lines, options.players)
    print(f"{connection.vendor}: {options.lines} lines, {len(text) / 1e6:.1f} MB, {options.players} players")
    user = User.objects.create(email="bench@example.org", name="Bench")
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    actor = Actor.of(user)
    for turn in ("first", "again"):  # the second time all of it is known
        uploaded = UploadedTable(text.encode(), "old.csv", create_unknown=True)
        job = start_import(actor=actor, club_id=club.pk, handed=uploaded)
        beside(job.pk, club, ids, f"{turn} check")
        confirm_import(actor=actor, import_id=job.pk)
        beside(job.pk, club, ids, f"{turn} taking in")
        job = TableImport.objects.get(pk=job.pk)
        print(job.state, {name: job.report[name] for name in ("rows", "new", "known", "player_count")})
    print(Fact.objects.filter(source_key__startswith="csv:").count(), "in the ledger")


if __name__ == "__main__":
    main()
