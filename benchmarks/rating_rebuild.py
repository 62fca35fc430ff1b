"""Measure ratings at scale: a list of 1,000,000 results of 20,000 players.

    DATABASE_URL=postgres://… .venv/bin/python benchmarks/rating_rebuild.py [--results N] [--players N] [--repeat N]

Needs an empty database, which it migrates and fills with generated results (seeded, played in order). It then measures a full rebuild
(reading, rating, history, indexes, switch), one new latest result, and a correction 10,000 results back. The reference is the trial in
`MEASURED` (4.0 s on PostgreSQL without Django).
"""

import argparse
import os
import random
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection, transaction

from people.models import Club, Player
from rating.models import Fact, RatingList
from rating.services import ensure_club_list, rebuild_list, record_result, replace_result, update_list_ratings
from rating.services.check import check_list
from rating.services.rebuild import empty_old_generations
from rating.store.moments import from_moment, to_moment

START = to_moment(datetime(2000, 1, 1, tzinfo=UTC))
STEP = 600 * 1_000_000  # one result every ten minutes
LENGTHS = (3, 5, 7, 9, 11, 13, 17)


def fill(results: int, players: int) -> RatingList:
    """A club with players of different strength and results drawn by chance from a fixed seed."""
    rng = random.Random(20)
    club = Club.objects.create(name="Benchmark")
    rating_list = ensure_club_list(club_id=club.pk)
    Player.objects.bulk_create(
        [Player(name=f"Player {n}", search_name=f"{n} player", home_club=club) for n in range(players)],
        batch_size=500,
    )
    ids = list(Player.objects.order_by("pk").values_list("pk", flat=True))

    def rows():
        for n in range(results):
            first, second = rng.sample(ids, 2)
            length = rng.choice(LENGTHS)
            played_at = START + n * STEP
            yield (
                0, f"bench:{n}", club.pk, first, second, length, length, rng.randrange(length), "played", "standard",
                "", "", 1.0, 1, 0, 0, 0, 0, from_moment(played_at).isoformat(sep=" "), played_at,
                from_moment(played_at).isoformat(sep=" "), "",
            )  # fmt: skip

    columns = (
        "kind, source_key, club_id, winner_id, loser_id, length, winner_score, loser_score, result_kind, discipline,"
        " event_key, event_name, event_weight, division_rank, place, tied, field, opening_experience, played_at,"
        " moment, recorded_at, reason"
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY rating_fact ({columns}) FROM STDIN") as copy:
                for row in rows():
                    copy.write_row(row)
        else:
            placeholders = ", ".join(["%s"] * 22)
            batch = []
            for row in rows():
                batch.append(row)
                if len(batch) == 20_000:
                    cursor.executemany(f"INSERT INTO rating_fact ({columns}) VALUES ({placeholders})", batch)
                    batch = []
            cursor.executemany(f"INSERT INTO rating_fact ({columns}) VALUES ({placeholders})", batch)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return rating_list


def timed(function, *args, **kwargs):
    start = time.perf_counter()
    result = function(*args, **kwargs)
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    if Fact.objects.exists():
        rating_list = RatingList.objects.get(is_main=True)
    else:
        seconds, rating_list = timed(fill, options.results, options.players)
        print(f"{'made-up ledger':<44}{seconds:8.2f} s")
    limit = 6 if connection.vendor == "postgresql" else 20
    rebuilds = []
    for _ in range(options.repeat):
        computed = time.process_time()
        seconds, generation = timed(rebuild_list, list_id=rating_list.pk)
        if generation is None:
            sys.exit("another rebuild of this list is under way; try again in half a minute")
        rebuilds.append(seconds)
        computed = time.process_time() - computed
        print(
            f"{'rebuild, with indexes and switch':<44}{seconds:8.2f} s   (Python computes {computed:.2f} s of it)"
        )
    print(
        f"{'rebuild, median':<44}{statistics.median(rebuilds):8.2f} s   (limit {limit} s, trial on PostgreSQL 4.0 s)"
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    newest(rating_list)
    correction(rating_list, 10_000)
    differences = check_list(list_id=rating_list.pk)
    print(f"differences to a clean computation: {len(differences)}")
    while empty_old_generations(grace=timedelta(0), limit=10**9):
        pass


def newest(rating_list: RatingList) -> None:
    """New results at the end of the order, one at a time."""
    last = Fact.objects.order_by("-moment").first()
    times = []
    for n in range(1, 41):
        record_result(
            source_key=f"new:{last.pk}:{n}",
            club_id=rating_list.club_id,
            winner_id=last.loser_id,
            loser_id=last.winner_id,
            length=7,
            winner_score=7,
            loser_score=2,
            kind="played",
            played_at=from_moment(last.moment + n * STEP),
        )
        times.append(timed(update_list_ratings, rating_list.pk)[0])
    times.sort()
    print(f"{'one new result, newest: median':<44}{1000 * statistics.median(times):8.1f} ms  (limit 20 ms)")
    print(f"{'one new result, newest: slowest of 40':<44}{1000 * times[-1]:8.1f} ms")


def correction(rating_list: RatingList, back: int) -> None:
    """The winner of a result ``back`` places before the end was the other one."""
    times = []
    for offset in range(5):
        fact = Fact.objects.filter(kind=0, later__isnull=True).order_by("-moment", "-pk")[back + offset]
        replace_result(
            source_key=f"fix:{fact.pk}",
            replaces=fact.source_key,
            winner_id=fact.loser_id,
            loser_id=fact.winner_id,
            length=fact.length,
            winner_score=fact.length,
            loser_score=0,
        )
        times.append(timed(update_list_ratings, rating_list.pk)[0])
    print(f"{f'correction {back} back: median':<44}{statistics.median(times):8.2f} s   (limit 1 s)")
    print(f"{f'correction {back} back: slowest of 5':<44}{max(times):8.2f} s")


if __name__ == "__main__":
    main()
