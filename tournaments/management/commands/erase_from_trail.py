"""``manage.py erase_from_trail "Omar Bakri"``: erase a name from the audit logs of all events.

Their hash chains stay valid.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.events.services.erasing import erase_from_audit_log
from tournaments.models import Event

REPLACEMENT = "former player"


class Command(BaseCommand):
    help = "Replace a name in the audit logs of events. Digests of the replaced text are kept, so the logs can still be verified."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name as written in the audit log")
        parser.add_argument("--instead", default=REPLACEMENT, help=f"replacement (default: {REPLACEMENT})")
        parser.add_argument(
            "--events", nargs="*", default=[], metavar="ID", help="public IDs of events (default: all)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"].strip()
        if not name:
            raise CommandError("Enter a name.")
        events = Event.objects.order_by("pk")
        if options["events"]:
            events = events.filter(public_id__in=options["events"])
        rows = 0
        for pk in list(events.values_list("pk", flat=True)):
            rows += erase_from_audit_log(event_id=pk, name=name, replacement=options["instead"])
        self.stdout.write(f"{name} was replaced in {rows} rows.")
