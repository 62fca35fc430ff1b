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
from tournaments.engine.matrix import CHECKED_IN, PAID, Cell, CellChange
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
    where = {"actor": actor, "event_id": event.pk}
    for number in range(1, divisions):
        room = people * 3 // 4 if number == divisions - 1 else None
        details = DivisionDetails(name=f"Side {number}", capacity=room, stages=[StageDetails(lengths=[5])])
        add_division(**where, division=details, first_name="Open")
    names = [NewEntry(name=name) for name in people_names(people, random.Random(7))]
    for division in Division.objects.filter(event=event).order_by("position"):
        made = add_entries(**where, division_id=division.pk, entries=names[: division.capacity])
        if names[len(made) :]:  # the others wait
            stands = [
                (person.public_id, person.cells[division.pk].state)
                for person in load_players_table(event).people
            ]
            out = [Cell(name, str(division.pk)) for name, state in stands if state == "out"]
            save_players_table(**where, changes=[CellChange(cell, "out", "in") for cell in out])
        names = [NewEntry(player_id=entry.players.get().pk) for entry in made]
        open_check_in(**where, division_id=division.pk)
    return event


def shown(words: str, work) -> None:
    """Print the processor time of the quickest of some runs, and the statements of one."""
    cache.clear()
    _took, statements, answer = timed(work)
    spent = []
    for _ in range(RUNS):
        cache.clear()
        began = time.process_time()
        work()
        spent.append(1000 * (time.process_time() - began))
    over = "  OVER" if min(spent) > LIMIT else ""
    print(f"{min(spent):6.0f} ms {statements:4} statements {len(answer.content):>9,} bytes  {words}{over}")


def once(words: str, work) -> object:
    """Print what a change takes that cannot be made twice."""
    began = time.process_time()
    _took, statements, answer = timed(work)
    print(f"{1000 * (time.process_time() - began):6.0f} ms {statements:4} statements  {words}")
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
    where = {"actor": Actor.of(user), "event_id": event.pk}
    people = load_players_table(event).people
    marks = [
        CellChange(Cell(person.public_id, column), "no", "yes")
        for person in people
        for column in (CHECKED_IN, PAID)
    ]
    saved = once(
        f"one save: all {len(people)} are here and have paid",
        lambda: save_players_table(**where, changes=marks),
    )
    once("that save undone", lambda: undo_last_save(**where, audit_id=saved.audit_id))
    last = Division.objects.filter(event=event).order_by("-position")[0]
    leaving = [
        CellChange(Cell(person.public_id, str(last.pk)), "in", "out")
        for person in people
        if person.cells[last.pk].state == "in"
    ][:8]
    once(
        f"one save: {len(leaving)} leave, and as many move up",
        lambda: save_players_table(**where, changes=leaving),
    )


if __name__ == "__main__":
    main()
