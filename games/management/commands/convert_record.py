"""`manage.py convert_record FILE --to FORMAT`: convert a record; losses are reported on stderr."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.messages import describe, location_label
from games.records.canonical import canonical
from games.records.decoding import MAX_BYTES
from games.records.errors import UnreadableRecord
from games.records.registry import WRITABLE, read_record, write_record
from games.rules.numbering import Numbering


class Command(BaseCommand):
    help = "Convert a game record to another format. Information that is lost is listed on standard error."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--to", required=True, choices=WRITABLE, help="the format to write")
        parser.add_argument(
            "--output", "-o", metavar="FILE", help="write to this file instead of standard output"
        )
        parser.add_argument(
            "--numbering",
            choices=[numbering.value for numbering in Numbering],
            default=Numbering.OWN.value,
            help="how plays number the points; by default from the mover's side",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"]
        try:
            with Path(name).open("rb") as file:
                result = read_record(file.read(MAX_BYTES + 1), name, Numbering(options["numbering"]))
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}") from error
        except UnreadableRecord as error:
            raise CommandError(f"{name}: {describe(error)}", returncode=2) from error
        converted = write_record(canonical(result.record), options["to"], result.analysis)
        for loss in converted.losses:
            place = location_label(loss, result.record.game_numbers)
            self.stderr.write(f"{name}: {place + ': ' if place else ''}{describe(loss)}")
        if options["output"]:
            try:
                Path(options["output"]).write_bytes(converted.data)
            except OSError as error:
                raise CommandError(f"{options['output']}: {error.strerror}") from error
        else:
            self.stdout.write(converted.data.decode(), ending="")
