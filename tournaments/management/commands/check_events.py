"""``manage.py check_events``: is what is stored of the events in itself right? For after a crash or a restored backup."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.rows import one_or_none
from tournaments.checks.soundness import faults_of
from tournaments.models import Event

LINES = 200


class Command(BaseCommand):
    help = "Compare what is stored of events with what engine, audit trail and ledger say; exit 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="ID", help="public ids; without any: all events")
        parser.add_argument(
            "--lines", type=int, default=LINES, help=f"so many faults are written out at most ({LINES})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        if wanted := options["events"]:
            events = events.filter(public_id__in=wanted)
            unknown = set(wanted) - set(events.values_list("public_id", flat=True))
            if unknown:
                raise CommandError(f"There is no event {', '.join(sorted(unknown))}.")
        looked_at = unsound = written = 0
        # By their ids, one after the other: no cursor of the server's stays open, which a pooler could not keep.
        for pk in list(events.values_list("pk", flat=True)):
            event = one_or_none(Event.objects.filter(pk=pk))
            if event is None:
                continue
            faults = faults_of(event)
            for fault in faults[: max(0, options["lines"] - written)]:
                self.stdout.write(f"{event.public_id} {event.name}: {fault}")
            written += len(faults)
            looked_at += 1
            unsound += bool(faults)
        if written > options["lines"]:
            self.stdout.write(f"… and {written - options['lines']} more faults.")
        if unsound:
            raise CommandError(f"{unsound} of {looked_at} events do not fit.")
        self.stdout.write(f"{looked_at} events, all sound.")
