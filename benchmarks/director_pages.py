"""Measure every director page at a large event: CPU time, statements and bytes, most expensive first.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/director_pages.py [--entries N] [--tables N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). The pages come from the URL table, so
new ones are measured automatically. Each is measured for the same event in four states: entered; drawn but not published; running
(`board.py`); and a Swiss event after its first round. Pages are requested through Django's test client and rendered again each time.
"""

import argparse
import itertools
import random
import time
from collections.abc import Iterator

from board import EMAIL, PASSWORD, full_hall
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from events import call_command, connection, timed

from people.actors import Actor
from people.models import User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import submit_report
from tournaments.models import Division, Entry, Event, Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.site.web.paper import PAPERS

LIMIT = 250  # milliseconds
RUNS = 3
NOT_SHOWN = {"line"}  # no page: see desk_line.py


def entered(user: User, entries: int, tables: int, rng: random.Random, **stage: object) -> Event:
    """An event with everybody in it, and nothing drawn."""
    actor = Actor.of(user)
    today = timezone.now().date()
    event = create_event(
        actor=actor,
        club_id=user.memberships.get().club_id,
        details=EventDetails(name="Large open", starts_on=today, ends_on=today, tables=tables),
        stage=StageDetails(**{"lengths": [7], **stage}),
    )
    division = Division.objects.get(event=event)
    names = [NewEntry(name=name) for name in people_names(entries, rng)]
    add_entries(actor=actor, event_id=event.pk, division_id=division.pk, entries=names)
    return event


def drawn(user: User, entries: int, tables: int, rng: random.Random) -> Event:
    event = entered(user, entries, tables, rng)
    draw_stage(
        actor=Actor.of(user), event_id=event.pk, stage_id=Stage.objects.get(division__event=event).pk, seed=1
    )
    return event


def swiss(user: User, entries: int, tables: int, rng: random.Random) -> Event:
    """One round played, the next one paired and not published."""
    settings_of_swiss = SwissSettings(rounds=9)
    event = entered(user, entries, tables, rng, system="swiss", swiss=settings_of_swiss)
    arguments = {
        "actor": Actor.of(user),
        "event_id": event.pk,
        "stage_id": Stage.objects.get(division__event=event).pk,
    }
    publish_round(**arguments, seen=pair_next_round(**arguments, seed=1).version)
    for match in Match.objects.filter(stage=arguments["stage_id"], status="ready"):
        claim = Claim(7, rng.randrange(7))
        submit_report(
            actor=arguments["actor"],
            match_id=match.pk,
            entry=None,
            claim=claim,
            submission_key=f"s{match.pk}",
        )
    pair_next_round(**arguments, seed=2)
    return event


def values_of(event: Event) -> dict[str, list[str]]:
    """What can stand in an address of this event: one of each kind of match, the first stage, every paper."""
    matches = Match.objects.filter(stage__division__event=event).order_by("number")
    kinds = dict(matches.exclude(result_kind="bye").values_list("status", "public_id"))
    entry = Entry.objects.filter(division__event=event).order_by("pk").first()
    division = Division.objects.filter(event=event).order_by("position")[0]
    assert entry is not None
    return {
        "event": [event.public_id],
        "club": [event.club.public_id],
        "match": list(kinds.values()),
        "entry": [entry.public_id],
        "division": [str(division.pk)],
        "stage": [str(Stage.objects.filter(division=division)[0].pk)],
        "kind": list(PAPERS),
    }


def addresses(event: Event) -> Iterator[str]:
    """Every address of a director's, and of the lists of the club, whose parts are known."""
    values = values_of(event)
    for namespace in ("director", "people"):
        for pattern in patterns_of(namespace):
            names = list(pattern.pattern.converters)
            if pattern.name in NOT_SHOWN or not all(name in values for name in names):
                continue
            for combination in itertools.product(*(values[name] for name in names)):
                yield reverse(
                    f"{namespace}:{pattern.name}", kwargs=dict(zip(names, combination, strict=True))
                )
    board = reverse("director:board", args=[event.public_id])
    yield from (f"{board}?sort=state", f"{board}?all=1")
    for kind in ("tables", "names"):
        yield f"{reverse('director:paper', args=[event.public_id, kind])}?large=1"


def patterns_of(namespace: str) -> list[URLPattern]:
    """The addresses of a part of the site."""
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and resolver.namespace == namespace:
            return [pattern for pattern in resolver.url_patterns if isinstance(pattern, URLPattern)]
    raise LookupError(namespace)


def measured(client: Client, address: str) -> tuple[float, int, int] | None:
    """Processor time of the page drawn anew, its statements and bytes; nothing where the address answers no page to look at."""
    cache.clear()
    _took, statements, answer = timed(lambda: client.get(address))
    if answer.status_code != 200:
        return None
    size = len(b"".join(answer.streaming_content)) if answer.streaming else len(answer.content)
    times = []
    for _ in range(RUNS):
        cache.clear()
        start = time.process_time()
        client.get(address)
        times.append(1000 * (time.process_time() - start))
    return min(times), statements, size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument(
        "--least", type=int, default=50, help="show only pages that take at least this many milliseconds"
    )
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    user = User.objects.create_user(EMAIL, PASSWORD, name="Dora Director")
    rng = random.Random(7)
    size = (options.entries, options.tables, rng)
    events = {"under way": full_hall(user, *size)}
    events |= {"entered": entered(user, *size), "drawn": drawn(user, *size), "swiss": swiss(user, *size)}
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    print(
        f"database: {connection.vendor}; {options.entries} entries, {options.tables} tables; limit {LIMIT} ms"
    )
    rows = []
    for state, event in events.items():
        for address in addresses(event):
            measurement = measured(client, address)
            if measurement is not None:
                short_address = address.replace(event.public_id, "…").replace(event.club.public_id, "…")
                rows.append((*measurement, state, short_address))
    for milliseconds, statements, bytes_sent, state, address in sorted(rows, reverse=True):
        if milliseconds >= options.least:
            warning = "  OVER" if milliseconds > LIMIT else ""
            print(
                f"{milliseconds:6.0f} ms {statements:4} statements {bytes_sent:>9,} bytes  {state:9} {address}{warning}"
            )
    slow_count = sum(row[0] > LIMIT for row in rows)
    print(
        f"{len(rows)} pages, {slow_count} above {LIMIT} ms, {sum(row[0] < options.least for row in rows)} below {options.least} ms"
    )


if __name__ == "__main__":
    main()
