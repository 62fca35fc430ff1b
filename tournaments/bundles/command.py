"""Base classes of the commands that export and import events and clubs."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from people.models import Club, User
from people.rows import one_or_none
from people.signing import parse_keys
from rating.selectors.official import public_keys
from tournaments.backups.services.archive import BackupRefused, checksum
from tournaments.bundles.services.exporting import CLUB_KIND, EVENT_KIND, export_club, export_event
from tournaments.bundles.services.importing import import_bundle
from tournaments.models import Event

_MODELS: Mapping[str, type[Club | Event]] = {CLUB_KIND: Club, EVENT_KIND: Event}


class ExportCommand(BaseCommand):
    """Command that writes a bundle of an event or club, whichever ``of`` says, named by its public id."""

    of = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(self.of, metavar="ID", help="public ID, from the address of its page")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to create")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the bundle, and print its contents and checksum."""
        public_id: str = options[self.of]
        subject = one_or_none(_MODELS[self.of].objects.filter(public_id=public_id))
        if subject is None:
            raise CommandError(f"{self.of.capitalize()} not found: {public_id}.")
        path: Path = options["file"]
        try:
            if self.of == CLUB_KIND:
                manifest = export_club(path, club_id=subject.pk)
            else:
                manifest = export_event(path, event_id=subject.pk)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror}.") from None
        self.stdout.write(f"{path}: {manifest.name}, {sum(table.rows for table in manifest.tables)} rows.")
        self.stdout.write(f"{checksum(path)}  {path.name}")


class ImportCommand(BaseCommand):
    """Command that imports a bundle of an event or club, whichever ``of`` says."""

    of = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the file that the other site exported")
        parser.add_argument(
            "--key", type=Path, metavar="KEYS", help="that site's /.well-known/crawford, saved to a file"
        )
        parser.add_argument(
            "--owner",
            default="",
            metavar="EMAIL",
            help="account that becomes the owner if the club is new on this site",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import the bundle, and print the outcome for each event."""
        owner = User.objects.filter(email__iexact=options["owner"]).first() if options["owner"] else None
        if options["owner"] and owner is None:
            raise CommandError(f"Account not found: {options['owner']}.")
        keys = public_keys() + (_read_keys(options["key"]) if options["key"] else [])
        try:
            result = import_bundle(options["file"], kind=self.of, keys=keys, owner=owner)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        for event, state in result.events.items():
            self.stdout.write(f"{event}: {state}")
        self.stdout.write(
            f"{result.manifest.name}: {'imported' if result.has_changes else 'nothing to import'}."
        )
        if result.has_changes:
            call_command("reapply_erasures", stdout=self.stdout, stderr=self.stderr)


def _read_keys(path: Path) -> list[str]:
    try:
        return parse_keys(path.read_text())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise CommandError(f"{path} contains no public key.") from None
