"""``manage.py check_events``: is what is stored of the events in itself right? For after a crash or a restored backup."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.checks.soundness import faults_of
from tournaments.models import Event


class Command(BaseCommand):
    help = "Compare what is stored of events with what engine, audit trail and ledger say; exit 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="ID", help="public ids; without any: all events")

    def handle(self, *args: Any, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        if wanted := options["events"]:
            events = events.filter(public_id__in=wanted)
            unknown = set(wanted) - set(events.values_list("public_id", flat=True))
            if unknown:
                raise CommandError(f"There is no event {', '.join(sorted(unknown))}.")
        looked_at = unsound = 0
        for event in events.iterator():
            faults = faults_of(event)
            for fault in faults:
                self.stdout.write(f"{event.public_id} {event.name}: {fault}")
            looked_at += 1
            unsound += bool(faults)
        if unsound:
            raise CommandError(f"{unsound} of {looked_at} events do not fit.")
        self.stdout.write(f"{looked_at} events, all sound.")
