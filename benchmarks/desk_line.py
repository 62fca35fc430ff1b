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


def timed(call):
    """Milliseconds by the clock and of this process alone (other work on the machine is not in them), statements, result."""
    cpu_start = time.process_time()
    clock_ms, queries, result = by_the_clock(call)
    return (clock_ms, 1000 * (time.process_time() - cpu_start)), queries, result


def names_at(match: Match) -> list[str]:
    return [slot.entry.name for slot in match.slots.order_by("side").select_related("entry")]


def shown(label: str, runs: list[tuple[tuple[float, float], int, int, int]]) -> None:
    clock_times, cpu_times = ([run[0][index] for run in runs] for index in (0, 1))
    queries = [run[1] for run in runs]
    bytes_text = (
        ""
        if not runs[0][3]
        else f", {max(r[2] for r in runs)} bytes sent, {max(r[3] for r in runs)} answered"
    )
    print(
        f"{label}: median {statistics.median(clock_times):.1f} ms, slowest {max(clock_times):.1f} ms, CPU {statistics.median(cpu_times):.1f} ms, "
        f"{min(queries)}–{max(queries)} statements{bytes_text}, {len(runs)} runs"
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
    previews, submissions, services, keys = [], [], [], []
    client.get(url, {"line": "12"}, **SCRIPT)
    for first_match, second_match in zip(matches[::2], matches[1::2], strict=True):
        name = names_at(first_match)[0].split()[0].lower()[:4]
        line = f"{first_match.table} {name} 3"
        times, queries, answer = timed(lambda line=line: client.get(url, {"line": line}, **SCRIPT))
        assert answer.status_code == 200, (answer.status_code, answer.headers, answer.content[:300])
        meanings = answer.json()["meanings"]
        previews.append((times, queries, len(answer.request["QUERY_STRING"]), len(answer.content)))
        token = meanings[0]["mark"]
        key = f"{first_match.pk:032x}"
        data = {
            "line": line,
            "mark": token,
            "submission_key": key,
            "back": "",
            "csrfmiddlewaretoken": 64 * "x",
        }
        times, queries, answer = timed(lambda data=data: client.post(url, data, **SCRIPT))
        assert "done" in answer.json(), answer.json()
        bytes_sent = int(answer.request["CONTENT_LENGTH"])
        submissions.append((times, queries, bytes_sent, len(answer.content)))
        keys.append(len(f"/{line}") + 1)
        claim = simulation.result(
            second_match.length, {slot.side: slot.entry for slot in second_match.slots.all()}
        )
        times, queries, _ = timed(
            lambda second_match=second_match, claim=claim: submit_report(
                actor=simulation.director,
                match_id=second_match.pk,
                entry=None,
                claim=claim,
                submission_key=f"s-{second_match.pk}",
            )
        )
        services.append((times, queries, 0, 0))
    shown("preview of a result at each pause", previews)
    shown("Enter: the result by the line (limit 60 ms)", submissions)
    shown("yardstick: the service alone", services)
    for line in ("call", "smith", "undo", "swap 1 2", "out a", "bob 3"):
        answer = client.get(url, {"line": line}, **SCRIPT)
        runs = [timed(lambda line=line: client.get(url, {"line": line}, **SCRIPT)) for _ in range(9)]
        shown(f"preview of “{line}”", [(t, q, 0, 0) for t, q, _ in runs])
        assert answer.status_code == 200
    print(f"keys a result, slash and Enter counted: {min(keys)}–{max(keys)}")


if __name__ == "__main__":
    main()
