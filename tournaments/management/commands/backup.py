"""``manage.py backup FILE``: all that the site keeps, in one file, while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.backups.services.archive import BackupRefused, checksum
from tournaments.backups.services.making import make_backup


class Command(BaseCommand):
    help = "Write database and stored files of one moment into one file; the site may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="the file to be made; its folder has to be there"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            made = make_backup(path)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(
                f"{path} could not be written: {error.strerror}. Nothing is left of it."
            ) from None
        rows = sum(table.rows for table in made.tables)
        self.stdout.write(f"{path}: {rows} rows of {len(made.tables)} tables, {len(made.files)} files.")
        self.stdout.write(f"{checksum(path)}  {path.name}")
