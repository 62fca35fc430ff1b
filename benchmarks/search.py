"""Measure the site-wide search with many players: the short list shown while typing.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/search.py [--players N] [--events N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Half the words have one or two
letters, the worst case. Requests go through Django's test client: the figures include middleware and response, but no web server or network.
"""

import argparse
import random
import statistics
from datetime import timedelta

from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from events import call_command, connection, create, timed

from names.folding import search_key
from people.ids import new_public_id
from people.models import Player
from tournaments.models import Event

FIRST = "Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kaya Lars Mira Nadim Olga Pavel Søren Łukasz".split()
LAST = "Abell Brandt Castellanos Dahl Ekström Fischer Grønbæk Haddad Ivanov Jensen Köroğlu Lindqvist".split()
WORDS = ("a", "an", "e", "so", "soren", "lindqvist", "ada k", "grta", "open 17", "club")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=1_000)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    rng = random.Random(7)
    create(256, rng)
    club = Event.objects.get().club
    names = [f"{rng.choice(FIRST)} {rng.choice(LAST)} {number}" for number in range(options.players)]
    Player.objects.bulk_create(
        Player(name=name, search_name=search_key(name), public_id=new_public_id(), home_club=club)
        for name in names
    )
    today = timezone.now().date()
    Event.objects.bulk_create(
        Event(
            club=club,
            name=f"Open {number}",
            place="Łódź",
            status="finished",
            starts_on=today - timedelta(days=number),
            ends_on=today - timedelta(days=number),
        )
        for number in range(options.events)
    )
    settings.ALLOWED_HOSTS = ["*"]
    client, address = Client(), reverse("public:search-json")
    client.get(address, {"q": "first"})  # what is read once in a process
    print(f"database: {connection.vendor}, {Player.objects.count()} players, {Event.objects.count()} events")
    for word in WORDS:
        runs = [timed(lambda word=word: client.get(address, {"q": word})) for _ in range(15)]
        times = [run[0] for run in runs]
        answer = runs[0][2]
        print(
            f"{word!r}: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms, "
            f"{runs[0][1]} statements, {len(answer.content)} bytes, {len(answer.json()['results'])} found"
        )


if __name__ == "__main__":
    main()
