"""``manage.py simulate_events``: play random events, and check each after every step."""

import itertools
import time
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.actors import Actor
from people.models import Club
from tournaments.checks.simulation.kinds import FORMAT_NAMES
from tournaments.checks.simulation.whole_event import InconsistentEvent, RandomEvent
from tournaments.models import Match
from tournaments.site.services.clubs import create_club_with_list

CLUB_NAME = "Simulated events"


class Command(BaseCommand):
    help = "Play random events of every system through the services, and stop at the first one with inconsistent data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--events", type=int, default=1000, help="number of events (default: %(default)s)"
        )
        parser.add_argument(
            "--seed",
            type=int,
            default=1,
            help="seed of the first event; each further event uses the next number",
        )
        parser.add_argument(
            "--largest", type=int, default=300, help="maximum number of entries (default: %(default)s)"
        )
        parser.add_argument(
            "--kind",
            action="append",
            choices=FORMAT_NAMES,
            help="play only events of this kind; can be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        director = Actor.program()
        club = Club.objects.filter(name=CLUB_NAME).first() or create_club_with_list(
            actor=director, name=CLUB_NAME
        )
        steps: Counter[str] = Counter()
        format_counts: Counter[str] = Counter()
        sizes = []
        started_at = time.perf_counter()
        kinds = options["kind"] or FORMAT_NAMES
        seeds = (
            seed
            for seed in itertools.count(options["seed"])
            if FORMAT_NAMES[seed % len(FORMAT_NAMES)] in kinds
        )
        for seed in itertools.islice(seeds, options["events"]):
            simulated = RandomEvent(seed=seed, club=club, director=director, max_entries=options["largest"])
            try:
                simulated.run()
            except InconsistentEvent as error:
                raise CommandError(str(error)) from error
            steps += simulated.counts
            format_counts[simulated.format_name] += 1
            sizes.append(simulated.entries)
        seconds = time.perf_counter() - started_at
        self.stdout.write(
            f"{len(sizes)} events of {min(sizes)} to {max(sizes)} entries, {sum(steps.values())} steps, "
            f"{Match.objects.filter(stage__division__event__club=club).count()} matches in {seconds:.0f} s: all consistent."
        )
        for name, count in sorted(format_counts.items()):
            self.stdout.write(f"  {name}: {count}")
        for name, count in sorted(steps.items()):
            self.stdout.write(f"  {name}: {count}")
