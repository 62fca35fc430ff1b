"""``manage.py backup FILE``: back up the whole site to one file while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.backups.services.archive import BackupRefused, checksum
from tournaments.backups.services.making import make_backup


class Command(BaseCommand):
    help = "Back up the database and the stored files to one file. The site can keep running."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="the file to create, in an existing folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            manifest = make_backup(path)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(
                f"{path} could not be written: {error.strerror}. The incomplete file was removed."
            ) from None
        rows = sum(table.rows for table in manifest.tables)
        self.stdout.write(
            f"{path}: {rows} rows in {len(manifest.tables)} tables, {len(manifest.files)} files."
        )
        self.stdout.write(f"{checksum(path)}  {path.name}")
