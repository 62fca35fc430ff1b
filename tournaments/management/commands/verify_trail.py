"""``manage.py verify_trail``: check that no row of an event's audit log was changed, removed or inserted."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.models import Event


class Command(BaseCommand):
    help = "Verify the hashes of the audit logs of events. Exit status 1 if a row was changed, removed or inserted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="ID", help="public IDs of events (default: all)")
        parser.add_argument(
            "--head", default="", help="an audit log head that was noted, to check that it is part of the log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        public_ids, head = options["events"], options["head"]
        if head and len(public_ids) != 1:
            raise CommandError("With --head, name exactly one event.")
        events = Event.objects.order_by("pk")
        if public_ids:
            events = events.filter(public_id__in=public_ids)
            unknown = set(public_ids) - set(events.values_list("public_id", flat=True))
            if unknown:
                raise CommandError(f"Event not found: {', '.join(sorted(unknown))}.")
        rows = erased_count = unhashed_count = broken_count = 0
        for event in events.iterator():
            summary = ChainSummary()
            faults = list(broken_links(event, summary, head))
            if head and not summary.has_noted_head:
                faults.append("the noted head is not part of this audit log")
            for fault in faults:
                self.stdout.write(f"{event.public_id} {event.name}: {fault}")
            rows, erased_count = rows + summary.rows, erased_count + summary.erased
            unhashed_count += not event.trail_head
            broken_count += bool(faults)
        if broken_count:
            raise CommandError(f"Events with a changed audit log: {broken_count}.")
        self.stdout.write(f"Rows checked: {rows}, none changed. Erased texts: {erased_count}.")
        if unhashed_count:
            self.stdout.write(
                f"Events whose audit log is not yet hashed: {unhashed_count}. This begins with their next change."
            )
