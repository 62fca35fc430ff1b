"""Measure the table of players and divisions: the page, one save of many cells, the same through the API, and undoing the save.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/matrix.py [--people N] [--divisions N]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Everyone is entered in every division;
the last division has places for three quarters of them. A check-in is open in all divisions.
"""

import argparse
import random
import time

from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from events import call_command, connection, people_names, timed

from people.actors import Actor
from people.models import User
from tournaments.check_in.services.windows import open_check_in
from tournaments.engine.matrix import CHECKED_IN_COLUMN, PAID_COLUMN, Cell, CellChange
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.models import Division, Event
from tournaments.selectors.matrix import load_players_table
from tournaments.site.services.clubs import create_club_with_list

RUNS = 5
LIMIT = 250  # milliseconds of a page


def filled(user: User, people: int, divisions: int) -> Event:
    """Everybody in every division."""
    actor = Actor.of(user)
    club, today = create_club_with_list(actor=actor, name="Benchmark"), timezone.now().date()
    details = EventDetails(name="Large weekend", starts_on=today, ends_on=today)
    event = create_event(actor=actor, club_id=club.pk, details=details, stage=StageDetails(lengths=[7]))
    arguments = {"actor": actor, "event_id": event.pk}
    for number in range(1, divisions):
        capacity = people * 3 // 4 if number == divisions - 1 else None
        details = DivisionDetails(
            name=f"Side {number}", capacity=capacity, stages=[StageDetails(lengths=[5])]
        )
        add_division(**arguments, division=details, first_name="Open")
    names = [NewEntry(name=name) for name in people_names(people, random.Random(7))]
    for division in Division.objects.filter(event=event).order_by("position"):
        entries = add_entries(**arguments, division_id=division.pk, entries=names[: division.capacity])
        if names[len(entries) :]:  # the others wait
            states = [
                (person.public_id, person.cells[division.pk].state)
                for person in load_players_table(event).people
            ]
            cells = [Cell(name, str(division.pk)) for name, state in states if state == "out"]
            save_players_table(**arguments, changes=[CellChange(cell, "out", "in") for cell in cells])
        names = [NewEntry(player_id=entry.players.get().pk) for entry in entries]
        open_check_in(**arguments, division_id=division.pk)
    return event


def shown(label: str, call) -> None:
    """Print the processor time of the quickest of some runs, and the statements of one."""
    cache.clear()
    _took, statements, answer = timed(call)
    times = []
    for _ in range(RUNS):
        cache.clear()
        start = time.process_time()
        call()
        times.append(1000 * (time.process_time() - start))
    warning = "  OVER" if min(times) > LIMIT else ""
    print(f"{min(times):6.0f} ms {statements:4} statements {len(answer.content):>9,} bytes  {label}{warning}")


def once(label: str, call) -> object:
    """Print what a change takes that cannot be made twice."""
    start = time.process_time()
    _took, statements, answer = timed(call)
    print(f"{1000 * (time.process_time() - start):6.0f} ms {statements:4} statements  {label}")
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=128)
    parser.add_argument("--divisions", type=int, default=4)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    user = User.objects.create_user("dora@example.org", "crawford-bench", name="Dora Director")
    event = filled(user, options.people, options.divisions)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    print(
        f"database: {connection.vendor}; {options.people} people, {options.divisions} divisions; limit {LIMIT} ms"
    )
    shown("the page", lambda: client.get(reverse("director:matrix", args=[event.public_id])))
    shown("the API", lambda: client.get(reverse("api:matrix", args=[event.public_id])))
    arguments = {"actor": Actor.of(user), "event_id": event.pk}
    people = load_players_table(event).people
    ticks = [
        CellChange(Cell(person.public_id, column), "no", "yes")
        for person in people
        for column in (CHECKED_IN_COLUMN, PAID_COLUMN)
    ]
    result = once(
        f"one save: all {len(people)} are here and have paid",
        lambda: save_players_table(**arguments, changes=ticks),
    )
    once("that save undone", lambda: undo_last_save(**arguments, audit_id=result.audit_id))
    last = Division.objects.filter(event=event).order_by("-position")[0]
    leaving = [
        CellChange(Cell(person.public_id, str(last.pk)), "in", "out")
        for person in people
        if person.cells[last.pk].state == "in"
    ][:8]
    once(
        f"one save: {len(leaving)} leave, and as many move up",
        lambda: save_players_table(**arguments, changes=leaving),
    )


if __name__ == "__main__":
    main()
