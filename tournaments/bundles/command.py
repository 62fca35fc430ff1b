"""What ``manage.py import_event`` and ``import_club`` have in common."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from people.models import User
from people.signing import keys_in
from rating.selectors.official import public_keys
from tournaments.backups.services.archive import BackupRefused
from tournaments.bundles.services.importing import import_bundle


class TakingIn(BaseCommand):
    """Takes in a bundle of the kind ``of``."""

    of = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what another site has exported")
        parser.add_argument(
            "--key", type=Path, metavar="KEYS", help="/.well-known/crawford of that site, as a file"
        )
        parser.add_argument(
            "--owner", default="", metavar="EMAIL", help="whose the club is, where it is not here yet"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Take it in, and say what became of each event."""
        owner = User.objects.filter(email__iexact=options["owner"]).first() if options["owner"] else None
        if options["owner"] and owner is None:
            raise CommandError(f"There is no account {options['owner']}.")
        keys = public_keys() + (_keys_of(options["key"]) if options["key"] else [])
        try:
            taken = import_bundle(options["file"], of=self.of, keys=keys, owner=owner)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        for event, state in taken.events.items():
            self.stdout.write(f"{event}: {state}")
        self.stdout.write(f"{taken.manifest.name}: {'taken in' if taken.wrote else 'nothing to do'}.")
        if taken.wrote:
            call_command("reapply_erasures", stdout=self.stdout, stderr=self.stderr)


def _keys_of(path: Path) -> list[str]:
    try:
        return keys_in(path.read_text())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise CommandError(f"{path} holds no public key.") from None
