"""``manage.py restore FILE``: restore a site from a backup, and check its consistency."""

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournaments.backups.services.archive import BackupRefused
from tournaments.backups.services.places import connected_to
from tournaments.backups.services.restoring import restore

_OTHER_KEY_MESSAGE = (
    "The backup was made with a different SECRET_KEY, so earlier personal links, QR codes and signatures do not work."
    " To make them work, set the previous key (in var/secret_key or the variable)."
)


class Command(BaseCommand):
    help = "Restore a backup into the site's empty database and file folder, then check that all data is consistent."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file created by `manage.py backup`")
        parser.add_argument(
            "--fresh",
            default="",
            metavar="NAME",
            help="restore into a new database of this name (SQLite: a new file)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, new_name = options["file"], options["fresh"]
        try:
            result = restore(path, new_name=new_name)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"Nothing was restored: {error}.") from None
        manifest = result.manifest
        self.stdout.write(
            f"Restored {sum(table.rows for table in manifest.tables)} rows, {len(manifest.files)} files, as of {manifest.made_at}."
        )
        if not result.has_same_key:
            self.stderr.write(_OTHER_KEY_MESSAGE)
        with connected_to(new_name) if new_name else nullcontext():
            call_command("migrate", verbosity=0, interactive=False)
            call_command("reapply_erasures", stdout=self.stdout, stderr=self.stderr)
            failed_checks = [option for option in _CHECK_OPTIONS if not self._check_passes(option)]
        if new_name:
            self.stdout.write(
                f"The site still uses {connection.settings_dict['NAME']}. To use the new database, set {new_name} in DATABASE_URL."
            )
        if failed_checks:
            raise CommandError(
                f"The backup was restored, but these checks failed: {', '.join(failed_checks)}."
            )

    def _check_passes(self, command: str) -> bool:
        try:
            call_command(command, **_CHECK_OPTIONS[command], stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            self.stderr.write(str(error))
            return False
        return True


_CHECK_OPTIONS: dict[str, dict[str, bool]] = {
    "check_events": {},
    "verify_trail": {},
    "rebuild_ratings": {"check": True},
}
