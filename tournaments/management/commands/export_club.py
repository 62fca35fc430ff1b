"""``manage.py export_club ID FILE``: a club as one signed file, for another site."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.models import Club
from tournaments.backups.services.archive import BackupRefused, checksum
from tournaments.bundles.services.exporting import export_club


class Command(BaseCommand):
    help = "Write a club, with all its events, players, lists and its ledger, into one signed file; the site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", metavar="ID", help="its public id, which stands in its address")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to be made")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(public_id=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club {options['club']}.")
        path: Path = options["file"]
        try:
            made = export_club(path, club_id=club.pk)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror}.") from None
        self.stdout.write(f"{path}: {made.name}, {sum(table.rows for table in made.tables)} rows.")
        self.stdout.write(f"{checksum(path)}  {path.name}")
