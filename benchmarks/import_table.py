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
    out = io.StringIO()
    write = csv.writer(out).writerow
    write(["date", "winner", "loser", "length", "winner_score", "loser_score", "event"])
    for number in range(lines):
        first, second = rng.sample(range(players), 2)
        length = rng.choice(LENGTHS)
        at = BEGIN + timedelta(minutes=30 * number)
        score = (length, rng.randrange(length))
        names = (f"Player {first}", f"Player {second}")
        write([f"{at:%Y-%m-%d %H:%M}", *names, length, *score, f"Evening {number // 60}"])
    return out.getvalue()


def worker(number: int) -> None:
    """What a worker does with one message; then the most memory that this process had."""
    begin = time.perf_counter()
    process_import(import_id=number)
    took = time.perf_counter() - begin
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(f"{took:.1f} s, {int(peak.split()[1]) / 1024:.0f} MB at most", flush=True)


def beside(number: int, club: Club, ids: list[int], what: str) -> None:
    """A worker in its own process, and results meanwhile."""
    waits: list[float] = []
    process = subprocess.Popen([sys.executable, __file__, "--work", str(number)], env=os.environ)
    while process.poll() is None:
        begin = time.perf_counter()
        record_result(
            source_key=f"beside:{what}:{len(waits)}",
            club_id=club.pk,
            winner_id=ids[0],
            loser_id=ids[1],
            length=5,
            winner_score=5,
            loser_score=1,
            kind="played",
            played_at=datetime.now(UTC),
        )
        waits.append(time.perf_counter() - begin)
        time.sleep(0.02)
    waits.sort()
    print(
        f"{what}: {len(waits)} results beside it; median {1000 * waits[len(waits) // 2]:.1f} ms, 99 of 100 within"
        f" {1000 * waits[-1 - len(waits) // 100]:.0f} ms, the slowest {1000 * waits[-1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--work", type=int)
    asked = parser.parse_args()
    if asked.work:
        worker(asked.work)
        return
    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Benchmark")
    ensure_club_list(club_id=club.pk)
    known = [Player(name=f"Player {number}", home_club=club) for number in range(asked.players * 9 // 10)]
    for player in known:
        player.search_name = search_key(player.name)
        player.set_names()
    Player.objects.bulk_create(known, batch_size=500)
    PlayerClub.objects.bulk_create([PlayerClub(player=one, club=club) for one in known], batch_size=500)
    ids = [player.pk for player in known[:2]]
    text = table(asked.lines, asked.players)
    print(f"{connection.vendor}: {asked.lines} lines, {len(text) / 1e6:.1f} MB, {asked.players} players")
    user = User.objects.create(email="bench@example.org", name="Bench")
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    actor = Actor.of(user)
    for turn in ("first", "again"):  # the second time all of it is known
        handed = UploadedTable(text.encode(), "old.csv", create_unknown=True)
        job = start_import(actor=actor, club_id=club.pk, handed=handed)
        beside(job.pk, club, ids, f"{turn} check")
        confirm_import(actor=actor, import_id=job.pk)
        beside(job.pk, club, ids, f"{turn} taking in")
        job = TableImport.objects.get(pk=job.pk)
        print(job.state, {name: job.report[name] for name in ("rows", "new", "known", "player_count")})
    print(Fact.objects.filter(source_key__startswith="csv:").count(), "in the ledger")


if __name__ == "__main__":
    main()
