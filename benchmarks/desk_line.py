"""Measure the command bar at a large event: a preview, and confirming it, with the service that records a result for comparison.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/desk_line.py [--entries N] [--tables N] [--results N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Requests go through Django's test
client as a director: the figures include sign-in, middleware and response, but no web server or network. The comparison is the service
alone, for other matches of the same event, in turn with the command bar.
"""

import argparse
import random
import statistics
import time

from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from events import call_command, connection, create
from events import timed as by_the_clock

from people.models import Membership, Role, User
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, Match

SCRIPT = {"HTTP_X_REQUESTED_WITH": "desk"}


def timed(work):
    """Milliseconds by the clock and of this process alone (other work on the machine is not in them), statements, result."""
    began = time.process_time()
    took, queries, result = by_the_clock(work)
    return (took, 1000 * (time.process_time() - began)), queries, result


def names_at(match: Match) -> list[str]:
    return [slot.entry.name for slot in match.slots.order_by("side").select_related("entry")]


def shown(label: str, runs: list[tuple[tuple[float, float], int, int, int]]) -> None:
    took, own = ([run[0][way] for run in runs] for way in (0, 1))
    queries = [run[1] for run in runs]
    bytes_ = (
        ""
        if not runs[0][3]
        else f", {max(r[2] for r in runs)} bytes sent, {max(r[3] for r in runs)} answered"
    )
    print(
        f"{label}: median {statistics.median(took):.1f} ms, slowest {max(took):.1f} ms, CPU {statistics.median(own):.1f} ms, "
        f"{min(queries)}–{max(queries)} statements{bytes_}, {len(runs)} runs"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--results", type=int, default=60)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    print(f"database: {connection.vendor}")
    simulation = create(options.entries, random.Random(7))
    today = timezone.now().date()
    Event.objects.update(tables=options.tables, starts_on=today, ends_on=today)
    Match.objects.filter(table__gt=options.tables).update(table=None)
    event = Event.objects.get()
    user = User.objects.create_user("bench@example.org", name="Bench")
    Membership.objects.create(user=user, club=event.club, role=Role.DIRECTOR)
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    url = reverse("director:line", args=[event.public_id])
    matches = list(
        Match.objects.filter(table__isnull=False, status="ready").order_by("table")[: 2 * options.results]
    )
    previews, enters, services, keys = [], [], [], []
    client.get(url, {"line": "12"}, **SCRIPT)
    for own, other in zip(matches[::2], matches[1::2], strict=True):
        name = names_at(own)[0].split()[0].lower()[:4]
        line = f"{own.table} {name} 3"
        took, queries, answer = timed(lambda line=line: client.get(url, {"line": line}, **SCRIPT))
        assert answer.status_code == 200, (answer.status_code, answer.headers, answer.content[:300])
        meanings = answer.json()["meanings"]
        previews.append((took, queries, len(answer.request["QUERY_STRING"]), len(answer.content)))
        mark = meanings[0]["mark"]
        key = f"{own.pk:032x}"
        data = {
            "line": line,
            "mark": mark,
            "submission_key": key,
            "back": "",
            "csrfmiddlewaretoken": 64 * "x",
        }
        took, queries, answer = timed(lambda data=data: client.post(url, data, **SCRIPT))
        assert "done" in answer.json(), answer.json()
        sent = int(answer.request["CONTENT_LENGTH"])
        enters.append((took, queries, sent, len(answer.content)))
        keys.append(len(f"/{line}") + 1)
        claim = simulation.result(other.length, {slot.side: slot.entry for slot in other.slots.all()})
        took, queries, _ = timed(
            lambda other=other, claim=claim: submit_report(
                actor=simulation.director,
                match_id=other.pk,
                entry=None,
                claim=claim,
                submission_key=f"s-{other.pk}",
            )
        )
        services.append((took, queries, 0, 0))
    shown("preview of a result at each pause", previews)
    shown("Enter: the result by the line (limit 60 ms)", enters)
    shown("yardstick: the service alone", services)
    for line in ("call", "smith", "undo", "swap 1 2", "out a", "bob 3"):
        answer = client.get(url, {"line": line}, **SCRIPT)
        runs = [timed(lambda line=line: client.get(url, {"line": line}, **SCRIPT)) for _ in range(9)]
        shown(f"preview of “{line}”", [(t, q, 0, 0) for t, q, _ in runs])
        assert answer.status_code == 200
    print(f"keys a result, slash and Enter counted: {min(keys)}–{max(keys)}")


if __name__ == "__main__":
    main()
