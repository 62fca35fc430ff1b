"""``manage.py verify_trail``: has a row of the trail of an event been changed, taken out or put in beside the program?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.checks.chained import Looked, broken_links
from tournaments.models import Event


class Command(BaseCommand):
    help = "Hash every row of the trails of events again; exit 1 if a row was changed, taken out or put in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="ID", help="public ids; without any: all events")
        parser.add_argument("--head", default="", help="a head that was noted: does it stand in the chain?")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted, head = options["events"], options["head"]
        if head and len(wanted) != 1:
            raise CommandError("A head belongs to one event: name it.")
        events = Event.objects.order_by("pk")
        if wanted:
            events = events.filter(public_id__in=wanted)
            unknown = set(wanted) - set(events.values_list("public_id", flat=True))
            if unknown:
                raise CommandError(f"There is no event {', '.join(sorted(unknown))}.")
        rows = erased = without = broken = 0
        for event in events.iterator():
            looked = Looked()
            faults = list(broken_links(event, looked, head))
            if head and not looked.knows_head:
                faults.append("the head that was noted does not stand in this chain")
            for fault in faults:
                self.stdout.write(f"{event.public_id} {event.name}: {fault}")
            rows, erased = rows + looked.rows, erased + looked.erased
            without += not event.trail_head
            broken += bool(faults)
        if broken:
            raise CommandError(f"The trail of {broken} event(s) is not as it was written.")
        self.stdout.write(f"{rows} rows, all as they were written; {erased} words erased.")
        if without:
            self.stdout.write(f"{without} event(s) have no chain yet: it begins with their next change.")
