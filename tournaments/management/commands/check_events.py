"""``manage.py check_events``: check the stored events for consistency, after a crash or a restored backup."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.rows import one_or_none
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event

MAX_LINES = 200


class Command(BaseCommand):
    help = "Compare stored events with the engine, audit log and ledger. Exit status 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="ID", help="public IDs of events (default: all)")
        parser.add_argument(
            "--lines",
            type=int,
            default=MAX_LINES,
            help=f"maximum number of faults to print (default: {MAX_LINES})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        if public_ids := options["events"]:
            events = events.filter(public_id__in=public_ids)
            unknown = set(public_ids) - set(events.values_list("public_id", flat=True))
            if unknown:
                raise CommandError(f"Event not found: {', '.join(sorted(unknown))}.")
        checked_count = unsound_count = fault_count = 0
        # One by one by id: no server-side cursor stays open, which a connection pooler does not support.
        for pk in list(events.values_list("pk", flat=True)):
            event = one_or_none(Event.objects.filter(pk=pk))
            if event is None:
                continue
            faults = integrity_faults(event)
            for fault in faults[: max(0, options["lines"] - fault_count)]:
                self.stdout.write(f"{event.public_id} {event.name}: {fault}")
            fault_count += len(faults)
            checked_count += 1
            unsound_count += bool(faults)
        if fault_count > options["lines"]:
            self.stdout.write(f"… and {fault_count - options['lines']} more.")
        if unsound_count:
            raise CommandError(f"Inconsistent events: {unsound_count} of {checked_count}.")
        self.stdout.write(f"Events checked: {checked_count}, all consistent.")
