"""Measure the exports of a federation: an official list, and all results as a file while they are read.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/federation.py [--results N] [--players N]

Needs an empty database. The file is requested through Django's test client and discarded part by part; the memory of the process is measured
meanwhile.
"""

import argparse
import resource
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from rating_rebuild import START, STEP, fill, timed  # first of all: it names the settings and the database

from people.actors import Actor
from people.models import Membership, Role, User
from people.signing import Signature, check_file, signed_file
from rating.selectors.official import public_keys, signed_document
from rating.services import rebuild_list
from rating.services.official import make_official
from rating.store.moments import from_moment, to_moment


def resident() -> float:
    """Megabytes that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def read(client: Client, address: str) -> None:
    """Read a file that is sent in parts, throw it away, and tell how memory went meanwhile."""
    lines, size, start, memory = 0, 0, time.perf_counter(), [resident()]
    for part in client.get(address).streaming_content:
        lines += part.count(b"\n")
        size += len(part)
        if lines % 10_000 == 1:
            memory.append(resident())
    seconds = time.perf_counter() - start
    print(f"{lines} lines, {size / 1e6:.1f} MB in {seconds:.2f} s; memory, every 10,000 lines, in MB:")
    print(" ".join(f"{megabytes:.0f}" for megabytes in memory))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=20_000)
    options = parser.parse_args()
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    rating_list = fill(options.results, options.players)
    print(f"{connection.vendor}: {options.results} results of {options.players} players")
    print(f"computed in {timed(rebuild_list, list_id=rating_list.pk)[0]:.2f} s")
    rating_list.refresh_from_db()
    newest = from_moment(to_moment(timezone.now()))
    for note, day in (("of today", newest), ("of the middle", _middle(options.results))):
        seconds, official_list = timed(
            make_official, actor=Actor.program(), list_id=rating_list.pk, day=day.date(), note=note
        )
        print(f"official list {note}: {official_list.players} players in {seconds:.2f} s")
    seconds, content = timed(
        lambda: signed_file(
            signed_document(official_list), Signature(official_list.signature, official_list.key)
        )
    )
    print(f"signed file: {len(content) / 1e6:.1f} MB in {seconds:.2f} s")
    print(f"checked in {timed(check_file, content, public_keys())[0]:.2f} s")
    user = User.objects.create_user(email="bench@example.org", password=None, name="Bench")
    Membership.objects.create(user=user, club=rating_list.club, role=Role.DIRECTOR)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    address = f"/direct/clubs/{rating_list.club.public_id}/results.csv"
    for _turn in range(2):  # the second one finds everything warm
        read(client, address)


def _middle(results: int) -> datetime:
    return from_moment(START + results // 2 * STEP) + timedelta(days=1)


if __name__ == "__main__":
    main()
