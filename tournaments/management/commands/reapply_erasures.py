"""``manage.py reapply_erasures``: after restoring a backup, repeat the erasures made since. Idempotent."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.messages import describe_all
from tournaments.site.services.forgetting import reapply_erasures


class Command(BaseCommand):
    help = "After a restore, erase players and accounts again that were erased after the backup. Their IDs are kept in ERASURES_FILE."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--file", type=Path, help="use this file instead of ERASURES_FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["file"] is not None and not options["file"].is_file():
            raise CommandError(f"File not found: {options['file']}.")
        result = reapply_erasures(file=options["file"])
        for error in result.errors:
            self.stderr.write(f"Not erased: {' '.join(describe_all(error))}")
        if result.players or result.accounts:
            self.stdout.write(f"Erased again: {result.players} players, {result.accounts} accounts.")
