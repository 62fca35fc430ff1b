"""Measure the API's responses for a large event, and the same values written to JSON by three libraries.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/api_answers.py [--entries N] [--rounds N]

Needs an empty database, as ``events.py`` does. Requests use Django's test client, so the figures are the site's own time.
"""

import argparse
import json
import random
import time
from dataclasses import dataclass

import cattrs
import msgspec
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from events import create, results  # first of all: it names the settings and the database

SIDE = {"side": "a", "entry": "k3v9", "name": "Somebody", "seed": None, "score": 3, "start": 0, "bye": False}
MATCH = {
    "id": "k3v9",
    "number": 7,
    "round": "final",
    "status": "ready",
    "length": 7,
    "table": None,
    "version": 1,
}


@dataclass(frozen=True, slots=True)
class DataSide:
    side: str
    entry: str | None
    name: str
    seed: int | None
    score: int | None
    start: int
    bye: bool


@dataclass(frozen=True, slots=True)
class DataMatch:
    id: str
    number: int
    round: str
    status: str
    length: int
    table: int | None
    version: int
    sides: list[DataSide]


class StructSide(msgspec.Struct, frozen=True):
    side: str
    entry: str | None
    name: str
    seed: int | None
    score: int | None
    start: int
    bye: bool


class StructMatch(msgspec.Struct, frozen=True):
    id: str
    number: int
    round: str
    status: str
    length: int
    table: int | None
    version: int
    sides: list[StructSide]


def least(call, rounds: int) -> float:
    """Milliseconds of CPU time of the quickest call: neighbours on the same cores do not count."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def libraries(matches: int, rounds: int) -> None:
    """Make the matches of a draw, and write them: as dictionaries, frozen dataclasses, structs."""
    converter = cattrs.Converter()

    def made(match, side):
        return [match(**MATCH, sides=[side(**SIDE), side(**SIDE)]) for _ in range(matches)]

    def by_json(values) -> bytes:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()

    for name, match, side, writers in (
        ("dictionaries", dict, dict, {"json": by_json}),
        (
            "dataclasses",
            DataMatch,
            DataSide,
            {"cattrs, json": lambda v: by_json(converter.unstructure(v)), "msgspec": msgspec.json.encode},
        ),
        ("structs", StructMatch, StructSide, {"msgspec": msgspec.json.encode}),
    ):
        values = made(match, side)
        milliseconds = least(lambda match=match, side=side: made(match, side), rounds)
        written = ", ".join(
            f"{writer} {least(lambda w=write, v=values: w(v), rounds):.2f} ms"
            for writer, write in writers.items()
        )
        print(f"{matches} matches as {name}: made in {milliseconds:.2f} ms, written by {written}")


def addresses(event: str, rounds: int) -> None:
    client = Client()
    for part in ("bracket", "matches", "entries"):
        path = f"/api/v1/events/{event}/{part}/"
        answer = client.get(path)
        assert answer.status_code == 200
        milliseconds = least(lambda path=path: client.get(path), rounds)
        print(f"{part}: {milliseconds:.1f} ms, {len(answer.content) // 1024} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    libraries(options.entries - 1, options.rounds)
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
    print(f"database: {connection.vendor}")
    simulation = create(options.entries, random.Random(7))
    results(simulation, 200)
    addresses(simulation.event.public_id, options.rounds)


if __name__ == "__main__":
    main()
