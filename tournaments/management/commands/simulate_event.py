"""``manage.py simulate_event``: play a whole event through the services, and print its results."""

import random
import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import F
from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe_all
from people.models import Club
from tournaments.checks.simulation import new_event, people_names
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.new_entry import NewEntry
from tournaments.events.services.events import EventDetails
from tournaments.events.services.stages import StageDetails
from tournaments.models import Entry, MatchSlot, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.standings.tables import is_round_based, standings_table
from tournaments.site.services.clubs import create_club_with_list

CLUB_NAME = "Simulated events"


class Command(BaseCommand):
    help = "Play a whole random event through the services. The same seed gives the same event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--system",
            choices=Stage.System.values,
            default=Stage.System.SINGLE_ELIMINATION,
            help="tournament system (default: %(default)s)",
        )
        parser.add_argument(
            "--entries",
            type=int,
            default=16,
            help=f"number of entries, {MIN_ENTRIES} to {MAX_ENTRIES} (default: %(default)s)",
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="seed of the randomness (default: %(default)s)"
        )
        parser.add_argument(
            "--lengths",
            default="5,5,7,9",
            help="match lengths of the last rounds, ending with the final (default: %(default)s)",
        )
        parser.add_argument("--public", action="store_true", help="list the event publicly")

    def handle(self, *args: Any, **options: Any) -> None:
        count, seed = options["entries"], options["seed"]
        if not MIN_ENTRIES <= count <= MAX_ENTRIES:
            raise CommandError(f"--entries must be between {MIN_ENTRIES} and {MAX_ENTRIES}.")
        try:
            lengths = [int(part) for part in options["lengths"].split(",")]
        except ValueError:
            raise CommandError(
                "--lengths must be whole numbers separated by commas, for example 5,5,7,9."
            ) from None
        rng = random.Random(seed)  # noqa: S311 (a simulation has to be repeatable)
        director = Actor.program()
        club = Club.objects.filter(name=CLUB_NAME).first() or create_club_with_list(
            actor=director, name=CLUB_NAME
        )
        today = timezone.localdate()
        started_at = time.perf_counter()
        try:
            simulation = new_event(
                club=club,
                director=director,
                details=EventDetails(
                    name=f"Simulation {seed}: {count} entries",
                    starts_on=today,
                    ends_on=today + timedelta(days=1),
                    visibility="public" if options["public"] else "unlisted",
                    tables=max(1, min(999, count // 2)),
                ),
                stage=StageDetails(lengths=lengths, system=options["system"]),
                entries=[NewEntry(name=name) for name in people_names(count, rng)],
                rng=rng,
            )
            entered_at = time.perf_counter()
            simulation.draw(seed)
            drawn_at = time.perf_counter()
            played_count = simulation.play_all()
        except CrawfordError as error:
            raise CommandError(" ".join(describe_all(error))) from error
        finished_at = time.perf_counter()
        self.stdout.write(
            f"{simulation.event.name}: /e/{simulation.event.public_id}/ is {simulation.event.status}."
        )
        self.stdout.write(f"Winner: {_winner(simulation.stage)}")
        self.stdout.write(
            f"{count} entries entered in {entered_at - started_at:.2f} s, drawn and published in {drawn_at - entered_at:.2f} s, "
            f"{played_count} matches in {finished_at - drawn_at:.2f} s ({1000 * (finished_at - drawn_at) / max(1, played_count):.1f} ms each)."
        )


def _winner(stage: Stage) -> str:
    """Return the name of a bracket's winner or of those who lead a table; “–” if there is none."""
    if is_round_based(stage):
        first = [row.entry for row in standings_table(load_draw(stage)).rows if row.first == 1]
        return ", ".join(Entry.objects.filter(pk__in=first).order_by("pk").values_list("name", flat=True))
    slot = (
        MatchSlot.objects.filter(match__stage=stage, side=F("match__winner_side"))
        .select_related("entry")
        .order_by("-match__number")
        .first()
    )
    return slot.entry.name if slot is not None and slot.entry is not None else "–"
