"""``manage.py export_event ID FILE``: an event as one signed file, for another site."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.backups.services.archive import BackupRefused, checksum
from tournaments.bundles.services.exporting import export_event
from tournaments.models import Event


class Command(BaseCommand):
    help = "Write an event, with its players, its records and its trail, into one signed file; the site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="ID", help="its public id, which stands in its address")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to be made")

    def handle(self, *args: Any, **options: Any) -> None:
        event = Event.objects.filter(public_id=options["event"]).first()
        if event is None:
            raise CommandError(f"There is no event {options['event']}.")
        path: Path = options["file"]
        try:
            made = export_event(path, event_id=event.pk)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror}.") from None
        self.stdout.write(f"{path}: {made.name}, {sum(table.rows for table in made.tables)} rows.")
        self.stdout.write(f"{checksum(path)}  {path.name}")
