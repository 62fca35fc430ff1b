"""Measure the import of entry lists: how many people of the corpus are read correctly, and the cost of previewing and entering a list.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/lists.py [--people 128] [--known 2000]

Needs an empty database, as ``events.py`` does. Requests go through Django's test client as a director.
"""

import argparse
import random
import time
from datetime import date

from django.conf import settings
from django.test import Client
from django.urls import reverse
from events import (
    call_command,
    timed,  # first of all: it names the settings and the database
)

from names.folding import search_key
from people.actors import Actor
from people.models import Membership, Player, PlayerClub, Role, User
from tests.support.entry_lists import as_read, lists_of, wrong_in, wrong_matches
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.site.services.clubs import create_club_with_list

FIRST = (
    "Ann Bo Carl Dora Emil Finn Greta Hans Ida Jens Kari Lars Mia Nils Olga Per Rosa Sven Tove Ulf".split()
)
LETTERS = "aeiouydfgklmnprstv"


def corpus() -> None:
    for name in (
        "frozen.txt",
        "later.txt",
        "again.txt",
        "fresh1.txt",
        "fresh2.txt",
        "fresh3.txt",
        "fresh4.txt",
    ):
        lists = lists_of(name)
        people = sum(len(text_list.people) for text_list in lists)
        merged, ambiguous = wrong_matches(lists)
        misread = wrong_in(lists, as_read)
        print(
            f"{name}: {people - len(misread)} of {people} right, {len(merged)} wrong merges, {len(ambiguous)} asked otherwise"
        )


def a_name(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {''.join(rng.choice(LETTERS) for _ in range(rng.randint(5, 9))).title()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=128)
    parser.add_argument("--known", type=int, default=2000)
    options = parser.parse_args()
    corpus()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    rng = random.Random(11)
    club = create_club_with_list(actor=Actor.program(), name="Benchmark")
    today = date(2026, 11, 21)
    event = create_event(
        actor=Actor.program(),
        club_id=club.pk,
        details=EventDetails(name="Import entries", starts_on=today, ends_on=today),
        stage=StageDetails(lengths=[5]),
    )
    names = list({a_name(rng): None for _ in range(options.known + options.people)})
    known_players = Player.objects.bulk_create(
        Player(name=name, search_name=search_key(name), home_club=club) for name in names[: options.known]
    )
    PlayerClub.objects.bulk_create(PlayerClub(player=player, club=club) for player in known_players)
    listed_names = (
        rng.sample(names[: options.known], options.people // 2)
        + names[options.known :][: options.people // 2]
    )
    rows = [
        f"{number}. {name.split()[1]}, {name.split()[0]} (DEN) {rng.randint(1200, 1900)} – paid"
        for number, name in enumerate(listed_names, 1)
    ]
    director = User.objects.create_user("director@example.org", "crawford")
    Membership.objects.create(user=director, club=club, role=Role.DIRECTOR)
    client = Client()
    client.force_login(director, backend="allauth.account.auth_backends.AuthenticationBackend")
    url = reverse("director:paste", args=[event.public_id])
    client.post(url, {"list": "Warm Up"})
    for step, expected_status in (("look", 200), ("enter", 302)):
        cpu_start = time.process_time()
        milliseconds, statements, answer = timed(
            lambda step=step: client.post(url, {"list": "\n".join(rows), "step": step})
        )
        cpu = 1000 * (time.process_time() - cpu_start)
        assert answer.status_code == expected_status, answer.status_code
        print(
            f"{step}: {len(rows)} people, {options.known} known: {milliseconds:.0f} ms, CPU {cpu:.0f} ms, {statements} statements"
        )


if __name__ == "__main__":
    main()
