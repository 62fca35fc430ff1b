"""Create a large site for measurements: 300 clubs, 20,000 players, 3,000 events, 1,000,000 results and their ratings.

    DATABASE_URL=postgres://… .venv/bin/python benchmarks/fill.py [--clubs N] [--players N] [--events N] [--results N] [--seed N]

Needs an empty database, which it migrates. Three events (a double elimination, a Swiss, a round robin) are played through the services, each
in its own database and process, and then copied as often as needed (`filling.stencil`): open, running or finished, with versions, audit log,
draws and ledger. All clubs are members of the first one, whose rating list counts everything. On PostgreSQL the rows are written by COPY
from two processes; SQLite takes longer. Sign in as director@example.org / crawford-demo: a director of every club.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "filling")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if "DATABASE_URL" not in os.environ:
    sys.exit("Name the empty database that is to be filled: DATABASE_URL=…")

import django

django.setup()

from django.apps import apps
from django.core.management import call_command
from django.db import connection
from stencil import Place, Stencil, a_public_id, text_of
from tables import ask, bare, go_on_counting, on_postgres, write

from names.folding import search_key
from people.models import Affiliation, Club, Membership, Player, PlayerClub, Role, User
from rating.models import Fact, RatingList
from rating.services import ensure_club_list, rebuild_list
from rating.store.moments import to_moment
from tournaments.checks.simulation.names import FIRST_NAMES, LAST_NAMES

FIRST = 10_000_000  # ids of as many digits each: what JSON keeps in the order of their texts stays in order
TOWNS = "Aarhus Bergen Cork Delft Essen Faro Graz Hamar Izmir Jena Kiel Lyon Malmö Nice Oslo Porto Riga Split Turku Umeå Vigo Wien".split()
COUNTRIES = "DK NO IE NL DE PT AT NO TR DE DE FR SE FR NO PT LV HR FI SE ES AT".split()
SERIES = "Open, Masters, Club Night, Cup, Championship, Trophy, Weekend, Classic".split(", ")
POOL = 8  # so many times its own players a club meets
YEARS = 10
STATES = ("draft", "open", "running")
SHARE = {"draft": 0.01, "open": 0.03, "running": 0.01}
EMAIL, PASSWORD = "director@example.org", "crawford-demo"
CHUNK = 24  # events written together


@dataclass(frozen=True, slots=True)
class Job:
    """An event to be stamped, and where its ids begin."""

    pattern: tuple[str, str]
    place: Place
    bases: dict[str, int]


class Clock:
    """Says how long each step took, by the clock and of this program's processor."""

    def __init__(self) -> None:
        self.began = self.last = time.perf_counter()

    def says(self, what: str) -> None:
        now = time.perf_counter()
        process_times = os.times()
        cpu_seconds = (
            process_times.user
            + process_times.system
            + process_times.children_user
            + process_times.children_system
        )
        print(
            f"{what:<44}{now - self.last:8.1f} s   (together {now - self.began:.1f} s, CPU of the programs {cpu_seconds:.1f} s)",
            flush=True,
        )
        self.last = now


def sizes(options: argparse.Namespace) -> dict[str, int]:
    """Entries of each kind of event, so that all of them together bring about as many results as are wanted."""
    finished_count = max(1, round(options.events * (1 - sum(SHARE.values()))))
    mean_results = options.results / finished_count
    max_entries = min(options.players // 2, 500)
    round_robin_size = next(n for n in range(3, 100) if n * (n - 1) >= 0.6 * mean_results)
    return {
        "double": min(max_entries, max(4, round(0.85 * mean_results))),
        "swiss": min(max_entries, max(6, round(0.4 * mean_results))),
        "round_robin": min(max_entries, round_robin_size),
    }


def begin_patterns(folder: Path, entries: dict[str, int]) -> "list[tuple[str, subprocess.Popen[bytes]]]":
    """Play the patterns, each in a process and an empty database of its own."""
    empty = folder / "empty.sqlite3"
    env = {**os.environ, "CRAWFORD_VAR": str(folder), "DATABASE_URL": f"sqlite:///{empty}"}
    subprocess.run([sys.executable, HERE.parent / "manage.py", "migrate", "-v0"], env=env, check=True)
    running = []
    for kind, count in entries.items():
        database = folder / f"{kind}.sqlite3"
        shutil.copy(empty, database)
        command = [
            sys.executable,
            HERE / "filling" / "patterns.py",
            kind,
            str(count),
            folder / f"{kind}.json",
        ]
        running.append(
            (kind, subprocess.Popen(command, env={**env, "DATABASE_URL": f"sqlite:///{database}"}))
        )
    return running


def end_patterns(
    folder: Path, running: "list[tuple[str, subprocess.Popen[bytes]]]"
) -> dict[tuple[str, str], Stencil]:
    stencils = {}
    for kind, process in running:
        if process.wait():
            sys.exit(f"{kind} could not be played")
        parts = json.loads((folder / f"{kind}.json").read_text())
        for state in (*STATES, "over"):
            stencils[kind, state] = Stencil(parts, state)
    return stencils


def lines(rows: Iterable[Sequence[object]]) -> str:
    return "".join("\t".join(map(text_of, row)) + "\n" for row in rows)


def clubs_and_players(
    options: argparse.Namespace, rng: random.Random
) -> tuple[list[int], list[tuple[int, str]], int]:
    """Clubs with a director and rating lists, and players at home in them; ids, (id, name), the director."""
    owner = User.objects.create_user(EMAIL, PASSWORD, name="Dora Director")
    clubs = Club.objects.bulk_create(
        Club(
            name=f"{TOWNS[index % len(TOWNS)]} Backgammon {1 + index // len(TOWNS)}"
            if index
            else "Northern Backgammon Federation",
            city=TOWNS[index % len(TOWNS)],
            country=COUNTRIES[index % len(TOWNS)],
        )
        for index in range(options.clubs)
    )
    Club.objects.exclude(pk=clubs[0].pk).update(parent=clubs[0])
    Affiliation.objects.bulk_create(Affiliation(club=club, federation=clubs[0]) for club in clubs[1:])
    Membership.objects.bulk_create(
        Membership(user=owner, club=club, role=Role.DIRECTOR if index else Role.OWNER)
        for index, club in enumerate(clubs)
    )
    for club in clubs:
        ensure_club_list(club_id=club.pk)
    now = datetime.now(UTC).replace(tzinfo=None)
    names = {}
    while len(names) < options.players:
        middle_initials = (
            "" if len(names) < 2000 else f" {chr(65 + rng.randrange(26))}. {chr(65 + rng.randrange(26))}."
        )
        names[f"{rng.choice(FIRST_NAMES)}{middle_initials} {rng.choice(LAST_NAMES)}"] = None
        if len(names) == len(FIRST_NAMES) * len(LAST_NAMES):
            names[f"{rng.choice(FIRST_NAMES)} {len(names)}"] = None
    players = [(FIRST + index, name) for index, name in enumerate(names)]
    home_clubs = [clubs[index % len(clubs)] for index in range(len(players))]
    defaults = {field.column: field.get_default() for field in Player._meta.concrete_fields}
    defaults |= {"listed": 1, "minor": 0, "created_at": now}
    columns = list(defaults)
    rows = (
        {
            **defaults,
            "id": pk,
            "public_id": a_public_id(rng),
            "name": name,
            "search_name": search_key(name)[:160],
            "country": home.country,
            "home_club_id": home.pk,
        }.values()
        for (pk, name), home in zip(players, home_clubs, strict=True)
    )
    write("people_player", columns, [lines(rows)])
    return [club.pk for club in clubs], players, owner.pk


def known_to(club: int, clubs: int, players: int) -> list[int]:
    """Places of the players whom a club meets, by its place: its own, and those of the clubs after it."""
    return [
        index
        for offset in range(min(POOL, clubs))
        for index in range((club + offset) % clubs, players, clubs)
    ]


def plan(
    options: argparse.Namespace,
    stencils: dict[tuple[str, str], Stencil],
    clubs: list[int],
    players: list[tuple[int, str]],
    owner: int,
    rng: random.Random,
) -> tuple[list[Job], int]:
    """Every event, oldest first, and how many results are still wanted after them."""
    today = date.today()  # noqa: DTZ011
    counts = {state: max(1, round(options.events * share)) for state, share in SHARE.items()}
    counts["over"] = max(1, options.events - sum(counts.values()))
    by_size = sorted(
        (key[0] for key in stencils if key[1] == "over"), key=lambda kind: -stencils[kind, "over"].results
    )
    results_left = options.results
    results_left -= sum(stencils[by_size[n % 3], "running"].results for n in range(counts["running"]))
    next_ids: dict[str, int] = defaultdict(lambda: FIRST)
    jobs = []
    for state in ("over", "draft", "open", "running"):
        for index in range(counts[state]):
            kind = by_size[index % len(by_size)]
            if state == "over":
                fitting_kinds = [
                    candidate
                    for candidate in by_size[index % 3 :]
                    if stencils[candidate, state].results <= results_left
                ]
                if not fitting_kinds:  # all results are given out: what is left over is still to come
                    counts["open"] += counts[state] - index
                    break
                kind = fitting_kinds[0]
                results_left -= stencils[kind, state].results
                days = -round(365 * YEARS * (1 - index / counts[state])) - 2
            else:
                days = {"draft": 90, "open": 1 + index % 60, "running": 0}[state]
            stencil = stencils[kind, state]
            club = len(jobs) % len(clubs)
            pool = known_to(club, len(clubs), len(players))
            if len(pool) < stencil.people:
                pool = list(range(len(players)))
            day = today + timedelta(days=days)
            place = Place(
                club=clubs[club],
                director=owner,
                players=[players[n] for n in rng.sample(pool, stencil.people)],
                name=f"{TOWNS[club % len(TOWNS)]} {SERIES[len(jobs) // 7 % len(SERIES)]} {day.year}, {day:%B}",
                place=f"Town Hall, {TOWNS[club % len(TOWNS)]}",
                days=days,
                seed=options.seed * 1_000_003 + len(jobs),
            )
            jobs.append(Job((kind, state), place, {label: next_ids[label] for label in stencil.counts}))
            for label, count in stencil.counts.items():
                next_ids[label] += count
    return jobs, results_left


def stamp(jobs: Sequence[Job], stencils: dict[tuple[str, str], Stencil]) -> None:
    """Write the rows of these events."""
    for start in range(0, len(jobs), CHUNK):
        texts: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        for job in jobs[start : start + CHUNK]:
            stencil = stencils[job.pattern]
            for label, text in stencil.stamp(job.place, job.bases):
                texts[label, tuple(stencil.columns[label])].append(text)
        for (label, columns), parts in texts.items():
            write(apps.get_model(label)._meta.db_table, columns, parts)


def stamp_apart(jobs: Sequence[Job], stencils: dict[tuple[str, str], Stencil]) -> None:
    stamp(jobs, stencils)
    connection.close()


def links(jobs: Sequence[Job]) -> Iterator[tuple[int, int]]:
    """Who is known to which club: whoever has played there."""
    players_by_club: dict[int, set[int]] = defaultdict(set)
    for job in jobs:
        players_by_club[job.place.club].update(pk for pk, _name in job.place.players)
    for club, player_ids in players_by_club.items():
        for player in sorted(player_ids):
            yield player, club


def imported(count: int, clubs: list[int], players: list[tuple[int, str]], rng: random.Random) -> str:
    """Results without an event, as an import leaves them: what is missing to the number that was asked for."""
    fields = []
    start = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=365 * YEARS + 30)
    for index in range(count):
        (winner, _), (loser, _) = rng.sample(players, 2)
        moment = start + timedelta(minutes=index)
        labels = ("played", "standard", "", "Imported", 1.0)
        rating_columns = (1, 0, 0, 0, 0, moment, to_moment(moment.replace(tzinfo=UTC)), moment, "")
        score = (7, 7, rng.randrange(7))
        fields.append(
            (0, f"fill:{index}", clubs[index % len(clubs)], winner, loser, *score, *labels, *rating_columns)
        )
    return lines(fields)


IMPORTED = (
    "kind source_key club_id winner_id loser_id length winner_score loser_score result_kind discipline event_key event_name"
    " event_weight division_rank place tied field opening_experience played_at moment recorded_at reason"
).split()


def rate(lists: Sequence[int]) -> None:
    for pk in lists:
        if rebuild_list(list_id=pk, started_by="fill") is None:
            sys.exit("another rebuild of a list is under way")


def rate_apart(lists: Sequence[int]) -> None:
    rate(lists)
    connection.close()


def in_two(function, parts, *extra_arguments) -> None:
    """Side by side on PostgreSQL; SQLite has one writer."""
    if not on_postgres():
        function([item for part in parts for item in part], *extra_arguments)
        return
    connection.close()
    processes = [
        multiprocessing.get_context("fork").Process(target=function, args=(part, *extra_arguments))
        for part in parts
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        sys.exit("a part of the work failed")


def fill(options: argparse.Namespace) -> list[Job]:
    """Everything, into the empty database; the events that were made."""
    clock, rng = Clock(), random.Random(options.seed)
    call_command("migrate", verbosity=0)
    if Club.objects.exists():
        sys.exit("This database is not empty.")
    clock.says("migrated")
    with tempfile.TemporaryDirectory(prefix="crawford-fill-") as name:
        running = begin_patterns(Path(name), sizes(options))
        tables = ["people_auditentry", "people_playerclub", "rating_fact", "people_player"]
        tables += [model._meta.db_table for model in apps.get_app_config("tournaments").get_models()]
        with bare(sorted(set(tables))):
            clubs, players, owner = clubs_and_players(options, rng)
            clock.says(f"{len(clubs)} clubs, {len(players):,} players")
            stencils = end_patterns(Path(name), running)
            clock.says("patterns, played by the services")
            jobs, results_left = plan(options, stencils, clubs, players, owner, rng)
            in_two(stamp_apart, [jobs[::2], jobs[1::2]], stencils)
            now = datetime.now(UTC).replace(tzinfo=None)
            rows = (
                (player, club, now)
                for player, club in dict.fromkeys(
                    [
                        *links(jobs),
                        *((pk, clubs[index % len(clubs)]) for index, (pk, _name) in enumerate(players)),
                    ]
                )
            )
            write("people_playerclub", ["player_id", "club_id", "created_at"], [lines(rows)])
            go_on_counting(
                [apps.get_model(label) for label in next(iter(stencils.values())).counts]
                + [Player, PlayerClub]
            )
            write("rating_fact", IMPORTED, [imported(results_left, clubs, players, rng)])
            clock.says(
                f"{len(jobs):,} events, {options.results - results_left:,} results in them, {results_left:,} imported"
            )
        clock.says("indexes and constraints")
    lists = list(RatingList.objects.order_by("club_id").values_list("pk", flat=True))
    in_two(rate_apart, [lists[:1], lists[1:]])
    for kind in ("event", "outline"):
        ask(
            "INSERT INTO people_version (kind, of_id, number) SELECT %s, id, version FROM tournaments_event",
            [kind],
        )
    ask("ANALYZE")
    clock.says(f"{len(lists)} rating lists")
    return jobs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clubs", type=int, default=300)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--events", type=int, default=3_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=20)
    fill(parser.parse_args())
    print(f"{Fact.objects.count():,} results; sign in as {EMAIL}, password {PASSWORD}")


if __name__ == "__main__":
    main()
